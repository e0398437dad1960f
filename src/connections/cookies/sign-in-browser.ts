// Opens a person's browser for a sign-in, with the profile of the account that it is for.
import { type Browser, type BrowserSession, BrowserStartFailed, FIRST_PROFILE } from '../../ports/browser.ts';
import type { RunningWork } from '../../auth/running-work.ts';
import { HttpError } from '../../http/errors.ts';
import { profileOf, type SignInAccount } from './sign-in-account.ts';
import type { StartedSignIns } from './started-sign-ins.ts';

/** A sign-in that can be opened. */
export interface CookieLogin extends Pick<SignInAccount, 'account' | 'label'> {
  name: string;
  /** Whether the account is connected already. */
  isConnected: boolean;
  loginUrl: string;
  instanceUrl: string | null;
}

export interface SignInBrowser {
  open(userId: string, profile: string): Promise<BrowserSession>;
  openFor(userId: string, login: CookieLogin): Promise<BrowserSession>;
  /** Sends the browser to the address. Answers 409 where another sign-in has taken the browser meanwhile. */
  go(userId: string, session: BrowserSession, url: string): Promise<void>;
}

export function createSignInBrowser(
  browser: Browser | null,
  started: StartedSignIns,
  runningWork: Pick<RunningWork, 'hold'>,
): SignInBrowser {
  const held = new WeakSet<Promise<BrowserSession>>();

  /** The browser ends with the person's access, also while it starts. */
  async function hold(userId: string, opening: Promise<BrowserSession>): Promise<void> {
    // Everybody who asks for a browser that runs gets the same promise.
    if (held.has(opening)) return;
    held.add(opening);
    const release = runningWork.hold(userId, () => {
      opening.then(
        (session) => session.close(),
        () => {},
      );
    });
    try {
      await (
        await opening
      ).closed;
    } catch {
      // The caller that opens the browser hears why it did not start.
    } finally {
      release();
    }
  }

  function openHeld(userId: string, profile: string): Promise<BrowserSession> {
    const opening = required().open(userId, profile);
    void hold(userId, opening);
    return opening;
  }

  /** New profiles that are being opened, by person. */
  const opening = new Map<string, { login: CookieLogin; session: Promise<BrowserSession> }>();

  function required(): Browser {
    if (browser !== null) return browser;
    throw new BrowserStartFailed(
      'This gateway cannot start a browser. Import a session instead, or ask the operator to set NODE_ORIGIN.',
    );
  }

  /** The profile of a sign-in that was never finished must not be seen by the next one. */
  async function openNew(userId: string, login: CookieLogin): Promise<BrowserSession> {
    const own = profileOf({ integration: login.name, account: login.account });
    const running = required().current(userId);
    const begun = running?.profile === own ? started.find(userId, login.name) : undefined;
    if (begun?.label !== login.label || begun === undefined) await required().remove(userId, own);
    return openHeld(userId, own);
  }

  /** Parallel requests for one sign-in share its profile. */
  async function openOnce(userId: string, login: CookieLogin): Promise<BrowserSession> {
    const under = opening.get(userId);
    if (under?.login.name === login.name && under.login.label === login.label) return under.session;
    const next = { login, session: openNew(userId, login) };
    opening.set(userId, next);
    try {
      return await next.session;
    } finally {
      if (opening.get(userId) === next) opening.delete(userId);
    }
  }

  return {
    open: async (userId, profile) => openHeld(userId, profile),

    async openFor(userId, login) {
      const { name, account, label, instanceUrl, isConnected } = login;
      const profile = profileOf({ integration: name, account });
      const isNew = !isConnected && profile !== FIRST_PROFILE;
      const session = isNew ? await openOnce(userId, login) : await openHeld(userId, profile);
      started.keep(session, name, { account, label, instanceUrl });
      return session;
    },

    async go(userId, session, url) {
      try {
        await session.navigate(url);
      } catch (error) {
        if (browser?.current(userId) === session) throw error;
        throw new HttpError(409, {
          error: 'The browser was opened for another sign-in meanwhile. Start connecting again.',
        });
      }
    },
  };
}
