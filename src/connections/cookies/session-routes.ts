// Routes that export and import a cookie session as JSON, to move it between machines. reference: Cookie sessions
import { Hono } from 'hono';
import type { Identify } from '../../kit/actor.ts';
import type { RequireEveryCall } from '../../kit/require-every-call.ts';
import { type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import type { ReadLargeBody } from '../../http/request-body.ts';
import type { Checks } from '../model/checks.ts';
import type { Connected } from '../model/connected.ts';
import type { Egress } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Registry } from '../../kit/registry.ts';
import type { Vault } from '../model/vault.ts';
import { describe, HttpError } from '../../http/errors.ts';
import { defaultOf, labelsOf } from '../model/accounts.ts';
import { meantAccounts } from '../model/meant-accounts.ts';
import { configAt, INSTANCE, instanceIn, readConfigOf } from '../model/config.ts';
import type { Integration } from '../../kit/integration.ts';
import { requireAuth } from '../model/require-integration.ts';
import { accountRequired, profileOf, readAccount } from './sign-in-account.ts';
import { findStoredSession } from './stored-session.ts';
import { dropSignIn, keepOwnCookies } from './sign-in-hosts.ts';
import { EVERYONE } from '../../ports/store.ts';
import { createRequireOwner, type MayConnectForTeam } from '../model/team.ts';
import { howToName, mustBeNamed } from '../model/wanted-account.ts';
import { readSession } from './cookie-import.ts';
import { isLive, parseSession } from '../model/cookies.ts';
import type { CapturedCookies, ExportedSession } from './operations.ts';
import { readSessionInstance } from './session-instance.ts';

type Needs = Pick<Ports, 'browser' | 'clock' | 'config' | 'log' | 'store'> & {
  checks: Checks;
  connected: Connected;
  egress: Egress;
  mayConnectForTeam: MayConnectForTeam;
  readLargeBody: ReadLargeBody;
  registry: Registry;
  requireEveryCall: RequireEveryCall;
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
  mayConnectForTeam,
  readLargeBody,
  registry,
  requireEveryCall,
  store,
  vault,
  identify,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const requireOwner = createRequireOwner(mayConnectForTeam);

  /** Whether the account serves tools now. Without a label, whether any account of the integration does. */
  async function works(
    userId: string,
    integration: Integration,
    account: string | undefined,
  ): Promise<boolean> {
    if (account === undefined) return connected.one(userId, integration);
    return (await connected.find(userId, integration, { account, access: 'read' })).kind === 'connected';
  }

  const app = new Hono<PortalEnv>();

  app.get('/api/integrations/:integration/session/export', signedIn, async (c) => {
    const { integration, auth } = requireAuth(registry.integration(c.req.param('integration')), 'cookie');
    await requireEveryCall(c.var, [integration]);
    const rows = await store.connections.of(c.var.userId, integration.name);
    const connection = defaultOf(meantAccounts(integration, rows, c.req.query('account')));
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
    const body = await readLargeBody(c, c.var.userId, parseImport);
    const { session, instanceUrl: given } = body;
    const label = readAccount(body.account);
    const owner = await requireOwner(c.var, integration, body);
    const read = readSession(session, clock.now());
    if (!read.ok) throw new HttpError(400, { error: read.message });
    const seen = await store.connections.of(owner, integration.name);
    const named = label === undefined ? undefined : seen[labelsOf(seen).indexOf(label)];
    const former = named ?? defaultOf(seen);
    const instance = await readSessionInstance(egress, integration, { ...read, given, former });
    if (!instance.ok) throw new HttpError(400, { error: instance.message });
    const bundle = keepOwnCookies(read.bundle, { block: auth, instanceUrl: instance.instanceUrl }, config);
    if (bundle.cookies.length === 0)
      throw new HttpError(400, { error: `None of these cookies belongs to ${integration.displayName}` });
    // An expired session must not replace one that works.
    const isOver = !bundle.cookies.some((cookie) => isLive(cookie, clock.now()));
    if (isOver && (await works(owner, integration, label)))
      throw new HttpError(400, {
        error: `The cookies of this session have all expired. Sign in to ${integration.displayName} again, and export the session again.`,
      });
    const checked = await checks.beforeSession(owner, integration, bundle, instance.instanceUrl);
    if (!checked.ok)
      throw new HttpError(400, {
        error: `${integration.displayName} does not accept this session. ${checked.reason}.`,
      });
    if (label === undefined && owner !== EVERYONE && mustBeNamed(seen, checked.state))
      throw seen.length > 1
        ? accountRequired(integration, seen)
        : new HttpError(409, { error: howToName(integration, seen) });
    const cookies = JSON.stringify(checked.bundle);
    const stored = {
      cookies,
      config: configAt(instance.instanceUrl),
      way: 'cookie' as const,
      state: checked.state,
    };
    const done = { success: true, cookieCount: bundle.cookies.length } satisfies CapturedCookies;
    if (owner === EVERYONE) {
      await vault.saveForTeam(c.var.userId, integration.name, stored, seen);
      return c.json(done);
    }
    await vault.replace(seen, owner, integration.name, { ...stored, account: label });
    // A running browser of the account gets the cookies too. The session stays stored when the browser refuses them.
    try {
      const running = browser?.current(c.var.userId) ?? null;
      const row = running && (await findStoredSession({ store, vault }, owner, integration.name, cookies));
      if (row && profileOf(row) === running?.profile) await running.setCookies(bundle.cookies);
    } catch (error) {
      log.write('warn', 'the browser did not accept the session', {
        integration: integration.name,
        ...describe(error),
      });
    }
    return c.json(done);
  });

  return app;
}

interface GivenImport {
  session: unknown;
  instanceUrl: string | undefined;
  /** The label of the account. */
  account: string | undefined;
  /** `team` for the session of everyone. */
  for: string | undefined;
}

/** Reads `{session, instanceUrl?, account?}`, or the session itself. */
function parseImport(text: string): GivenImport {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new HttpError(400, { error: 'The session is not valid JSON' });
  }
  if (typeof body !== 'object' || body === null || !('session' in body))
    return { session: body, instanceUrl: undefined, account: undefined, for: undefined };
  const instanceUrl = INSTANCE in body && typeof body[INSTANCE] === 'string' ? body[INSTANCE] : undefined;
  const account = 'account' in body && typeof body.account === 'string' ? body.account : undefined;
  const meant = 'for' in body ? String(body.for) : undefined;
  return { session: body.session, instanceUrl, account, for: meant };
}
