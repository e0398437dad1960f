// Finds the account that a sign-in in the browser is for, and the browser profile of an account. decision: 050
import { type Browser, FIRST_PROFILE } from '../../ports/browser.ts';
import { type Connection, type ConnectionKey, FIRST_ACCOUNT } from '../../ports/records.ts';
import { HttpError } from '../../http/errors.ts';
import type { CookieBlock } from '../../kit/manifest.ts';
import type { Integration } from '../../kit/integration.ts';
import { labelsOf, requireLabel } from '../model/accounts.ts';
import { isTeamConnection } from '../model/team.ts';
import { instanceIn, readConfigOf } from '../model/config.ts';
import { cookieDomains } from './cookie-domains.ts';

/** The account that a person signs in to. */
export interface SignInAccount {
  /** The gateway's own name of it. A new account gets this name when it is stored. */
  account: string;
  /** The label that the person asked for. */
  label: string | undefined;
  /** The stored row; null where the account is not connected. */
  row: Connection | null;
}

/** Reads the label of a request. Answers 400 to one that cannot be a label. */
export const readAccount = (account: string | undefined): string | undefined =>
  account === undefined ? undefined : requireLabel(account);

/** `rows` are the accounts of the integration. Throws 409 where the person has to say which one is meant. */
export function findSignInAccount(
  integration: Integration,
  rows: readonly Connection[],
  label: string | undefined,
): SignInAccount {
  const [only] = rows;
  if (only === undefined) return { account: FIRST_ACCOUNT, label, row: null };
  if (label === undefined && rows.length > 1) throw accountRequired(integration, rows);
  const row = label === undefined ? only : (rows[labelsOf(rows).indexOf(label)] ?? null);
  return { account: row?.account ?? freeAccount(rows), label, row };
}

/** Names a new account. The names of accounts that are gone come again, so that forsaken profiles do not add up. */
function freeAccount(rows: readonly Connection[]): string {
  for (let number = 1; ; number++) {
    const account = `browser-${number}`;
    if (!rows.some((row) => row.account === account)) return account;
  }
}

export function accountRequired({ displayName }: Integration, rows: readonly Connection[]): HttpError {
  const names = labelsOf(rows).map((label) => JSON.stringify(label));
  return new HttpError(409, {
    error: `You have several accounts of ${displayName}: ${names.join(', ')}. Say in "account" which one is meant, or give a new name to add another one.`,
  });
}

/** The first accounts of all integrations share a profile, as the integrations of version 0.1 do. */
export const profileOf = ({ integration, account }: Pick<ConnectionKey, 'integration' | 'account'>): string =>
  account === FIRST_ACCOUNT ? FIRST_PROFILE : `${integration} ${account}`;

/** A sign-in that a profile has to lose. */
export interface ForgottenAccount {
  userId: string;
  profile: string;
  block: CookieBlock;
  instanceUrl: string | null;
}

/** Deletes the sign-in of an account from its browser profile, and nothing of another account. */
export async function forgetSignIn(
  browser: Browser,
  { userId, profile, block, instanceUrl }: ForgottenAccount,
): Promise<void> {
  if (profile === FIRST_PROFILE) await browser.forget(userId, cookieDomains(block, instanceUrl));
  else await browser.remove(userId, profile);
}

/** Does so for a stored account. Does nothing for an integration without cookies. */
export async function forgetAccount(
  browser: Browser | null,
  row: Connection,
  integration: Integration,
): Promise<void> {
  const { auth } = integration;
  // The session of the team was imported, so no browser has it.
  if (auth.type !== 'cookie' || browser === null || isTeamConnection(row)) return;
  const instanceUrl = instanceIn(readConfigOf(row), integration);
  await forgetSignIn(browser, { userId: row.user_id, profile: profileOf(row), block: auth, instanceUrl });
}
