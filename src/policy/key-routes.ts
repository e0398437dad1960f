// Serves the named keys of the signed-in person. reference: Named keys; decision: 038
import { Hono } from 'hono';
import type { AgentKeys } from '../auth/agent-keys.ts';
import type { Identify } from '../kit/actor.ts';
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
import { requireEffective, requireKnown } from './model/ending-limits.ts';
import { readForm } from '../kit/read-form.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & {
  agentKeys: AgentKeys;
  identify: Identify;
  registries: Registries;
};

export function createKeyRoutes(deps: Needs): Hono<PortalEnv> {
  const { agentKeys, clock, identify, registries } = deps;
  const signedIn = requirePortalUser(identify, { only: 'sessions' });
  const app = new Hono<PortalEnv>();

  app.get('/api/agent-keys', requirePortalUser(identify), async (c) => {
    const keys = await agentKeys.list(c.var.userId);
    return c.json({ keys: keys.map(show) } satisfies KeyList);
  });

  app.post('/api/agent-keys', signedIn, async (c) => {
    const { id } = await loadUser(c, deps);
    const { name, expiresAt = null, ...limits } = await readForm(c, KeyForm);
    const registry = await registries.of(id);
    requireEffective(limits, expiresAt, { now: clock.now(), registry });
    requireKnown(limits, registry);
    const made = await agentKeys.mint(id, { name, limits, expiresAt });
    if (made === null)
      throw new HttpError(409, { error: `You have ${AGENT_KEYS_PER_PERSON} keys. Delete one first` });
    return c.json({ ...show(made.record), key: made.key } satisfies NewKey, 201);
  });

  app.delete('/api/agent-keys/:id', signedIn, async (c) => {
    const id = c.req.param('id');
    if (!isId(id) || !(await agentKeys.remove(c.var.userId, id)))
      throw new HttpError(404, { error: 'You have no such key' });
    return c.json({ success: true } satisfies Success);
  });

  return app;
}

function show({ id, name, limits, expires_at, created_at, last_used_at }: AgentKey): ShownKey {
  return {
    id,
    name,
    ...parseLimits(limits),
    ...(expires_at === null ? {} : { expiresAt: expires_at }),
    createdAt: created_at,
    lastUsedAt: last_used_at,
  };
}
