// Serves /api/jots: the jots of the signed-in person, for the portal. reference: Portal API; decision: 054
import { Hono } from 'hono';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { ReadLargeBody } from '../http/request-body.ts';
import type { Jots } from './jots.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import { parseJson } from '../json/json.ts';
import { describeIssues } from '../kit/validation.ts';
import type { RequireTool } from '../kit/require-tool.ts';
import { type JotAnswer, JotChange, type JotList } from './api-operations.ts';
import { JotRefused } from './jot-refused.ts';
import { toHttpError } from './routes.ts';

export function createJotApiRoutes({
  jots,
  readLargeBody,
  identify,
  requireTool,
}: {
  jots: Jots;
  readLargeBody: ReadLargeBody;
  identify: Identify;
  requireTool: RequireTool;
}): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();
  const missing = () => new HttpError(404, { error: 'Jot not found' });

  app.get('/api/jots', signedIn, async (c) => {
    await requireTool(c.var, 'list_jots');
    return c.json({ jots: await jots.list(c.var.userId) } satisfies JotList);
  });

  app.patch('/api/jots/:name', signedIn, async (c) => {
    await requireTool(c.var, 'update_jot');
    const body = await readLargeBody(c, c.var.userId, parseJson);
    if (body === undefined) throw new HttpError(400, { error: 'The body is not JSON' });
    const change = JotChange.safeParse(body);
    if (!change.success) throw new HttpError(400, { error: describeIssues(change.error) });
    try {
      const jot = await jots.change(c.var.userId, c.req.param('name'), change.data);
      if (jot === null) throw missing();
      return c.json(jot satisfies JotAnswer);
    } catch (error) {
      throw error instanceof JotRefused ? toHttpError(error) : error;
    }
  });

  app.delete('/api/jots/:name', signedIn, async (c) => {
    await requireTool(c.var, 'delete_jot');
    if (!(await jots.delete(c.var.userId, c.req.param('name')))) throw missing();
    return c.json({ success: true } satisfies Success);
  });

  return app;
}
