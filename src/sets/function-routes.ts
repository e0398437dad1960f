// Serves the functions of a set for the APIs of models, to every credential that runs tools. reference: Sets for other programs
import { Hono } from 'hono';
import { createChallenge, refuseStranger } from '../auth/challenge.ts';
import { HttpError } from '../http/errors.ts';
import type { Identify, Identity } from '../kit/actor.ts';
import { NO_SET } from '../kit/set-address.ts';
import { describeIssues } from '../kit/validation.ts';
import { functionsFor } from './functions/functions.ts';
import type { Ports } from '../ports/ports.ts';
import type { Has, ToolSets } from './model/tool-sets.ts';
import { FunctionQuery, type SetFunctions } from './operations.ts';

type Needs = Pick<Ports, 'config' | 'texts'> & {
  identify: Identify;
  toolSets: ToolSets;
  /** What the caller may use. */
  visibility: { of(caller: Identity): Promise<Has> };
};

export function createFunctionRoutes({ config, identify, texts, toolSets, visibility }: Needs): Hono {
  const challenge = createChallenge(config.SERVER_PUBLIC_URL);
  const app = new Hono();
  app.get('/api/sets/:name/functions', async (c) => {
    const caller = await identify(c.req.raw.headers);
    if (caller === null) throw refuseStranger(challenge);
    const name = c.req.param('name');
    const query = FunctionQuery.safeParse(c.req.query());
    if (!query.success) throw new HttpError(400, { error: describeIssues(query.error) });
    const set = await toolSets.find(caller.userId, name);
    if (set === null) throw new HttpError(404, { error: NO_SET });
    const tools = toolSets.toolsOf(set, await visibility.of(caller));
    await texts.all();
    return c.json(functionsFor(query.data.for, tools) satisfies SetFunctions);
  });
  return app;
}
