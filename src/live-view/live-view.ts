// The live view as one sub-app: where a browser can run it is built here, elsewhere it is forwarded. design: The house
import { Hono } from 'hono';
import { createIdentify } from '../auth/caller.ts';
import type { PortalEnv } from '../auth/portal-user.ts';
import type { Deps } from '../deps.ts';
import type { Browser } from '../ports/browser.ts';
import { createBridgeRoutes } from './bridge-routes.ts';
import { createBrowserSessionRoutes } from './browser-session-routes.ts';
import { createChannels } from './channels.ts';

export interface LiveView {
  routes: Hono<PortalEnv>;
  /** Every stream gets its `closed`. */
  close(): void;
}

export function createLiveView(deps: Deps & { browser: Browser }): LiveView {
  const channels = createChannels({ ...deps, onClosed: (userId) => deps.cookieLogins.settle(userId) });
  const needs = { ...deps, channels, identify: createIdentify(deps).portal };
  const routes = new Hono<PortalEnv>();
  routes.route('/', createBridgeRoutes(needs));
  routes.route('/', createBrowserSessionRoutes(needs));
  return { routes, close: () => channels.closeAll() };
}
