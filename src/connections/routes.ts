// What is connected, and disconnecting. spec: Integrations, connections, agents
import { Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Deps } from '../deps.ts';
import { HttpError } from '../errors.ts';

type Needs = Pick<Deps, 'connected' | 'registry' | 'store'> & { identify: Identify };

export function createConnectionRoutes({ connected, registry, store, identify }: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.get('/api/connections', signedIn, async (c) => {
    const live = await connected.all(c.var.userId, registry.integrations);
    return c.json({
      connections: registry.integrations.map(({ name }) => ({ name, connected: live.has(name) })),
    });
  });

  // Deletes the local row only; nothing is revoked at the provider.
  app.delete('/api/connections/:integration', signedIn, async (c) => {
    const integration = registry.integration(c.req.param('integration'));
    if (integration === null) throw new HttpError(404, { error: 'Integration not found' });
    if (integration.authType === 'none')
      throw new HttpError(400, { error: 'Built-in integration cannot be disconnected' });
    await store.connections.delete(c.var.userId, integration.name);
    return c.json({ success: true });
  });

  return app;
}
