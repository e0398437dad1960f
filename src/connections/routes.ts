// Routes that list connections, check them and disconnect them. reference: Portal API
import { Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Checks } from './check.ts';
import type { Connected } from './connected.ts';
import { describeAccounts, meantAccounts } from './account-routes.ts';
import { defaultOf } from './accounts.ts';
import type { Disconnects } from './disconnect.ts';
import { type Identity, SESSION } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import type { Registry } from '../kit/registry.ts';
import type { Ports } from '../ports/ports.ts';
import type { Connection } from '../ports/records.ts';
import type { Registries } from '../kit/registries.ts';
import type { Vault } from './vault.ts';
import { HttpError } from '../http/errors.ts';
import { requireIntegration } from './require-integration.ts';
import type { ConnectionState, DisconnectAnswer } from './operations.ts';
import { describeConnection } from './state.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & {
  checks: Checks;
  connected: Connected;
  disconnects: Disconnects;
  registries: Registries;
  vault: Vault;
  identify: Identify;
  /** What a key may use. */
  visibility: { of(caller: Identity): Promise<Pick<Registry, 'integration' | 'integrations'>> };
  /** Told after a person has disconnected. */
  onDisconnected: (userId: string, integration: Integration) => Promise<void>;
};

export function createConnectionRoutes({
  checks,
  clock,
  connected,
  disconnects,
  registries,
  store,
  vault,
  identify,
  visibility,
  onDisconnected,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  async function stateOf(
    integration: Integration,
    rows: readonly Connection[],
    isConnected: boolean,
    siblings: ReadonlyMap<Connection, readonly Connection[]>,
  ): Promise<ConnectionState> {
    const { name } = integration;
    // What needs the person comes first.
    const row = rows.find(({ status }) => status === 'reconnect') ?? defaultOf(rows);
    const described = row === null ? {} : await describeConnection(integration, row, { clock, vault });
    const shared = row === null ? [] : namesOf(siblings.get(row) ?? []);
    return {
      name,
      connected: isConnected,
      ...described,
      ...(shared.length === 0 ? {} : { siblings: [...shared] }),
      ...(rows.length < 2 ? {} : { accounts: describeAccounts(rows) }),
    };
  }

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
    const connections = registry.integrations.map((integration) =>
      stateOf(integration, rows.get(integration.name) ?? [], live.has(integration.name), siblings),
    );
    return c.json({ connections: await Promise.all(connections) });
  });

  app.post('/api/connections/:integration/check', signedIn, async (c) => {
    const { userId } = c.var;
    const integration = await requireIntegration(registries, userId, c.req.param('integration'));
    const before = await store.connections.of(userId, integration.name);
    for (const row of meantAccounts(integration, before, c.req.query('account')))
      await checks.now(row, integration);
    const stored = await store.connections.list(userId);
    const rows = stored.filter((row) => row.integration === integration.name);
    if (rows.length === 0) throw new HttpError(404, { error: `${integration.displayName} is not connected` });
    const siblings = await disconnects.siblings(stored);
    return c.json(await stateOf(integration, rows, await connected.one(userId, integration), siblings));
  });

  // Without ?revoke=true this deletes the stored row only, and nothing is revoked at the provider.
  app.delete('/api/connections/:integration', signedIn, async (c) => {
    const integration = await requireIntegration(registries, c.var.userId, c.req.param('integration'));
    if (integration.auth.type === 'none')
      throw new HttpError(400, { error: 'Built-in integration cannot be disconnected' });
    const label = c.req.query('account');
    const rows = await store.connections.of(c.var.userId, integration.name);
    const meant = meantAccounts(integration, rows, label);
    if (c.req.query('revoke') === 'true') {
      const disconnected = await disconnects.revoke(
        c.var.userId,
        integration,
        label === undefined ? undefined : meant[0]?.account,
      );
      await onDisconnected(c.var.userId, integration);
      return c.json({ success: true, ...disconnected } satisfies DisconnectAnswer);
    }
    for (const { account } of meant) await store.connections.delete(c.var.userId, integration.name, account);
    await onDisconnected(c.var.userId, integration);
    return c.json({ success: true } satisfies DisconnectAnswer);
  });

  return app;
}

const namesOf = (rows: readonly Connection[]): string[] => [...new Set(rows.map((row) => row.integration))];
