// Starts the portal: first removes secrets from the address, before other code can see them, then renders the app.
import { render } from 'preact';
import { fetchConnections, fetchIntegrations } from './api/integrations.ts';
import { fetchImports } from './api/imports.ts';
import { fetchHasKey } from './api/keys.ts';
import { readToken } from './api/token.ts';
import { App } from './app.tsx';
import { here } from './router/location.ts';
import { matchPath } from './router/match.ts';
import { loadIntegrationPage } from './routes.ts';
import { takeLinkFromAddress } from './session/connect-link.ts';
import { takeTokenFromAddress } from './session/sign-in-link.ts';
import { applyTheme, readTheme } from './shell/theme.ts';
import { takeConnectedFromAddress, takeTookOverFromAddress } from './shell/toast.tsx';
import { beginsWithOverview } from './state/first-page.ts';
import { IMPORTS } from './state/use-imports.ts';
import { fetchNewestCalls, NEWEST_CALLS } from './state/use-newest-calls.ts';
import { askAhead } from './state/use-resource.ts';

takeTookOverFromAddress();
takeTokenFromAddress();
takeLinkFromAddress();
takeConnectedFromAddress();
applyTheme(readTheme());

if (matchPath('/integrations/:name', here().path) !== null) void loadIntegrationPage().catch(() => undefined);

// Requests everything the first page needs at once. Over a slow link, one request after the other takes too long.
if (readToken() !== null && ['/', '/integrations'].includes(here().path)) {
  askAhead('integrations', fetchIntegrations);
  askAhead('connections', fetchConnections);
  askAhead(IMPORTS, fetchImports);
  askAhead('has-key', fetchHasKey);
  askAhead(NEWEST_CALLS, fetchNewestCalls);
  if (beginsWithOverview()) void import('./pages/overview/page.tsx').catch(() => undefined);
}

const root = document.getElementById('portal');
if (root === null) throw new TypeError('index.html has no #portal');
render(<App />, root);

// Accepts changed modules in development. Typed and loaded data survives, because its modules did not change.
import.meta.hot?.accept();
