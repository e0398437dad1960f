// Lets callers keep a list and ask whether it has changed, and compresses lists. decision: 051
import type { MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';

/** Only the caller may keep the list, and has to ask before using it again. */
const ASK_FIRST = 'private, no-cache';

/** Large lists that seldom change. */
const KEPT = [
  '/api/integrations',
  '/api/integrations/:integration',
  '/api/tools',
  '/api/imports/catalogue',
  '/openapi.json',
];

/**
 * Lists that hold no credential and no one-time link. Compressing a secret together with text of an attacker would
 * tell the secret by its length (BREACH), so this is a list of what may be compressed.
 */
const COMPRESSED = [...KEPT, '/rest/:integration', '/rest/:integration/openapi.json'];

/**
 * Lists that the portal asks for again and again. They may hold what no browser should keep on its disk, so only a caller
 * that keeps them itself asks by the tag.
 */
const POLLED = [
  '/api/approvals',
  '/api/connections',
  '/api/imports',
  '/api/agents',
  '/api/agent-keys',
  '/api/jots',
  '/api/usage',
  '/api/usage/agents',
  '/api/admin/usage',
  '/api/audit',
  '/api/admin/audit',
];

interface Mount {
  get: (path: string, handler: MiddlewareHandler) => unknown;
}

/** `compresses` is false where the platform compresses every answer. */
export function mountListHeaders(app: Mount, compresses: boolean): void {
  if (compresses) for (const path of COMPRESSED) app.get(path, compress({ encoding: 'gzip' }));
  for (const path of POLLED) app.get(path, tagShort);
  for (const path of KEPT) {
    app.get(path, etag());
    app.get(path, askFirst);
  }
}

/** A long answer is sent while its caller reads it, so nobody reads it for a tag. It alone says how long it is. */
const tagShort: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.res.status === 200 && !c.res.headers.has('Content-Length')) await tag(c, async () => {});
};

const tag = etag();

const askFirst: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.res.status === 200 && c.res.headers.get('Cache-Control') === 'no-store')
    c.res.headers.set('Cache-Control', ASK_FIRST);
};
