// Serves /api/jots: the jots of the signed-in person, for the portal. reference: Portal API; decision: 054
import { Hono } from 'hono';
import * as z from 'zod';
import type { Identify } from '../auth/caller.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { ReadLargeBody } from '../http/request-body.ts';
import type { Jots } from './jots.ts';
import { HttpError } from '../http/errors.ts';
import { parseJson } from '../json/json.ts';
import { describeIssues } from '../kit/validation.ts';
import { access, password } from './integration.ts';
import { JotRefused } from './jot-refused.ts';
import { toHttpError } from './routes.ts';

const Change = z.strictObject({
  access: access.optional(),
  password: password.optional(),
  cors: z.boolean().optional(),
});

export function createJotApiRoutes({
  jots,
  readLargeBody,
  identify,
}: {
  jots: Jots;
  readLargeBody: ReadLargeBody;
  identify: Identify;
}): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();
  const missing = () => new HttpError(404, { error: 'Jot not found' });

  app.get('/api/jots', signedIn, async (c) => c.json({ jots: await jots.list(c.var.userId) }));

  app.patch('/api/jots/:name', signedIn, async (c) => {
    const body = await readLargeBody(c, c.var.userId, parseJson);
    if (body === undefined) throw new HttpError(400, { error: 'The body is not JSON' });
    const change = Change.safeParse(body);
    if (!change.success) throw new HttpError(400, { error: describeIssues(change.error) });
    try {
      const jot = await jots.change(c.var.userId, c.req.param('name'), change.data);
      if (jot === null) throw missing();
      return c.json(jot);
    } catch (error) {
      throw error instanceof JotRefused ? toHttpError(error) : error;
    }
  });

  app.delete('/api/jots/:name', signedIn, async (c) => {
    if (!(await jots.delete(c.var.userId, c.req.param('name')))) throw missing();
    return c.json({ success: true });
  });

  return app;
}
