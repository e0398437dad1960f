// Finds the account that a call uses, or says why the call cannot have one. reference: Several accounts
import {
  codeOfChoice,
  type Connected,
  howToChoose,
  howToConnect,
  WITHOUT_ACCOUNTS,
} from '../connections/model/connected.ts';
import type { NoAccount, Wanted } from '../connections/model/accounts.ts';
import { howFarTeamGoes, TEAM_LABEL } from '../connections/model/team.ts';
import type { Config } from '../config/config.ts';
import type { Access } from '../kit/access.ts';
import type { Identity } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import type { Connection } from '../ports/records.ts';
import type { Ended, Found } from './effect.ts';
import type { Refusal } from './outcome.ts';

export interface FoundConnection extends Found {
  /** Null for an integration without sign-in. */
  connection: Connection | null;
}

interface Needs {
  connected: Connected;
  config: Pick<Config, 'PORTAL_URL' | 'SERVER_PUBLIC_URL'>;
}

type FoundOrEnded = FoundConnection | (Found & Ended<never>);

export function findConnection(
  needs: Needs,
  caller: Identity,
  integration: Integration,
  wanted: Wanted,
): FoundOrEnded | Promise<FoundOrEnded> {
  if (integration.auth.type !== 'none') return findStored(needs, caller, integration, wanted);
  return wanted.account === undefined
    ? { named: {}, connection: null }
    : { named: {}, ending: refuseChoice(integration, WITHOUT_ACCOUNTS) };
}

async function findStored(
  { connected, config }: Needs,
  { userId, actor }: Identity,
  integration: Integration,
  wanted: Wanted,
): Promise<FoundOrEnded> {
  const found = await connected.find(userId, integration, wanted);
  if ('labels' in found) return { named: {}, ending: refuseChoice(integration, found) };
  if (found.kind === 'over-ceiling') return refuseTeam(integration, found.ceiling);
  const { account, owner } = found;
  const named = { ...(account === undefined ? {} : { account }), ...(owner === undefined ? {} : { owner }) };
  return found.kind === 'connected'
    ? { named, connection: found.connection }
    : { named, ending: { kind: 'not-connected', message: howToConnect(integration, config, actor) } };
}

/** The team connection may be used, but not for as much as the call can do. */
export const refuseTeam = (integration: Integration, ceiling: Access): Found & Ended<never> => ({
  named: { account: TEAM_LABEL, owner: 'team' },
  ending: { kind: 'blocked', message: howFarTeamGoes(integration, ceiling) },
});

export const refuseChoice = (integration: Integration, none: NoAccount): Refusal => ({
  kind: 'no-account',
  error: codeOfChoice(none),
  message: howToChoose(integration, none),
  accounts: none.labels,
});
