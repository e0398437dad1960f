// Signs a person in to a site in a browser of their own, and stores the cookies of that session. reference: Connecting an integration
import type { Egress } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { RunningWork } from '../../auth/running-work.ts';
import type { SessionKeys } from '../../auth/session-key.ts';
import type { Checks } from '../model/checks.ts';
import type { Vault } from '../model/vault.ts';
import type { Integration } from '../../kit/integration.ts';
import type { CookieBlock } from '../../kit/manifest.ts';
import { type BrowserSession, FIRST_PROFILE } from '../../ports/browser.ts';
import { INSTANCE, readConfigOf } from '../model/config.ts';
import { fillInstance, readInstanceAgain } from '../model/instance.ts';
import { BROWSER } from '../model/links.ts';
import type { LoginRequired } from './operations.ts';
import { type CookieLogin, createSignInBrowser } from './sign-in-browser.ts';
import { type Captured, createCapture } from './capture.ts';
import { findSignInAccount, readAccount } from './sign-in-account.ts';
import { createStartedSignIns } from './started-sign-ins.ts';

export type Prepared = ({ ok: true } & CookieLogin) | { ok: false; message: string };

export interface CookieLogins {
  /**
   * Finds the address of the sign-in without opening it. `account` is the label of the account to renew or to add. Throws
   * 409 where it is missing and there are several.
   */
  prepare(
    userId: string,
    integration: Integration,
    block: CookieBlock,
    instanceUrl: string | undefined,
    account?: string,
  ): Promise<Prepared>;
  /** Resolves when the user's browser is running, for this sign-in or for itself. */
  warm(userId: string, login?: CookieLogin): Promise<void>;
  begin(userId: string, login: CookieLogin): Promise<LoginRequired>;
  beginPlain(userId: string, startUrl: string | null): Promise<LoginRequired>;
  /** `account` is the label that the sign-in was begun with. */
  capture(userId: string, integration: Integration, block: CookieBlock, account?: string): Promise<Captured>;
  /**
   * The browser that a viewer drives, which starts when it does not run. Null when the viewer shows the sign-in of an
   * account, and the browser does not have that sign-in any more.
   */
  resume(userId: string, integration: string | undefined, account?: string): Promise<BrowserSession | null>;
  /** Whether a sign-in was begun and has not ended yet. */
  isUnderWay(userId: string): boolean;
  /** Ends the sign-in: it is captured or cancelled, or its viewer has closed. */
  settle(userId: string): void;
}

type Needs = Pick<Ports, 'browser' | 'clock' | 'config' | 'log' | 'store'> & {
  checks: Checks;
  egress: Egress;
  runningWork: Pick<RunningWork, 'hold'>;
  sessionKeys: SessionKeys;
  vault: Vault;
};

export function createCookieLogins(needs: Needs): CookieLogins {
  const { browser, config, egress, store, sessionKeys } = needs;
  const started = createStartedSignIns(browser);
  const signInBrowser = createSignInBrowser(browser, started, needs.runningWork);

  async function begin(userId: string, session: BrowserSession, url: string | null): Promise<string> {
    started.begin(session);
    if (url !== null) await signInBrowser.go(userId, session, url);
    return sessionKeys.of(userId);
  }

  return {
    async prepare(userId, integration, block, given, account) {
      const label = readAccount(account);
      const rows = await store.connections.of(userId, integration.name);
      const found = findSignInAccount(integration, rows, label);
      const known = found.row === null ? undefined : readConfigOf(found.row)[INSTANCE];
      const instance = await readInstanceAgain({ store, egress }, userId, integration, given ?? known);
      if (!instance.ok) return instance;
      const { instanceUrl } = instance;
      return {
        ok: true,
        name: integration.name,
        account: found.account,
        label,
        isConnected: found.row !== null,
        instanceUrl,
        loginUrl: fillInstance(block.loginUrl, instanceUrl),
      };
    },

    async warm(userId, login) {
      if (login === undefined) await signInBrowser.open(userId, FIRST_PROFILE);
      else await signInBrowser.openFor(userId, login);
    },

    async begin(userId, login) {
      const { name, loginUrl } = login;
      const key = await begin(userId, await signInBrowser.openFor(userId, login), loginUrl);
      const cdpProxyUrl = `${config.SERVER_PUBLIC_URL}/api/auth/cookie/${name}/cdp`;
      return { type: 'cookie', status: 'login_required', cdpToken: key, cdpProxyUrl, loginUrl };
    },

    async beginPlain(userId, startUrl) {
      const key = await begin(userId, await signInBrowser.open(userId, FIRST_PROFILE), startUrl);
      const cdpProxyUrl = `${config.SERVER_PUBLIC_URL}/api/browser-session/cdp`;
      const at = startUrl === null ? {} : { loginUrl: startUrl };
      return { type: BROWSER, status: 'login_required', cdpToken: key, cdpProxyUrl, ...at };
    },

    capture: createCapture({ ...needs, started }),

    async resume(userId, integration, account) {
      const profile = browser?.current(userId)?.profile;
      const label = readAccount(account);
      if (label === undefined) return signInBrowser.open(userId, profile ?? FIRST_PROFILE);
      const begun = integration === undefined ? undefined : started.find(userId, integration);
      if (profile === undefined || begun?.label !== label) return null;
      return signInBrowser.open(userId, profile);
    },

    isUnderWay: (userId) => started.isUnderWay(userId),

    settle: (userId) => started.settle(userId),
  };
}
