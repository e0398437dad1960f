// Stores the cookies of the sign-in that a person's browser has now. reference: Cookie sessions
import { HttpError, describe } from '../../http/errors.ts';
import type { Integration } from '../../kit/integration.ts';
import type { CookieBlock } from '../../kit/manifest.ts';
import { type BrowserSession, FIRST_PROFILE } from '../../ports/browser.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Connection } from '../../ports/records.ts';
import { defaultOf, labelsOf } from '../model/accounts.ts';
import type { Checks } from '../model/checks.ts';
import { configAt, instanceIn, readConfigOf } from '../model/config.ts';
import type { NewConnection, Vault } from '../model/vault.ts';
import type { Bundle } from '../model/cookies.ts';
import { findSignInAccount, forgetSignIn, profileOf, readAccount } from './sign-in-account.ts';
import { keepOwnCookies } from './sign-in-hosts.ts';
import type { StartedSignIn, StartedSignIns } from './started-sign-ins.ts';
import { findStoredSession } from './stored-session.ts';

export type Captured = { ok: true; cookieCount: number } | { ok: false; message: string };

type Capture = (
  userId: string,
  integration: Integration,
  block: CookieBlock,
  account?: string,
) => Promise<Captured>;

type Needs = Pick<Ports, 'browser' | 'clock' | 'config' | 'log' | 'store'> & {
  checks: Checks;
  started: StartedSignIns;
  vault: Vault;
};

export function createCapture(needs: Needs): Capture {
  const { browser, checks, clock, config, log, started, store, vault } = needs;

  /** The sign-in that the browser shows. Null when that is not the one which the person wants to store. */
  function findShown(
    userId: string,
    session: BrowserSession,
    integration: Integration,
    rows: readonly Connection[],
    asked: string | undefined,
  ): StartedSignIn | null {
    const begun = started.find(userId, integration.name);
    if (begun !== undefined && (asked === undefined || asked === begun.label)) return begun;
    const { account, label, row } = findSignInAccount(integration, rows, asked);
    if (begun !== undefined) return row?.account === begun.account ? begun : null;
    // The gateway has restarted since, or the person has opened the browser for itself.
    const { profile } = session;
    const isShown = profileOf({ integration: integration.name, account }) === profile;
    if (!isShown || (row === null && profile !== FIRST_PROFILE)) return null;
    const former = row ?? defaultOf(rows);
    const instanceUrl = instanceIn(former === null ? {} : readConfigOf(former), integration);
    return { account, label, instanceUrl };
  }

  async function readBundle(session: BrowserSession): Promise<Bundle> {
    const cookies = await session.cookies();
    return { v: 1, cookies, userAgent: session.userAgent, capturedAt: clock.now() };
  }

  return async function capture(userId, integration, block, account) {
    const asked = readAccount(account);
    const session = browser?.current(userId) ?? null;
    const rows = await store.connections.of(userId, integration.name);
    const shown = session && findShown(userId, session, integration, rows, asked);
    if (browser === null || session === null || shown === null)
      return { ok: false, message: 'The browser is not running any more. Start connecting again.' };
    const { instanceUrl } = shown;
    const bundle = keepOwnCookies(await readBundle(session), { block, instanceUrl }, config);
    const notSignedIn = `You're not signed in to ${integration.displayName} yet.`;
    if (bundle.cookies.length === 0) return { ok: false, message: notSignedIn };
    const checked = await checks.beforeCapture(userId, integration, bundle, instanceUrl);
    if (!checked.ok) return { ok: false, message: `${notSignedIn} ${checked.reason}.` };
    const isProved = checked.state.status === 'ok' || integration.probe === undefined;
    if (instanceUrl !== null && !isProved)
      return { ok: false, message: describeUnproved(integration, instanceUrl, checked.state.cause) };
    const cookies = JSON.stringify(checked.bundle);
    await vault.replace(rows, userId, integration.name, {
      cookies,
      config: configAt(instanceUrl),
      way: 'cookie',
      state: checked.state,
      ...nameAccount(shown, rows),
    });
    started.settle(userId);
    const stored = await findStoredSession({ store, vault }, userId, integration.name, cookies);
    const { profile } = session;
    // A later sign-in to the account of this profile must not find the account that was captured.
    if (stored !== null && profileOf(stored) !== profile)
      await forgetSignIn(browser, { userId, profile, block, instanceUrl }).catch((error: unknown) =>
        log.write('warn', 'a browser profile keeps the sign-in of another account', {
          integration: integration.name,
          ...describe(error),
        }),
      );
    return { ok: true, cookieCount: bundle.cookies.length };
  };
}

/** Any site can be named as an instance, also one that only signs the person in to others. decision: 027 */
function describeUnproved({ displayName }: Integration, instanceUrl: string, cause: string | null): string {
  const { host } = new URL(instanceUrl);
  return `The cookies of ${host} stay in the browser, because it could not be checked that ${host} is a ${displayName}. ${cause ?? 'It gave no answer'}. Try again when it answers, or import the session.`;
}

/** Says which account is stored. With one account the provider's id decides, as it does for a key. */
function nameAccount(
  { account, label }: StartedSignIn,
  rows: readonly Connection[],
): Pick<NewConnection, 'account' | 'newAccount'> {
  const at = rows.findIndex((row) => row.account === account);
  // A renamed account keeps its new name.
  if (at !== -1) return label === undefined && rows.length === 1 ? {} : { account: labelsOf(rows)[at] };
  if (label === undefined && rows.length > 0)
    throw new HttpError(409, { error: 'The connection was changed meanwhile. Try again.' });
  return { account: label, newAccount: account };
}
