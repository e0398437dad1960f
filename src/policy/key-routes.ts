// Serves the named keys of the signed-in person. reference: Named keys; decision: 038
import { type Context, Hono } from 'hono';
import type { AgentKeys, NewAgentKey } from '../auth/agent-keys.ts';
import { agentKeyActorId, type Identify, SESSION } from '../kit/actor.ts';
import { loadUser, type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { AGENT_KEYS_PER_PERSON } from '../auth/limits.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import { parseLimits } from '../kit/limits.ts';
import type { Registries } from '../kit/registries.ts';
import type { AgentKey } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';
import { KeyForm, type KeyList, type NewKey, type ShownKey } from './key-operations.ts';
import { isId } from '../http/id.ts';
import { PauseForm } from './model/pause-form.ts';
import type { RecordPause } from './model/record-pause.ts';
import { requireEffective, requireKnown } from './model/ending-limits.ts';
import { readForm } from '../kit/read-form.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & {
  agentKeys: AgentKeys;
  identify: Identify;
  recordPause: RecordPause;
  registries: Registries;
};

export function createKeyRoutes(deps: Needs): Hono<PortalEnv> {
  const { agentKeys, clock, identify, recordPause, registries } = deps;
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const app = new Hono<PortalEnv>();

  function requireId(c: Context<PortalEnv>): string {
    const id = c.req.param('id') ?? '';
    if (!isId(id)) throw noSuchKey();
    return id;
  }

  async function readKey(c: Context<PortalEnv>, userId: string): Promise<NewAgentKey> {
    const { name, expiresAt = null, ...limits } = await readForm(c, KeyForm);
    const registry = await registries.of(userId);
    requireEffective(limits, expiresAt, { now: clock.now(), registry });
    requireKnown(limits, registry);
    return { name, limits, expiresAt };
  }

  app.get('/api/agent-keys', requirePortalUser(identify), async (c) => {
    const keys = await agentKeys.list(c.var.userId);
    return c.json({ keys: keys.map(show) } satisfies KeyList);
  });

  app.post('/api/agent-keys', signedIn, async (c) => {
    const { id } = await loadUser(c, deps);
    const made = await agentKeys.mint(id, await readKey(c, id));
    if (made === null)
      throw new HttpError(409, { error: `You have ${AGENT_KEYS_PER_PERSON} keys. Delete one first` });
    return c.json({ ...show(made.record), key: made.key } satisfies NewKey, 201);
  });

  app.patch('/api/agent-keys/:id', signedIn, async (c) => {
    const { userId } = c.var;
    const id = requireId(c);
    const changed = await agentKeys.change(userId, id, await readKey(c, userId));
    if (changed === null) throw noSuchKey();
    return c.json(show(changed) satisfies ShownKey);
  });

  app.put('/api/agent-keys/:id/paused', signedIn, async (c) => {
    const { userId } = c.var;
    const id = requireId(c);
    const { paused: isPaused } = await readForm(c, PauseForm);
    const changed = await agentKeys.pause(userId, id, isPaused);
    if (changed === null) throw noSuchKey();
    await recordPause({
      userId,
      actor: SESSION,
      agent: agentKeyActorId(id),
      isPaused,
      requestId: c.get('requestId'),
    });
    return c.json(show(changed) satisfies ShownKey);
  });

  app.delete('/api/agent-keys/:id', signedIn, async (c) => {
    if (!(await agentKeys.remove(c.var.userId, requireId(c)))) throw noSuchKey();
    return c.json({ success: true } satisfies Success);
  });

  return app;
}

const noSuchKey = () => new HttpError(404, { error: 'You have no such key' });

function show({ id, name, limits, expires_at, created_at, last_used_at, paused_at }: AgentKey): ShownKey {
  return {
    id,
    name,
    ...parseLimits(limits),
    ...(expires_at === null ? {} : { expiresAt: expires_at }),
    createdAt: created_at,
    lastUsedAt: last_used_at,
    ...(paused_at === null ? {} : { pausedAt: paused_at }),
  };
}
