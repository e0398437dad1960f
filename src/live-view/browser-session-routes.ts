// Routes for a person's whole browser: a link to it, and a reset that erases everything in it. reference: Browser sessions
import { Hono } from 'hono';
import type { Identify } from '../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { SESSION_HEADER, type SessionKeys } from '../auth/session-key.ts';
import { readJsonBody } from '../http/request-body.ts';
import type { ConnectLinks } from '../connections/model/links.ts';
import type { CookieLogins } from '../connections/cookies/cookie-login.ts';
import type { Ports } from '../ports/ports.ts';
import { describe, HttpError } from '../http/errors.ts';
import type { Browser } from '../ports/browser.ts';
import type { Success } from '../http/operation.ts';
import { type BrowserLink, LiveUrl } from './browser-session-operations.ts';
import type { Channels } from './channels.ts';

type Needs = Pick<Ports, 'log'> & {
  cookieLogins: CookieLogins;
  links: ConnectLinks;
  sessionKeys: SessionKeys;
  browser: Browser;
  channels: Channels;
  identify: Identify;
};

export function createBrowserSessionRoutes(needs: Needs): Hono<PortalEnv> {
  const { browser, channels, cookieLogins, links, log, sessionKeys, identify } = needs;
  const signedIn = requirePortalUser(identify);

  /** Refuses while somebody watches the browser or is about to. An idle browser is not in use. */
  function requireIdle(userId: string): void {
    if (browser.status(userId) === 'starting' || channels.isOpen(userId) || cookieLogins.isUnderWay(userId))
      throw new HttpError(409, { error: 'The browser is in use. Close the live view first.' });
  }

  const app = new Hono<PortalEnv>();

  app.post('/api/browser-session/reset', signedIn, async (c) => {
    await sessionKeys.check(c.var.userId, c.req.header(SESSION_HEADER));
    requireIdle(c.var.userId);
    try {
      await browser.reset(c.var.userId);
    } catch (error) {
      log.write('error', 'browser reset failed', describe(error));
      throw new HttpError(400, { error: 'The browser could not be wiped. Try again.' });
    }
    return c.json({ success: true } satisfies Success);
  });

  app.post('/api/browser-session/live-url', signedIn, async (c) => {
    const body = LiveUrl.safeParse((await readJsonBody(c)) ?? {});
    if (!body.success) throw new HttpError(400, { error: 'url must be an http or https address' });
    requireIdle(c.var.userId);
    const url = await links.createForBrowser(c.var.userId, body.data.url ?? null);
    return c.json({ url } satisfies BrowserLink);
  });

  return app;
}
