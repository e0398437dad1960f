// Routes that list connections, check them and disconnect them. reference: Portal API
import { Hono } from 'hono';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Checks } from './model/checks.ts';
import type { Connected } from './model/connected.ts';
import { forgetAccount } from './cookies/sign-in-account.ts';
import { belongsTo } from './model/config.ts';
import type { TeamConnection } from '../ports/team.ts';
import { type Disconnects, outliveSecond } from './model/disconnects.ts';
import { meantAccounts } from './model/meant-accounts.ts';
import { type Identify, type Identity, SESSION } from '../kit/actor.ts';
import { type ConnectionChanged, disconnection } from '../kit/connection-change.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registry } from '../kit/registry.ts';
import type { Ports } from '../ports/ports.ts';
import { FIRST_ACCOUNT } from '../ports/records.ts';
import type { Registries } from '../kit/registries.ts';
import type { Vault } from './model/vault.ts';
import { HttpError } from '../http/errors.ts';
import { requireIntegration } from './model/require-integration.ts';
import type { ConnectionState, DisconnectAnswer } from './operations.ts';
import { showConnection } from './show-state.ts';
import { wantsRevoke } from './revoke-query.ts';

type Needs = Pick<Ports, 'browser' | 'clock' | 'store'> & {
  checks: Checks;
  connected: Connected;
  disconnects: Disconnects;
  registries: Registries;
  vault: Vault;
  identify: Identify;
  /** What a key may use. */
  visibility: { of(caller: Identity): Promise<Pick<Registry, 'integration' | 'integrations'>> };
  connectionChanged: ConnectionChanged;
};

export function createConnectionRoutes({
  browser,
  checks,
  clock,
  connected,
  disconnects,
  registries,
  store,
  vault,
  identify,
  visibility,
  connectionChanged,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.get('/api/connections', requirePortalUser(identify, { only: 'anyone' }), async (c) => {
    const { userId, actor } = c.var;
    const [all, visible] = await Promise.all([registries.of(userId), visibility.of(c.var)]);
    // A person in the portal sees all connections, a key those of the integrations that it may use.
    const registry = actor.id === SESSION.id ? all : visible;
    const live = await connected.all(userId, registry.integrations);
    const stored = await store.connections.list(userId);
    const list =
      registry === all ? stored : stored.filter((row) => registry.integration(row.integration) !== null);
    const rows = Map.groupBy(list, (row) => row.integration);
    const siblings = await disconnects.siblings(list);
    const { team } = await store.team.reachable(userId);
    const connections = registry.integrations.map((integration) => {
      const { name } = integration;
      const own = {
        rows: rows.get(name) ?? [],
        isConnected: live.has(name),
        siblings,
        team: teamOf(integration, team),
      };
      return showConnection(integration, own, { clock, vault });
    });
    return c.json({ connections: await Promise.all(connections) });
  });

  app.post('/api/connections/:integration/check', signedIn, async (c) => {
    const { userId } = c.var;
    const integration = await requireIntegration(registries, userId, c.req.param('integration'));
    const before = await store.connections.of(userId, integration.name);
    const times: number[] = [];
    for (const row of meantAccounts(integration, before, c.req.query('account'))) {
      const began = clock.millis();
      const after = await checks.now(row, integration);
      const isAnswered = after?.status === 'ok' || after?.status === 'reconnect';
      if (isAnswered && integration.probe !== undefined) times.push(clock.millis() - began);
    }
    const stored = await store.connections.list(userId);
    const rows = stored.filter((row) => row.integration === integration.name);
    if (rows.length === 0) throw new HttpError(404, { error: `${integration.displayName} is not connected` });
    const siblings = await disconnects.siblings(stored);
    const { team } = await store.team.reachable(userId);
    const isConnected = await connected.one(userId, integration);
    const own = { rows, isConnected, siblings, team: teamOf(integration, team) };
    const state = await showConnection(integration, own, { clock, vault });
    const answered = times.length === 0 ? {} : { answeredInMs: Math.round(Math.max(...times)) };
    return c.json({ ...state, ...answered } satisfies ConnectionState);
  });

  // Without ?revoke=true this deletes the stored row only, and nothing is revoked at the provider.
  app.delete('/api/connections/:integration', signedIn, async (c) => {
    const integration = await requireIntegration(registries, c.var.userId, c.req.param('integration'));
    if (integration.auth.type === 'none')
      throw new HttpError(400, { error: 'Built-in integration cannot be disconnected' });
    const ends = wantsRevoke(c);
    const label = c.req.query('account');
    const rows = await store.connections.of(c.var.userId, integration.name);
    const meant = meantAccounts(integration, rows, label);
    const only = label === undefined ? undefined : meant[0]?.account;
    if (ends) {
      const disconnected = await disconnects.revoke(c.var.userId, integration, only);
      await connectionChanged(disconnection(c.var.userId, integration, only));
      return c.json({ success: true, ...disconnected } satisfies DisconnectAnswer);
    }
    await outliveSecond(clock, meant);
    for (const row of meant) {
      // The first account's profile also belongs to other integrations, and keeps its cookies.
      if (row.account !== FIRST_ACCOUNT) await forgetAccount(browser, row, integration);
      await store.connections.delete(c.var.userId, integration.name, row.account);
    }
    await connectionChanged(disconnection(c.var.userId, integration, only));
    return c.json({ success: true } satisfies DisconnectAnswer);
  });

  return app;
}

const teamOf = (integration: Integration, team: readonly TeamConnection[]): TeamConnection | undefined =>
  team.find(
    ({ connection }) => connection.integration === integration.name && belongsTo(connection, integration),
  );
