// Serves /api/jots: the jots of the signed-in person, for the portal. reference: Portal API; decision: 037
import { type Context, Hono } from 'hono';
import type * as z from 'zod';
import type { Identify } from '../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import type { ReadLargeBody } from '../http/request-body.ts';
import type { Jots } from './jots.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import { parseJson } from '../json/json.ts';
import { describeIssues } from '../kit/validation.ts';
import type { RequireTool } from '../kit/require-tool.ts';
import {
  type JotAnswer,
  JotChange,
  type JotList,
  type JotPageAnswer,
  type JotUploadAnswer,
  NewUpload,
  RollBackBody,
} from './api-operations.ts';
import { JotRefused } from './model/jot-refused.ts';
import { isJotName, NAME_RULE } from './model/names.ts';
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

  async function readBody<S extends z.ZodType>(c: Context<PortalEnv>, schema: S): Promise<z.output<S>> {
    const body = await readLargeBody(c, c.var.userId, parseJson);
    if (body === undefined) throw new HttpError(400, { error: 'The body is not JSON' });
    const read = schema.safeParse(body);
    if (!read.success) throw new HttpError(400, { error: describeIssues(read.error) });
    return read.data;
  }

  app.get('/api/jots', signedIn, async (c) => {
    await requireTool(c.var, 'list_jots');
    return c.json({ jots: await jots.listShown(c.var.userId) } satisfies JotList);
  });

  app.get('/api/jots/:name', signedIn, async (c) => {
    await requireTool(c.var, 'get_jot');
    const jot = await jots.show(c.var.userId, c.req.param('name'));
    if (jot === null) throw missing();
    return c.json(jot satisfies JotPageAnswer);
  });

  app.get('/api/jots/:name/thumbnail', signedIn, async (c) => {
    await requireTool(c.var, 'get_jot');
    const found = await jots.get(c.var.userId, c.req.param('name'));
    const image = found === null ? null : await jots.thumbnails.read(found.jot);
    if (image === null) throw new HttpError(404, { error: 'This jot has no picture' });
    return c.body(image, 200, { 'Content-Type': 'image/webp', 'X-Content-Type-Options': 'nosniff' });
  });

  app.post('/api/jots/:name/upload', signedIn, async (c) => {
    await requireTool(c.var, 'deploy_jot');
    const { userId, actor } = c.var;
    const name = c.req.param('name');
    const settings = await readBody(c, NewUpload);
    if (!isJotName(name)) throw new HttpError(400, { error: NAME_RULE });
    const by = { id: actor.id, name: actor.name };
    return refuseAsHttp(async () => {
      const isOwn = (await jots.get(userId, name)) !== null;
      // A new version keeps the settings that the jot has when the files arrive.
      const offer = isOwn
        ? await jots.offerUpload({ kind: 'patch', name, userId, by, delete: [], whole: true })
        : await jots.offerUpload({
            ...(await jots.resolveSettings(userId, name, settings)),
            kind: 'replace',
            name,
            userId,
            by,
          });
      const { uploadUrl, expiresAt } = offer;
      const { maxBytes, maxFiles, maxPackedBytes: maxUploadBytes } = jots.limits;
      const answer = { uploadUrl, expiresAt, maxBytes, maxFiles, maxUploadBytes };
      return c.json(answer satisfies JotUploadAnswer, 201);
    });
  });

  app.post('/api/jots/:name/rollback', signedIn, async (c) => {
    await requireTool(c.var, 'update_jot');
    const { version, current } = await readBody(c, RollBackBody);
    return refuseAsHttp(async () => {
      const jot = await jots.rollBack(c.var.userId, c.req.param('name'), version, current);
      if (jot === null) throw missing();
      return c.json(jot satisfies JotAnswer);
    });
  });

  app.patch('/api/jots/:name', signedIn, async (c) => {
    await requireTool(c.var, 'update_jot');
    const change = await readBody(c, JotChange);
    return refuseAsHttp(async () => {
      const jot = await jots.change(c.var.userId, c.req.param('name'), change);
      if (jot === null) throw missing();
      return c.json(jot satisfies JotAnswer);
    });
  });

  app.delete('/api/jots/:name', signedIn, async (c) => {
    await requireTool(c.var, 'delete_jot');
    if (!(await jots.delete(c.var.userId, c.req.param('name')))) throw missing();
    return c.json({ success: true } satisfies Success);
  });

  return app;
}

async function refuseAsHttp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof JotRefused ? toHttpError(error) : error;
  }
}
