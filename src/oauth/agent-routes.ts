// Serves the connected agents of the signed-in person, and what they may do. reference: Portal API; Agents
import { Hono } from 'hono';
import { clientActorId, type Identify, SESSION } from '../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import type { Registries } from '../kit/registries.ts';
import { EndingLimits, requireEffective } from '../policy/model/ending-limits.ts';
import { PauseForm } from '../policy/model/pause-form.ts';
import type { RecordPause } from '../policy/model/record-pause.ts';
import { readForm } from '../kit/read-form.ts';
import type { Ports } from '../ports/ports.ts';
import type { Agent, Revocation } from './agent-operations.ts';
import { agentsOf } from './agents.ts';
import type { Grants } from './grants.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & {
  grants: Grants;
  identify: Identify;
  recordPause: RecordPause;
  registries: Registries;
};

export function createAgentRoutes({
  clock,
  grants,
  store,
  identify,
  recordPause,
  registries,
}: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const bySession = requirePortalUser(identify, { only: 'sessions' });
  const app = new Hono<PortalEnv>();

  /** `only` is the id of the wanted client. */
  async function list(userId: string, only?: string): Promise<Agent[]> {
    const [all, granted] = await Promise.all([
      store.refreshTokens.list(userId, clock.now()),
      grants.of(userId),
    ]);
    const tokens = only === undefined ? all : all.filter(({ client_id }) => client_id === only);
    const ids = [...new Set(tokens.map(({ client_id }) => client_id))];
    const names = await Promise.all(
      ids.map(async (id) => [id, (await store.clients.get(id))?.client_name ?? null] as const),
    );
    return agentsOf(tokens, new Map(names), granted);
  }

  async function requireAgent(userId: string, clientId: string): Promise<Agent> {
    const [agent] = await list(userId, clientId);
    if (agent === undefined)
      throw new HttpError(404, { error: 'No agent with this id is signed in as you. It may have ended.' });
    return agent;
  }

  app.get('/api/agents', signedIn, async (c) => c.json({ agents: await list(c.var.userId) }));

  app.patch('/api/agents/:clientId', bySession, async (c) => {
    const { userId } = c.var;
    const clientId = c.req.param('clientId');
    const { expiresAt = null, ...limits } = await readForm(c, EndingLimits);
    requireEffective(limits, expiresAt, { now: clock.now(), registry: await registries.of(userId) });
    await requireAgent(userId, clientId);
    await grants.put(userId, clientId, limits, expiresAt);
    return c.json((await requireAgent(userId, clientId)) satisfies Agent);
  });

  app.put('/api/agents/:clientId/paused', bySession, async (c) => {
    const { userId } = c.var;
    const clientId = c.req.param('clientId');
    const { paused: isPaused } = await readForm(c, PauseForm);
    await requireAgent(userId, clientId);
    await grants.pause(userId, clientId, isPaused);
    await recordPause({
      userId,
      actor: SESSION,
      agent: clientActorId(clientId),
      isPaused,
      requestId: c.get('requestId'),
    });
    return c.json((await requireAgent(userId, clientId)) satisfies Agent);
  });

  app.delete('/api/agents/:clientId', signedIn, async (c) => {
    const { userId } = c.var;
    const revoked = await store.refreshTokens.revokeClient(userId, c.req.param('clientId'), clock.now());
    return c.json({ revoked } satisfies Revocation);
  });

  return app;
}
