// Shows what the session allows: the start screen, the error page, the sign-in page, or a page inside the shell.
import { useLocation } from './router/location.ts';
import { findRoute } from './routes.ts';
import { NotFoundPage } from './pages/not-found.tsx';
import { SignInPage } from './pages/signin/page.tsx';
import { SessionContext, useSessionState } from './session/session.ts';
import { Shell } from './shell/shell.tsx';
import { Starting, Unreachable } from './shell/waiting.tsx';

export function App() {
  const { session, retry, signOut } = useSessionState(isPage);
  const { path } = useLocation();

  switch (session.state) {
    case 'starting':
      return <Starting />;
    case 'unreachable':
      return <Unreachable error={session.error} onRetry={retry} />;
    case 'signed-out':
      return <SignInPage reason={session.reason} />;
    case 'signed-in': {
      const found = findRoute(path);
      const page = found === null ? <NotFoundPage /> : <found.route.page key={path} params={found.params} />;
      return (
        <SessionContext.Provider value={{ me: session.me, signOut }}>
          {found?.route.bare === true ? page : <Shell>{page}</Shell>}
        </SessionContext.Provider>
      );
    }
  }
}

function isPage(path: string): boolean {
  return findRoute(path) !== null;
}
