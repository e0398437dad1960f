// Routes that export and import a cookie session as JSON, to move it between machines. reference: Cookie sessions
import { defaultOf } from '../accounts.ts';
import { Hono } from 'hono';
import type { Identify } from '../../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import type { ReadLargeBody } from '../../http/request-body.ts';
import type { Checks } from '../check.ts';
import type { Connected } from '../connected.ts';
import type { Egress } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Registry } from '../../kit/registry.ts';
import type { Vault } from '../vault.ts';
import { describe, HttpError } from '../../http/errors.ts';
import { configAt, INSTANCE, instanceIn, readConfigOf } from '../config.ts';
import { requireAuth } from '../require-integration.ts';
import { dropSignIn, keepOwnCookies } from './sign-in-hosts.ts';
import { readSession } from './cookie-import.ts';
import { isLive, parseSession } from './cookies.ts';
import type { CapturedCookies, ExportedSession } from './operations.ts';
import { readSessionInstance } from './session-instance.ts';

type Needs = Pick<Ports, 'browser' | 'clock' | 'config' | 'log' | 'store'> & {
  checks: Checks;
  connected: Connected;
  egress: Egress;
  readLargeBody: ReadLargeBody;
  registry: Registry;
  vault: Vault;
  identify: Identify;
};

export function createSessionRoutes({
  browser,
  checks,
  clock,
  config,
  connected,
  egress,
  log,
  readLargeBody,
  registry,
  store,
  vault,
  identify,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.get('/api/integrations/:integration/session/export', signedIn, async (c) => {
    const { integration, auth } = requireAuth(registry.integration(c.req.param('integration')), 'cookie');
    const connection = defaultOf(await store.connections.of(c.var.userId, integration.name));
    if (connection === null || connection.cookies === null)
      throw new HttpError(404, { error: 'There is no session to export' });
    const session = parseSession((await vault.open(connection, 'cookies')) ?? '').bundle;
    if (session === null)
      throw new HttpError(409, {
        error: `The stored session of ${integration.displayName} can no longer be opened. Reconnect it.`,
      });
    // A session of an earlier version may hold cookies of a sign-in provider.
    const instanceUrl = instanceIn(readConfigOf(connection), integration);
    const kept = dropSignIn(session, { block: auth, instanceUrl }, config);
    const exported: ExportedSession = {
      integration: integration.name,
      session: instanceUrl === null ? kept : { ...kept, instanceUrl },
    };
    return c.json(exported);
  });

  app.post('/api/integrations/:integration/session/import', signedIn, async (c) => {
    const { integration, auth } = requireAuth(registry.integration(c.req.param('integration')), 'cookie');
    const { session, instanceUrl: given } = await readLargeBody(c, c.var.userId, parseImport);
    const read = readSession(session, clock.now());
    if (!read.ok) throw new HttpError(400, { error: read.message });
    const instance = await readSessionInstance({ store, egress }, c.var.userId, integration, read, given);
    if (!instance.ok) throw new HttpError(400, { error: instance.message });
    const bundle = keepOwnCookies(read.bundle, { block: auth, instanceUrl: instance.instanceUrl }, config);
    if (bundle.cookies.length === 0)
      throw new HttpError(400, { error: `None of these cookies belongs to ${integration.displayName}` });
    const seen = await store.connections.of(c.var.userId, integration.name);
    // An expired session must not replace one that works.
    const isOver = !bundle.cookies.some((cookie) => isLive(cookie, clock.now()));
    if (isOver && (await connected.one(c.var.userId, integration)))
      throw new HttpError(400, {
        error: `The cookies of this session have all expired. Sign in to ${integration.displayName} again, and export the session again.`,
      });
    const checked = await checks.beforeSession(c.var.userId, integration, bundle, instance.instanceUrl);
    if (!checked.ok)
      throw new HttpError(400, {
        error: `${integration.displayName} does not accept this session. ${checked.reason}.`,
      });
    await vault.replace(seen, c.var.userId, integration.name, {
      cookies: JSON.stringify(checked.bundle),
      config: configAt(instance.instanceUrl),
      way: 'cookie',
      standing: checked.standing,
    });
    // A running browser gets the cookies too. The session stays stored when the browser refuses them.
    try {
      await browser?.current(c.var.userId)?.setCookies(bundle.cookies);
    } catch (error) {
      log.write('warn', 'the browser did not accept the session', {
        integration: integration.name,
        ...describe(error),
      });
    }
    return c.json({ success: true, cookieCount: bundle.cookies.length } satisfies CapturedCookies);
  });

  return app;
}

/** Reads `{session, instanceUrl?}`, or the session itself. */
function parseImport(text: string): { session: unknown; instanceUrl: string | undefined } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new HttpError(400, { error: 'The session is not valid JSON' });
  }
  if (typeof body !== 'object' || body === null || !('session' in body))
    return { session: body, instanceUrl: undefined };
  const instanceUrl = INSTANCE in body && typeof body[INSTANCE] === 'string' ? body[INSTANCE] : undefined;
  return { session: body.session, instanceUrl };
}
