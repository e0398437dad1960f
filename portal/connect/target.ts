// Says which account a dialog connects, and asks for its name where it is a new one. reference: Several accounts
import type { Whose } from '../api/connect.ts';
import { accountsTexts } from '../texts/accounts.ts';
import { teamTexts } from '../texts/team.ts';
import { texts } from '../texts/texts.ts';
import { ACCOUNT, type ConnectField, type Values } from './form-fields.ts';
import { isKnown, type WithState } from './state.ts';

const words = accountsTexts;

/** `label` of an account to add is what an agent has suggested. */
export type Target = { kind: 'renew'; label: string } | { kind: 'add'; label?: string } | { kind: 'team' };

/** The account that a link or an agent names. */
export function targetNamed({ accounts = [] }: WithState, label: string): Target | undefined {
  if (label === '') return undefined;
  return accounts.some((account) => account.label === label)
    ? { kind: 'renew', label }
    : { kind: 'add', label };
}

/** A field for the name where the dialog may add an account. */
export function accountFields(
  { account, accounts, displayName }: WithState,
  target: Target | undefined,
): ConnectField[] {
  if (target?.kind === 'renew' || isForTeam(target)) return [];
  if (target === undefined && accounts === undefined) return [];
  const isTold = account !== undefined;
  return [
    {
      key: ACCOUNT,
      kind: 'text',
      label: words.name,
      // Without a name and an id, the credential would replace the one that is stored.
      required: target !== undefined && !isTold,
      placeholder: isTold ? words.nameLikeProvider(displayName) : words.nameExample,
      help: isTold ? words.nameHelp : words.nameNeeded(displayName),
    },
  ];
}

/** The field for a name that the gateway has asked for, where no account was to be added. */
export const askedName = (): ConnectField => ({
  key: ACCOUNT,
  kind: 'text',
  label: words.name,
  required: true,
  placeholder: words.nameExample,
  help: words.nameHelp,
});

export const namesAtFirst = (target: Target | undefined): Values =>
  target?.kind === 'add' && target.label !== undefined ? { [ACCOUNT]: target.label } : {};

/** What is sent about the account that the person connects. */
export const whoseIn = (values: Values, target: Target | undefined): Whose => ({
  account: labelIn(values, target),
  isForTeam: isForTeam(target),
});

/** The label to send; empty when the person has named no account. */
export const labelIn = (values: Values, target: Target | undefined): string =>
  target?.kind === 'renew' ? target.label : (values[ACCOUNT] ?? '').trim();

/** Whether an administrator connects for everyone. */
export const isForTeam = (target: Target | undefined): boolean => target?.kind === 'team';

/** The values without the name of the account, which is no field of the integration. */
export const withoutLabel = ({ [ACCOUNT]: _, ...values }: Values): Values => values;

/** What is typed for one account does not show up for another one. */
export const keptFor = (name: string, target: Target | undefined): string =>
  target === undefined ? name : `${name} ${target.kind} ${labelOf(target) ?? ''}`;

const labelOf = (target: Target | undefined): string | undefined =>
  target === undefined || target.kind === 'team' ? undefined : target.label;

export function titleFor(integration: WithState, target: Target | undefined): string {
  const { displayName, way = 'oauth2' } = integration;
  if (isForTeam(target)) return teamTexts.connectTitle(displayName);
  if (!isKnown(integration)) return texts.connect.title(displayName);
  if (target?.kind === 'add') return words.addTitle(displayName);
  return texts.connect.replaceTitle[way](labelOf(target) ?? displayName);
}
