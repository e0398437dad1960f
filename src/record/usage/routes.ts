// Serves how much was called: to people about themselves, and to administrators about everybody. reference: Usage
import { Hono } from 'hono';
import { validQuery } from '../../kit/valid-query.ts';
import { type AdministratorNeeds, requireAdministrator } from '../../auth/administrators.ts';
import { type PortalEnv, requirePortalUser } from '../../auth/portal-user.ts';
import { type Identify, isAgentKey } from '../../kit/actor.ts';
import type { Ports } from '../../ports/ports.ts';
import { EVERYONE } from '../../ports/store.ts';
import { type AgentsUsage, EverybodysUsageQuery, type UsageAnswer, UsageQuery } from './operations.ts';
import { createReadAgentsUsage } from './read-agents.ts';
import { createReadUsage } from './read.ts';

type Needs = Pick<Ports, 'clock' | 'store'> & AdministratorNeeds & { identify: Identify };

export function createUsageRoutes(deps: Needs): Hono<PortalEnv> {
  const { identify } = deps;
  const readAgentsUsage = createReadAgentsUsage(deps);
  const readUsage = createReadUsage(deps);
  const caller = requirePortalUser(identify, { only: 'anyone' });
  const person = requirePortalUser(identify);
  const administrator = requireAdministrator(deps);
  const app = new Hono<PortalEnv>();

  app.get('/api/usage', caller, validQuery(UsageQuery), async (c) => {
    const { range = '24h', offset = 0, ...filter } = c.req.valid('query');
    const { userId, actor } = c.var;
    // A named key reads about itself alone.
    const own = isAgentKey(actor) ? { actor: actor.id } : {};
    return c.json((await readUsage({ userId, range, offset, ...filter, ...own })) satisfies UsageAnswer);
  });

  app.get('/api/usage/agents', person, async (c) =>
    c.json((await readAgentsUsage(c.var.userId)) satisfies AgentsUsage),
  );

  app.get('/api/admin/usage', person, administrator, validQuery(EverybodysUsageQuery), async (c) => {
    const { range = '24h', offset = 0, person: userId = EVERYONE } = c.req.valid('query');
    return c.json((await readUsage({ userId, range, offset })) satisfies UsageAnswer);
  });

  return app;
}
