// Routes that end a sign-in in the live view: they store its cookies or cancel it. reference: Connecting an integration
import { Hono } from 'hono';
import type { Identify } from '../../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import { SESSION_HEADER, type SessionKeys } from '../../auth/session-key.ts';
import type { CookieLogins } from './cookie-login.ts';
import type { Registry } from '../../kit/registry.ts';
import { HttpError } from '../../http/errors.ts';
import type { Success } from '../../http/operation.ts';
import { requireAuth } from '../model/require-integration.ts';
import type { CapturedCookies } from './operations.ts';

type Needs = { cookieLogins: CookieLogins; registry: Registry; sessionKeys: SessionKeys; identify: Identify };

export function createCookieRoutes({
  cookieLogins,
  registry,
  sessionKeys,
  identify,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.post('/api/auth/cookie/:integration/capture', signedIn, async (c) => {
    const { integration, auth } = requireAuth(registry.integration(c.req.param('integration')), 'cookie');
    await sessionKeys.check(c.var.userId, c.req.header(SESSION_HEADER));
    const account = c.req.query('account');
    const captured = await cookieLogins.capture(c.var.userId, integration, auth, account);
    if (!captured.ok) throw new HttpError(400, { error: captured.message });
    return c.json({ success: true, cookieCount: captured.cookieCount } satisfies CapturedCookies);
  });

  // The browser stays open here. Its idle timer closes it.
  app.post('/api/auth/cookie/:integration/cancel', signedIn, async (c) => {
    requireAuth(registry.integration(c.req.param('integration')), 'cookie');
    await sessionKeys.check(c.var.userId, c.req.header(SESSION_HEADER));
    cookieLogins.settle(c.var.userId);
    return c.json({ success: true } satisfies Success);
  });

  return app;
}
