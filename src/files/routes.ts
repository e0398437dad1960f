// Serves /f/: takes uploads, and gives files to their owner or to whoever holds a link. reference: Files
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Identify } from '../kit/actor.ts';
import { endWithStream } from '../auth/ending-stream.ts';
import type { RunningWork } from '../auth/running-work.ts';
import { FILE_BYTES } from './limits.ts';
import { accessEnded, HttpError } from '../http/errors.ts';
import { sendFailure } from '../http/page.ts';
import { parseRange } from '../http/range.ts';
import { createUploadWork } from '../auth/upload-work.ts';
import { openUploadBody } from '../http/upload-body.ts';
import { nameInDisposition } from '../kit/files.ts';
import type { RequireTool } from '../kit/require-tool.ts';
import type { Ports } from '../ports/ports.ts';
import { attachmentDisposition } from './file-name.ts';
import { FileRefused, type RefusalReason } from './file-refused.ts';
import { type Files, type OpenFile, UNKNOWN_FILE } from './files.ts';
import type { FileUploads } from './uploads.ts';

// Even a browser that shows the file in spite of its disposition runs nothing in it.
const PROTECTION = {
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-store',
};
const NO_STORE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

type Needs = Pick<Ports, 'clock' | 'config'> & {
  files: Files;
  fileUploads: FileUploads;
  identify: Identify;
  requireTool: RequireTool;
  runningWork: RunningWork;
};

export function createFileRoutes({
  clock,
  config,
  files,
  fileUploads,
  identify,
  requireTool,
  runningWork,
}: Needs): Hono {
  const app = new Hono();
  const { PORTAL_URL: portalUrl } = config;

  /** `owner` is null for somebody with a link. */
  async function find(
    c: Context,
    handle: string,
  ): Promise<{ file: OpenFile; owner: string | null } | Response> {
    const key = c.req.query('k');
    const linked = key === undefined ? null : await files.findByLink(handle, key);
    if (linked !== null) return { file: linked, owner: null };
    const identity = await identify(c.req.raw.headers);
    if (identity !== null) await requireTool(identity, 'get_file');
    const userId = identity?.userId ?? null;
    const found = userId === null ? null : await files.find(userId, handle);
    if (found !== null) return { file: found, owner: userId };
    if (userId !== null) return c.json({ error: UNKNOWN_FILE }, 404, NO_STORE);
    const sentence =
      key === undefined
        ? 'This file needs its owner’s credential or a link. Ask for a link'
        : 'This link is wrong or has expired. Ask for a new one';
    c.header('Referrer-Policy', 'no-referrer');
    return sendFailure(c, 401, { title: 'No file here', sentence, portalUrl });
  }

  app.on(['PUT', 'POST'], '/f/:token', async (c) => {
    const body = openUploadBody(c.req.raw.body, clock);
    const upload = createUploadWork(runningWork, body);
    try {
      const type = c.req.header('content-type');
      if (type?.toLowerCase().startsWith('multipart/form-data') === true)
        throw new HttpError(415, {
          error: 'Send the file itself as the body (curl -T), not a form (curl -F)',
        });
      const announced = Number(c.req.header('content-length') ?? 0);
      const name = c.req.query('name') ?? nameInDisposition(c.req.header('content-disposition'));
      const file = await fileUploads.upload(
        c.req.param('token'),
        body.pieces(),
        { name, mimeTypes: [type], announced: Number.isSafeInteger(announced) ? announced : 0 },
        (userId) => upload.enter(userId).until(c.req.raw.signal),
      );
      if (file !== null) return c.json({ file }, 201, NO_STORE);
      throw new HttpError(404, {
        error: 'This upload address is unknown, used or too old. Ask for a new one',
      });
    } catch (error) {
      if (upload.isEnded()) throw accessEnded();
      await body.drain(FILE_BYTES);
      throw error instanceof FileRefused ? toHttpError(error) : error;
    } finally {
      upload.end();
    }
  });

  app.get('/f/:handle', async (c) => {
    const found = await find(c, c.req.param('handle'));
    if (found instanceof Response) return found;
    const { file, owner } = found;
    const etag = `"${file.sha256.slice(0, 32)}"`;
    const headers = {
      ...PROTECTION,
      'Content-Type': file.mimeType,
      'Content-Disposition': attachmentDisposition(file.name),
      'Accept-Ranges': 'bytes',
      ETag: etag,
    };
    const range = parseRange(c.req.header('range'), c.req.header('if-range'), etag, file.bytes);
    if (range.kind === 'unsatisfiable')
      return c.body(null, 416, { ...headers, 'Content-Range': `bytes */${file.bytes}` });
    const { offset, length } = range.kind === 'part' ? range : { offset: 0, length: file.bytes };
    const status = range.kind === 'part' ? 206 : 200;
    const part: Record<string, string> =
      range.kind === 'part'
        ? { 'Content-Range': `bytes ${offset}-${offset + length - 1}/${file.bytes}` }
        : {};
    const all = { ...headers, ...part, 'Content-Length': String(length) };
    if (c.req.method === 'HEAD') return c.body(null, status, all);
    const work = owner === null ? null : runningWork.begin(owner);
    const bytes = await file.read(offset, length).catch((error: unknown) => {
      work?.end();
      throw error;
    });
    if (bytes !== null) return c.body(work === null ? bytes : endWithStream(work, bytes), status, all);
    work?.end();
    return c.json({ error: UNKNOWN_FILE }, 404, NO_STORE);
  });

  return app;
}

export function toHttpError(refused: FileRefused): HttpError {
  return new HttpError(statusOf(refused.reason), { error: refused.message });
}

function statusOf(reason: RefusalReason): ContentfulStatusCode {
  switch (reason) {
    case 'EMPTY':
    case 'BROKEN_OFF':
      return 400;
    case 'FILE_TOO_LARGE':
    case 'FILE_QUOTA':
      return 413;
  }
}
