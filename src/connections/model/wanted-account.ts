// Remembers the account that a person has named, until the provider has sent them back. reference: Several accounts
import * as z from 'zod';
import type { Ports } from '../../ports/ports.ts';
import { HttpError } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { Connection } from '../../ports/records.ts';
import { defaultOf, labelsOf, namedAccount, quoteLabel, requireLabel } from './accounts.ts';
import { EVERYONE } from '../../ports/store.ts';
import type { ConnectionConfig } from './config.ts';
import { parseStoredJson } from './stored-json.ts';
import { FOR_TEAM } from './team.ts';

/** `meant` is the account that had the label when the person began; null where none had it. */
export const WantedAccount = z.object({
  label: z.string(),
  meant: z.object({ account: z.string(), created_at: z.number() }).nullable(),
});
export type WantedAccount = z.infer<typeof WantedAccount>;

/** The names of the members in the config of a pending sign-in. A stored connection does not have them. */
const WANTED = 'wantedAccount';
const FOR = 'connectsFor';
const LINK = 'actorLink';

/** The label that a request names. Answers 400 to one that cannot be used. */
export function requireWanted(
  { auth, displayName }: Pick<Integration, 'auth' | 'displayName'>,
  text: string | undefined,
): string | undefined {
  if (text === undefined) return undefined;
  if (auth.type === 'none')
    throw new HttpError(400, {
      error: `${displayName} needs no sign-in, so it has no accounts. Leave "account" out.`,
    });
  return requireLabel(text);
}

/**
 * Whether a person has to say which account a credential belongs to. Nothing tells whose it is, and it could replace that of
 * somebody else. Credentials whose account was never known replace each other, as in version 0.1.
 */
export function mustBeNamed(
  rows: readonly Pick<Connection, 'account_id'>[],
  { account_id }: Pick<Connection, 'account_id'>,
): boolean {
  return account_id === null && (rows.length > 1 || rows.some((row) => row.account_id !== null));
}

/** The text for a person who has to say which of several accounts a key belongs to. */
export function howToName(
  { displayName }: Pick<Integration, 'displayName'>,
  rows: readonly Connection[],
): string {
  const labels = labelsOf(rows).map(quoteLabel).join(', ');
  return `${displayName} does not say which account this is for. Name it in "account": ${labels} to renew one of them, or a new name to add one.`;
}

export function findWanted(rows: readonly Connection[], label: string): WantedAccount {
  const row = namedAccount(rows, { wanted: label });
  return { label, meant: row && { account: row.account, created_at: row.created_at } };
}

export const keepWanted = (wanted: WantedAccount | undefined): ConnectionConfig =>
  wanted === undefined ? {} : { [WANTED]: JSON.stringify(wanted) };

/** Remembers that an administrator connects for everyone. */
export const keepOwner = (owner: string): ConnectionConfig => (owner === EVERYONE ? { [FOR]: FOR_TEAM } : {});

/** Remembers the link of an actor that the sign-in belongs to. decision: 074 */
export const keepLink = (link: string | undefined): ConnectionConfig =>
  link === undefined ? {} : { [LINK]: link };

/** Separates what the three have added from the rest of the config. */
export function takeWanted({ [WANTED]: kept, [FOR]: meant, [LINK]: link, ...config }: ConnectionConfig): {
  config: ConnectionConfig;
  wanted: WantedAccount | undefined;
  isForTeam: boolean;
  link: string | undefined;
} {
  const wanted = WantedAccount.safeParse(parseStoredJson(kept ?? '')).data;
  return { config, wanted, isForTeam: meant === FOR_TEAM, link };
}

/** The stored connection that a new sign-in follows: of the account that the person names, else of the default. */
export async function findFormer(
  { connections }: Pick<Ports['store'], 'connections'>,
  userId: string,
  integration: string,
  label: string | undefined,
): Promise<Connection | null> {
  const rows = await connections.of(userId, integration);
  return namedAccount(rows, { wanted: label }) ?? defaultOf(rows);
}
