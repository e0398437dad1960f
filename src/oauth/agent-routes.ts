// The connected agents of the signed-in person. reference: Portal API
import { Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { Ports } from '../ports/ports.ts';
import type { Revocation } from './agent-operations.ts';
import { agentsOf } from './agents.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & { identify: Identify };

export function createAgentRoutes({ clock, store, identify }: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.get('/api/agents', signedIn, async (c) => {
    const tokens = await store.refreshTokens.list(c.var.userId, clock.now());
    const ids = [...new Set(tokens.map(({ client_id }) => client_id))];
    const names = await Promise.all(
      ids.map(async (id) => [id, (await store.clients.get(id))?.client_name ?? null] as const),
    );
    return c.json({ agents: agentsOf(tokens, new Map(names)) });
  });

  app.delete('/api/agents/:clientId', signedIn, async (c) => {
    const revoked = await store.refreshTokens.revokeClient(c.var.userId, c.req.param('clientId'));
    return c.json({ revoked } satisfies Revocation);
  });

  return app;
}
