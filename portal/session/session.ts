// Holds the session: who is signed in, and every way in which a session begins or ends.
import { createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { fetchMe, type Me, postLogout } from '../api/auth.ts';
import { ApiError, whenUnauthorized } from '../api/client.ts';
import { forgetToken, isTokenChange, readToken } from '../api/token.ts';
import { clearCache } from '../state/cache.ts';
import { useRetry } from '../state/use-retry.ts';
import { rememberOverview } from '../state/first-page.ts';
import { here, navigate } from '../router/location.ts';
import { forgetPerson, isSomebodyRemembered, rememberPerson } from './person.ts';
import { dropReturnPage, keepReturnPage, takeReturnPage } from './return-page.ts';
import { acceptLink, isLinkUntried, takeTokenFromAddress } from './sign-in-link.ts';

export type SignedOutReason = 'new' | 'expired' | 'refused' | 'left';

export type Session =
  | { state: 'starting' }
  | { state: 'unreachable'; error: ApiError }
  | { state: 'signed-out'; reason: SignedOutReason }
  | { state: 'signed-in'; me: Me };

interface SignedIn {
  me: Me;
  signOut: () => void;
}

export const SessionContext = createContext<SignedIn | null>(null);

export function useSession(): SignedIn {
  const session = useContext(SessionContext);
  if (session === null) throw new TypeError('only pages inside the shell have a session');
  return session;
}

/** `isPage` tells whether an address has a page. Nobody returns to one without after signing in. */
export function useSessionState(isPage: (path: string) => boolean): {
  session: Session;
  retry: () => void;
  signOut: () => void;
} {
  const [session, setSession] = useState<Session>({ state: 'starting' });
  const [attempt, setAttempt] = useState(0);
  const retry = () => setAttempt((count) => count + 1);

  function end(reason: SignedOutReason): void {
    forgetToken();
    acceptLink();
    clearCache();
    if (reason !== 'left' && isPage(here().path)) keepReturnPage();
    navigate('/signin', { replace: true });
    setSession({ state: 'signed-out', reason });
  }

  useLayoutEffect(() => {
    let current = true;
    async function begin(): Promise<void> {
      if (readToken() === null) return end('new');
      try {
        const me = await fetchMe();
        if (!current) return;
        acceptLink();
        if (rememberPerson(me.id)) {
          clearCache();
          rememberOverview(false);
        }
        if (here().path === '/signin') navigate(takeReturnPage() ?? '/', { replace: true });
        setSession({ state: 'signed-in', me });
      } catch (error) {
        if (!current || !(error instanceof ApiError) || error.status === 401) return;
        // The session is valid, but its user no longer exists.
        if (error.status === 404) end('expired');
        else setSession({ state: 'unreachable', error });
      }
    }
    // Keeps the error page while a retry runs.
    setSession((now) => (now.state === 'unreachable' ? now : { state: 'starting' }));
    void begin();
    return () => {
      current = false;
    };
  }, [attempt]);

  useRetry(session.state === 'unreachable' ? session.error : undefined, retry);

  useEffect(() => whenUnauthorized(() => end(isLinkUntried() ? 'refused' : 'expired')), []);

  useEffect(() => {
    const onHash = () => takeTokenFromAddress() && retry();
    const onStorage = (event: StorageEvent) => {
      if (!isTokenChange(event)) return;
      if (readToken() === null) return end(isSomebodyRemembered() ? 'expired' : 'left');
      clearCache();
      retry();
    };
    window.addEventListener('hashchange', onHash);
    window.addEventListener('storage', onStorage);
    return () => {
      window.removeEventListener('hashchange', onHash);
      window.removeEventListener('storage', onStorage);
    };
  }, []);

  function signOut(): void {
    // Sessions are stateless, so signing out works even when the gateway does not respond.
    void postLogout().catch(() => undefined);
    dropReturnPage();
    rememberOverview(false);
    forgetPerson();
    end('left');
  }

  return { session, retry, signOut };
}
