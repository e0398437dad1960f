// Boot: take what is secret out of the address before anything else can see it, then show the portal.
import { render } from 'preact';
import { fetchConnections, fetchIntegrations } from './api/integrations.ts';
import { fetchHasKey } from './api/keys.ts';
import { readToken } from './api/token.ts';
import { App } from './app.tsx';
import { here } from './router/location.ts';
import { takeLinkFromAddress } from './session/connect-link.ts';
import { takeTokenFromAddress } from './session/sign-in-link.ts';
import { applyTheme, readTheme } from './shell/theme.ts';
import { takeConnectedFromAddress } from './shell/toast.tsx';
import { fetchNewestCalls, NEWEST_CALLS } from './state/use-newest-calls.ts';
import { askAhead } from './state/use-resource.ts';

takeTokenFromAddress();
takeLinkFromAddress();
takeConnectedFromAddress();
applyTheme(readTheme());

// Over a slow link the first page would wait for one answer after the other.
if (readToken() !== null && here().path === '/') {
  askAhead('integrations', fetchIntegrations);
  askAhead('connections', fetchConnections);
  askAhead('has-key', fetchHasKey);
  askAhead(NEWEST_CALLS, fetchNewestCalls);
}

const root = document.getElementById('portal');
if (root === null) throw new TypeError('index.html has no #portal');
render(<App />, root);

// In development a changed module comes by here; what has been typed and loaded lies in those that did not change.
import.meta.hot?.accept();
