// Signs a person in to a site in a browser of their own, and stores the cookies of that session. reference: Connecting an integration
import type { Egress } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { SessionKeys } from '../../auth/session-key.ts';
import type { Checks } from '../check.ts';
import type { Vault } from '../vault.ts';
import type { Integration } from '../../kit/integration.ts';
import type { CookieBlock } from '../../kit/manifest.ts';
import { type BrowserSession, BrowserStartFailed } from '../../ports/browser.ts';
import { defaultOf } from '../accounts.ts';
import { configAt, instanceIn, readConfigOf } from '../config.ts';
import { keepOwnCookies } from './sign-in-hosts.ts';
import type { Bundle } from './cookies.ts';
import { fillInstance, readInstanceAgain } from '../instance.ts';
import { BROWSER } from '../links.ts';
import type { LoginRequired } from './operations.ts';

export interface CookieLogin {
  name: string;
  loginUrl: string;
  instanceUrl: string | null;
}

export type Prepared = ({ ok: true } & CookieLogin) | { ok: false; message: string };
export type Captured = { ok: true; cookieCount: number } | { ok: false; message: string };

export interface CookieLogins {
  /** Finds the address of the sign-in without opening it. */
  prepare(
    userId: string,
    integration: Integration,
    block: CookieBlock,
    instanceUrl: string | undefined,
  ): Promise<Prepared>;
  /** Resolves when the user's browser is running. */
  warm(userId: string): Promise<void>;
  begin(userId: string, login: CookieLogin): Promise<LoginRequired>;
  beginPlain(userId: string, startUrl: string | null): Promise<LoginRequired>;
  capture(userId: string, integration: Integration, block: CookieBlock): Promise<Captured>;
  /** Whether a sign-in was begun and has not ended yet. */
  isUnderWay(userId: string): boolean;
  /** Ends the sign-in: it is captured or cancelled, or its viewer has closed. */
  settle(userId: string): void;
}

type Needs = Pick<Ports, 'browser' | 'clock' | 'config' | 'store'> & {
  checks: Checks;
  egress: Egress;
  sessionKeys: SessionKeys;
  vault: Vault;
};

interface StartedLogins {
  /** The instance of each integration's sign-in, which the capture needs. */
  instances: Map<string, string | null>;
  underWay: boolean;
}

export function createCookieLogins(needs: Needs): CookieLogins {
  const { browser, checks, clock, config, egress, store, sessionKeys, vault } = needs;
  const logins = new WeakMap<BrowserSession, StartedLogins>();

  const findStarted = (userId: string): StartedLogins | undefined => {
    const session = browser?.current(userId) ?? null;
    return session === null ? undefined : logins.get(session);
  };

  function open(userId: string): Promise<BrowserSession> {
    if (browser !== null) return browser.open(userId);
    throw new BrowserStartFailed(
      'This gateway cannot start a browser. Import a session instead, or ask the operator to set NODE_ORIGIN.',
    );
  }

  async function start(userId: string, name: string, instanceUrl: string | null, url: string | null) {
    const session = await open(userId);
    const begun = logins.get(session) ?? { instances: new Map<string, string | null>(), underWay: true };
    begun.instances.set(name, instanceUrl);
    begun.underWay = true;
    logins.set(session, begun);
    if (url !== null) await session.navigate(url);
    return sessionKeys.of(userId);
  }

  /** The instance of the sign-in that was begun, else of the stored connection, else the default. */
  async function instanceOf(userId: string, integration: Integration): Promise<string | null> {
    const begun = findStarted(userId)?.instances.get(integration.name);
    if (begun !== undefined) return begun;
    const former = defaultOf(await store.connections.of(userId, integration.name));
    return instanceIn(former === null ? {} : readConfigOf(former), integration);
  }

  function settle(userId: string): void {
    const begun = findStarted(userId);
    if (begun !== undefined) begun.underWay = false;
  }

  return {
    async prepare(userId, integration, block, given) {
      const instance = await readInstanceAgain({ store, egress }, userId, integration, given);
      if (!instance.ok) return instance;
      const { instanceUrl } = instance;
      return {
        ok: true,
        name: integration.name,
        instanceUrl,
        loginUrl: fillInstance(block.loginUrl, instanceUrl),
      };
    },

    async warm(userId) {
      await open(userId);
    },

    async begin(userId, { name, loginUrl, instanceUrl }) {
      const key = await start(userId, name, instanceUrl, loginUrl);
      const cdpProxyUrl = `${config.SERVER_PUBLIC_URL}/api/auth/cookie/${name}/cdp`;
      return { type: 'cookie', status: 'login_required', cdpToken: key, cdpProxyUrl, loginUrl };
    },

    async beginPlain(userId, startUrl) {
      const key = await start(userId, BROWSER, null, startUrl);
      const cdpProxyUrl = `${config.SERVER_PUBLIC_URL}/api/browser-session/cdp`;
      const at = startUrl === null ? {} : { loginUrl: startUrl };
      return { type: BROWSER, status: 'login_required', cdpToken: key, cdpProxyUrl, ...at };
    },

    async capture(userId, integration, block) {
      const session = browser?.current(userId) ?? null;
      if (session === null)
        return { ok: false, message: 'The browser is not running any more. Start connecting again.' };
      const instanceUrl = await instanceOf(userId, integration);
      const all: Bundle = {
        v: 1,
        cookies: await session.cookies(),
        userAgent: session.userAgent,
        capturedAt: clock.now(),
      };
      const bundle = keepOwnCookies(all, { block, instanceUrl }, config);
      if (bundle.cookies.length === 0)
        return {
          ok: false,
          message: `You're not signed in to ${integration.displayName} yet.`,
        };
      const seen = await store.connections.of(userId, integration.name);
      const checked = await checks.beforeSession(userId, integration, bundle, instanceUrl);
      if (!checked.ok)
        return {
          ok: false,
          message: `You're not signed in to ${integration.displayName} yet. ${checked.reason}.`,
        };
      await vault.replace(seen, userId, integration.name, {
        cookies: JSON.stringify(checked.bundle),
        config: configAt(instanceUrl),
        way: 'cookie',
        standing: checked.standing,
      });
      settle(userId);
      return { ok: true, cookieCount: bundle.cookies.length };
    },

    isUnderWay: (userId) => findStarted(userId)?.underWay === true,

    settle,
  };
}
