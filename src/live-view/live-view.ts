// The live view as one sub-app: built here where a browser can run, forwarded elsewhere. reference: Runtimes; decision: 001
import { Hono } from 'hono';
import type { AgentKeys } from '../auth/agent-keys.ts';
import type { AccessTokens } from '../auth/access-token.ts';
import type { Endings } from '../auth/endings.ts';
import type { RunningWork } from '../auth/running-work.ts';
import type { ApiKeys } from '../auth/api-keys.ts';
import { createIdentify } from '../auth/caller.ts';
import type { PortalEnv } from '../auth/portal-user.ts';
import type { ServiceKeyAuth } from '../auth/service-keys.ts';
import type { SessionKeys } from '../auth/session-key.ts';
import type { Sessions } from '../auth/session.ts';
import type { CookieLogins } from '../connections/cookies/cookie-login.ts';
import type { ConnectLinks } from '../connections/model/links.ts';
import type { Registry } from '../kit/registry.ts';
import type { RequireEveryCall } from '../kit/require-every-call.ts';
import type { ReadLargeBody } from '../http/request-body.ts';
import type { Browser } from '../ports/browser.ts';
import type { Ports } from '../ports/ports.ts';
import { createBridgeRoutes } from './bridge-routes.ts';
import { createBrowserSessionRoutes } from './browser-session-routes.ts';
import { createChannels } from './channels.ts';

export interface LiveView {
  routes: Hono<PortalEnv>;
  /** Sends `closed` on every stream. */
  close(): void;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'log'> & {
  accessTokens: AccessTokens;
  agentKeys: AgentKeys;
  apiKeys: ApiKeys;
  browser: Browser;
  cookieLogins: CookieLogins;
  endings: Endings;
  links: ConnectLinks;
  readLargeBody: ReadLargeBody;
  registry: Registry;
  requireEveryCall: RequireEveryCall;
  runningWork: RunningWork;
  serviceKeyAuth: ServiceKeyAuth;
  sessionKeys: SessionKeys;
  sessions: Sessions;
};

export function createLiveView(deps: Needs): LiveView {
  const channels = createChannels({ ...deps, onClosed: (userId) => deps.cookieLogins.settle(userId) });
  const needs = { ...deps, channels, identify: createIdentify(deps).portal };
  const routes = new Hono<PortalEnv>();
  routes.route('/', createBridgeRoutes(needs));
  routes.route('/', createBrowserSessionRoutes(needs));
  return { routes, close: () => channels.closeAll() };
}
