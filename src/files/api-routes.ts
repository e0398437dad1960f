// Serves /api/files: the files of the signed-in person, for the portal. reference: Files
import { Hono } from 'hono';
import type { Identify } from '../kit/actor.ts';
import { type PortalEnv, requirePortalUser } from '../auth/portal-user.ts';
import { FILES_PAGE } from './limits.ts';
import { HttpError } from '../http/errors.ts';
import type { Success } from '../http/operation.ts';
import { readJsonBody } from '../http/request-body.ts';
import { describeIssues } from '../kit/validation.ts';
import type { RequireTool } from '../kit/require-tool.ts';
import { ExpectedFile, type FileListAnswer, FilesQuery, type UploadAddress } from './api-operations.ts';
import { FileRefused } from './file-refused.ts';
import { type Files, UNKNOWN_FILE } from './files.ts';
import { toHttpError } from './routes.ts';
import type { FileUploads } from './uploads.ts';

interface Needs {
  files: Files;
  fileUploads: FileUploads;
  identify: Identify;
  requireTool: RequireTool;
}

export function createFileApiRoutes({ files, fileUploads, identify, requireTool }: Needs): Hono<PortalEnv> {
  const signedIn = requirePortalUser(identify);
  const app = new Hono<PortalEnv>();

  app.get('/api/files', signedIn, async (c) => {
    await requireTool(c.var, 'list_files');
    const query = FilesQuery.safeParse(c.req.query());
    if (!query.success) throw new HttpError(400, { error: describeIssues(query.error) });
    const { userId } = c.var;
    const {
      files: kept,
      total,
      bytes,
    } = await files.list(userId, { offset: query.data.offset, limit: FILES_PAGE });
    const shown = kept.map((file) => ({ ...files.show(userId, file), expiresAt: file.expiresAt }));
    return c.json({ files: shown, total, bytes, maxBytes: files.maxBytes } satisfies FileListAnswer);
  });

  app.post('/api/files', signedIn, async (c) => {
    await requireTool(c.var, 'upload_file');
    const expected = ExpectedFile.safeParse(await readJsonBody(c));
    if (!expected.success) throw new HttpError(400, { error: describeIssues(expected.error) });
    try {
      const { uploadUrl, expiresAt } = await fileUploads.offer(c.var.userId, expected.data);
      return c.json({ uploadUrl, expiresAt } satisfies UploadAddress, 201);
    } catch (error) {
      throw error instanceof FileRefused ? toHttpError(error) : error;
    }
  });

  app.delete('/api/files/:handle', signedIn, async (c) => {
    await requireTool(c.var, 'delete_file');
    if (!(await files.delete(c.var.userId, c.req.param('handle'))))
      throw new HttpError(404, { error: UNKNOWN_FILE });
    return c.json({ success: true } satisfies Success);
  });

  return app;
}
