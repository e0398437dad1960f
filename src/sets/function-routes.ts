// Serves the functions of a set for the APIs of models, to every credential that runs tools. reference: Sets for other programs
import { Hono } from 'hono';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { HttpError } from '../http/errors.ts';
import type { Identify } from '../kit/actor.ts';
import { SET_NAME } from '../kit/set-address.ts';
import { describeIssues } from '../kit/validation.ts';
import { functionsFor } from './functions/functions.ts';
import type { Has, ToolSets } from './model/tool-sets.ts';
import { FunctionQuery, type SetFunctions } from './operations.ts';

type Needs = {
  identify: Identify;
  toolSets: ToolSets;
  /** What the caller may use. */
  visibility: { of(caller: PortalEnv['Variables']): Promise<Has> };
};

export function createFunctionRoutes({ identify, toolSets, visibility }: Needs): Hono<PortalEnv> {
  const app = new Hono<PortalEnv>();
  app.get('/api/sets/:name/functions', requirePortalUser(identify, { only: 'anyone' }), async (c) => {
    const name = c.req.param('name');
    const query = FunctionQuery.safeParse(c.req.query());
    if (!query.success) throw new HttpError(400, { error: describeIssues(query.error) });
    const set = SET_NAME.test(name) ? await toolSets.find(c.var.userId, name) : null;
    if (set === null) throw new HttpError(404, { error: 'There is no set of this name' });
    const tools = toolSets.toolsOf(set, await visibility.of(c.var));
    return c.json(functionsFor(query.data.for, tools) satisfies SetFunctions);
  });
  return app;
}
