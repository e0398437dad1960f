// The routes attach, events, commands and detach under two prefixes. reference: Live view
import { type Context, Hono } from 'hono';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { badSessionKey, SESSION_HEADER, type SessionKeys } from '../auth/session-key.ts';
import type { Identify } from '../kit/actor.ts';
import { listCookieIntegrations } from '../connections/cookies/cookie-integrations.ts';
import type { CookieLogins } from '../connections/cookies/cookie-login.ts';
import type { ReadLargeBody } from '../http/request-body.ts';
import type { Ports } from '../ports/ports.ts';
import type { Registry } from '../kit/registry.ts';
import type { RequireEveryCall } from '../kit/require-every-call.ts';
import { ErrorCode, ErrorText } from '../http/error-codes.ts';
import { errorBody, HttpError } from '../http/errors.ts';
import { LIVE_VIEW_BATCH, LIVE_VIEW_KEEPALIVE_MS } from './limits.ts';
import type { Browser } from '../ports/browser.ts';
import { readBatch } from './batch.ts';
import type { Channels } from './channels.ts';
import { createRequireOrigin } from './origin.ts';

const PREFIXES = ['/api/auth/cookie/:integration/cdp', '/api/browser-session/cdp'];

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  // Proxies must neither cache nor buffer the stream.
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

type Needs = Pick<Ports, 'config'> & {
  cookieLogins: CookieLogins;
  readLargeBody: ReadLargeBody;
  registry: Registry;
  requireEveryCall: RequireEveryCall;
  sessionKeys: SessionKeys;
  browser: Browser;
  channels: Channels;
  identify: Identify;
};

export function createBridgeRoutes({
  browser,
  channels,
  config,
  cookieLogins,
  identify,
  readLargeBody,
  registry,
  requireEveryCall,
  sessionKeys,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const requireOrigin = createRequireOrigin(config);

  // Checks in the documented order: the person, the origin, the channel. Nothing changes before all three
  // pass.
  function admit(c: Context<PortalEnv>, mayLackOrigin = false): string {
    requireOrigin(c.req.header('origin'), mayLackOrigin);
    const name = c.req.param('integration');
    if (name !== undefined && registry.integration(name)?.auth.type !== 'cookie')
      throw new HttpError(404, { error: ErrorText.INTEGRATION_NOT_FOUND });
    return c.var.userId;
  }

  /** A browser has the sessions of all sites that its person has signed in to, whatever the sign-in that it shows. */
  const requireBrowser = (c: Context<PortalEnv>): Promise<void> =>
    requireEveryCall(c.var, listCookieIntegrations(registry));

  async function admitToChannel(c: Context<PortalEnv>, mayLackOrigin = false): Promise<string> {
    const userId = admit(c, mayLackOrigin);
    await requireBrowser(c);
    await sessionKeys.require(userId, c.req.header(SESSION_HEADER));
    if (!channels.isOpen(userId)) throw notAttached();
    return userId;
  }

  const resume = (c: Context<PortalEnv>, userId: string) =>
    cookieLogins.resume(userId, c.req.param('integration'), c.req.query('account'));

  const app = new Hono<PortalEnv>();
  for (const base of PREFIXES) {
    app.post(`${base}/attach`, signedIn, async (c) => {
      const userId = admit(c);
      await requireBrowser(c);
      channels.attach(userId);
      return c.json(
        {
          sessionKey: sessionKeys.of(userId),
          header: SESSION_HEADER,
          keepAliveMs: LIVE_VIEW_KEEPALIVE_MS,
          maxBatch: LIVE_VIEW_BATCH,
        },
        201,
      );
    });

    app.get(`${base}/events`, signedIn, async (c) => {
      const body = channels.stream(await admitToChannel(c, true));
      if (body === null) throw notAttached();
      return c.body(body, 200, STREAM_HEADERS);
    });

    app.post(`${base}/commands`, signedIn, async (c) => {
      const userId = await admitToChannel(c);
      const batch = await readLargeBody(c, userId, readBatch);
      if (!batch.ok) throw new HttpError(400, errorBody(ErrorCode.BAD_COMMANDS, batch.message));
      if (browser.status(userId) === 'starting')
        throw new HttpError(
          409,
          errorBody(
            ErrorCode.BROWSER_SESSION_BUSY,
            'The browser is starting. Send the same request again in a moment.',
          ),
          { 'Retry-After': '1' },
        );
      const session = await resume(c, userId);
      // The sign-in has to begin again, and the viewer learns that from its stream.
      if (session === null) {
        channels.end(userId);
        return c.json({ sent: 0 }, 202);
      }
      if (!(await channels.send(userId, session, batch.items))) throw notAttached();
      return c.json({ sent: batch.items.filter(({ kind }) => kind === 'command').length }, 202);
    });

    app.post(`${base}/detach`, signedIn, async (c) => {
      // A channel that is already closed counts as detached.
      const userId = admit(c);
      await sessionKeys.require(userId, c.req.header(SESSION_HEADER));
      channels.detach(userId);
      return c.body(null, 204);
    });
  }
  return app;
}

function notAttached(): HttpError {
  return badSessionKey('This channel is closed. Attach again.');
}
