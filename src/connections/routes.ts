// Routes that list connections and disconnect them. reference: Portal API
import { Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Connected } from './connected.ts';
import type { Ports } from '../ports/ports.ts';
import type { Registry } from '../kit/registry.ts';
import type { Vault } from './vault.ts';
import { HttpError } from '../http/errors.ts';
import { requireIntegration } from './require-integration.ts';
import { healthOf } from './health.ts';
import type { ConnectionState } from './operations.ts';
import type { Success } from '../http/operation.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & {
  connected: Connected;
  registry: Registry;
  vault: Vault;
  identify: Identify;
};

export function createConnectionRoutes({
  clock,
  connected,
  registry,
  store,
  vault,
  identify,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.get('/api/connections', signedIn, async (c) => {
    const { userId } = c.var;
    const live = await connected.all(userId, registry.integrations);
    const rows = new Map((await store.connections.list(userId)).map((row) => [row.integration, row]));
    const connections = registry.integrations.map(async (integration): Promise<ConnectionState> => {
      const { name } = integration;
      const row = rows.get(name);
      const health = row === undefined ? {} : { health: await healthOf(integration, row, { clock, vault }) };
      return { name, connected: live.has(name), ...health };
    });
    return c.json({ connections: await Promise.all(connections) });
  });

  // This deletes the stored row only. Nothing is revoked at the provider.
  app.delete('/api/connections/:integration', signedIn, async (c) => {
    const integration = requireIntegration(registry, c.req.param('integration'));
    if (integration.auth.type === 'none')
      throw new HttpError(400, { error: 'Built-in integration cannot be disconnected' });
    await store.connections.delete(c.var.userId, integration.name);
    return c.json({ success: true } satisfies Success);
  });

  return app;
}
