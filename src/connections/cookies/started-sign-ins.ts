// Remembers which sign-ins were begun in each running browser. They end with the browser.
import type { Browser, BrowserSession } from '../../ports/browser.ts';
import type { SignInAccount } from './sign-in-account.ts';

/** A sign-in that was begun in the browser. The capture needs to know these. */
export interface StartedSignIn extends Pick<SignInAccount, 'account' | 'label'> {
  instanceUrl: string | null;
}

interface Started {
  /** The newest sign-in of each integration. */
  byIntegration: Map<string, StartedSignIn>;
  underWay: boolean;
}

export interface StartedSignIns {
  /** The sign-in that was begun in the person's running browser. */
  find(userId: string, integration: string): StartedSignIn | undefined;
  keep(session: BrowserSession, integration: string, signIn: StartedSignIn): void;
  /** Says that somebody is signing in now. */
  begin(session: BrowserSession): void;
  isUnderWay(userId: string): boolean;
  settle(userId: string): void;
}

export function createStartedSignIns(browser: Browser | null): StartedSignIns {
  const bySession = new WeakMap<BrowserSession, Started>();

  function of(session: BrowserSession): Started {
    const started = bySession.get(session) ?? { byIntegration: new Map(), underWay: false };
    bySession.set(session, started);
    return started;
  }

  function current(userId: string): Started | undefined {
    const session = browser?.current(userId) ?? null;
    return session === null ? undefined : bySession.get(session);
  }

  return {
    find: (userId, integration) => current(userId)?.byIntegration.get(integration),
    keep: (session, integration, signIn) => void of(session).byIntegration.set(integration, signIn),
    begin(session) {
      of(session).underWay = true;
    },
    isUnderWay: (userId) => current(userId)?.underWay === true,
    settle(userId) {
      const started = current(userId);
      if (started !== undefined) started.underWay = false;
    },
  };
}
