// Routes that redeem a connect link. The session and the link must belong to the same person. reference: Connect links
import { type Context, Hono } from 'hono';
import { personOf } from '../auth/caller.ts';
import type { Identify, Identity } from '../kit/actor.ts';
import type { UnderWayEnv } from '../auth/under-way.ts';
import { SESSION_HEADER, type SessionKeys } from '../auth/session-key.ts';
import type { OAuthFlows } from './oauth/oauth-flows.ts';
import { bindsFlows } from './oauth/returned-flow.ts';
import type { Ports } from '../ports/ports.ts';
import { listCookieIntegrations } from './cookies/cookie-integrations.ts';
import type { Registries } from '../kit/registries.ts';
import type { RequireEveryCall } from '../kit/require-every-call.ts';
import { readJsonBody } from '../http/request-body.ts';
import { ErrorCode } from '../http/error-codes.ts';
import { errorBody, HttpError } from '../http/errors.ts';
import { CAPTURE_TOLERANCE_SECONDS } from './model/limits.ts';
import type { CookieLogins } from './cookies/cookie-login.ts';
import type { CapturedCookies, LoginRequired } from './cookies/operations.ts';
import { createFlowCookie } from './model/flow-cookie.ts';
import { requireAuth, requireIntegration } from './model/require-integration.ts';
import { BROWSER, type ConnectLink, type ConnectLinks } from './model/links.ts';
import { Redeem, type Redeemed } from './operations.ts';

type Needs = Pick<Ports, 'config' | 'random'> & {
  cookieLogins: CookieLogins;
  links: ConnectLinks;
  oauthFlows: OAuthFlows;
  registries: Registries;
  requireEveryCall: RequireEveryCall;
  sessionKeys: SessionKeys;
  identify: Identify;
};

export function createLinkRoutes({
  config,
  cookieLogins,
  links,
  oauthFlows,
  random,
  registries,
  requireEveryCall,
  sessionKeys,
  identify,
}: Needs): Hono<UnderWayEnv> {
  const cookie = createFlowCookie({ config, random });

  // The checks run in the specification's order. A link is used up only after all of them have passed.
  async function requireLink(
    c: Context<UnderWayEnv>,
    token: string,
    toleranceSeconds?: number,
  ): Promise<{ link: ConnectLink; caller: Identity }> {
    const caller = await identify(c.req.raw.headers);
    const userId = personOf(caller);
    if (caller === null || userId === null)
      throw refuse(401, ErrorCode.AUTH_REQUIRED, 'Sign in to the portal first.');
    c.var.underWay?.enter(userId);
    const link = await links.read(token, toleranceSeconds);
    if (link === null)
      throw refuse(401, ErrorCode.LINK_INVALID, 'This link is not valid or has expired. Ask for a new one.');
    if (link.userId !== userId)
      throw refuse(403, ErrorCode.ACCOUNT_MISMATCH, 'This link was made for another user of the gateway.');
    return { link, caller };
  }

  async function consume(link: ConnectLink): Promise<{ startUrl: string | null }> {
    const made = await links.consume(link);
    if (made === null)
      throw refuse(410, ErrorCode.LINK_CONSUMED, 'This link has been used already. Ask for a new one.');
    return made;
  }

  const app = new Hono<UnderWayEnv>();
  app.post('/api/connect/redeem', async (c) => {
    const body = Redeem.safeParse(await readJsonBody(c));
    const { token, instanceUrl } = body.data ?? { token: '', instanceUrl: undefined };
    const { link, caller } = await requireLink(c, token);
    await sessionKeys.check(link.userId, c.req.header(SESSION_HEADER));
    if (link.integration === BROWSER) {
      await requireEveryCall(caller, listCookieIntegrations(registries.builtIn));
      await cookieLogins.warm(link.userId);
      return c.json(addSessionId(await cookieLogins.beginPlain(link.userId, (await consume(link)).startUrl)));
    }
    const integration = await requireIntegration(registries, link.userId, link.integration);
    const { auth } = integration;
    if (auth.type === 'cookie') {
      await requireEveryCall(caller, listCookieIntegrations(registries.builtIn));
      const login = await cookieLogins.prepare(link.userId, integration, auth, instanceUrl, link.account);
      if (!login.ok) throw new HttpError(400, { error: login.message });
      // The browser starts first: a failed start must not use up the link.
      await cookieLogins.warm(link.userId, login);
      await consume(link);
      return c.json(addSessionId(await cookieLogins.begin(link.userId, login)));
    }
    if (auth.type !== 'oauth2')
      throw new HttpError(404, { error: `${integration.displayName} is not connected this way` });
    const wish = { instanceUrl, account: link.account };
    const possible = await oauthFlows.check(link.userId, integration, auth, wish);
    if (!possible.ok) throw new HttpError(possible.status, { error: possible.message });
    await consume(link);
    const binding = bindsFlows(config) ? cookie.bind(c) : null;
    const started = await oauthFlows.start(link.userId, integration, auth, wish, binding);
    if (!started.ok) throw new HttpError(started.status, { error: started.message });
    return c.json({ type: 'oauth2', url: started.url } satisfies Redeemed);
  });

  // The link is used up by now, but still names the person and the integration. Signing in may take longer than it lives.
  app.post('/api/connect/capture', async (c) => {
    const body = Redeem.safeParse(await readJsonBody(c));
    const { token = '' } = body.data ?? {};
    const { link } = await requireLink(c, token, CAPTURE_TOLERANCE_SECONDS);
    await sessionKeys.check(link.userId, c.req.header(SESSION_HEADER));
    const found = await registries.integration(link.userId, link.integration);
    const { integration, auth } = requireAuth(found, 'cookie');
    const captured = await cookieLogins.capture(link.userId, integration, auth, link.account);
    if (!captured.ok) throw new HttpError(400, { error: captured.message });
    return c.json({ success: true, cookieCount: captured.cookieCount } satisfies CapturedCookies);
  });
  return app;
}

function addSessionId(login: LoginRequired): Redeemed {
  return { ...login, sessionId: login.cdpToken };
}

function refuse(status: 401 | 403 | 410, code: ErrorCode, message: string): HttpError {
  return new HttpError(status, errorBody(code, message));
}
