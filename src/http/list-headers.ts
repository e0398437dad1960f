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

interface Mount {
  get: (path: string, handler: MiddlewareHandler) => unknown;
}

/** `compresses` is false where the platform compresses every answer. */
export function mountListHeaders(app: Mount, compresses: boolean): void {
  if (compresses) for (const path of COMPRESSED) app.get(path, compress({ encoding: 'gzip' }));
  for (const path of KEPT) {
    app.get(path, etag());
    app.get(path, askFirst);
  }
}

const askFirst: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.res.status === 200 && c.res.headers.get('Cache-Control') === 'no-store')
    c.res.headers.set('Cache-Control', ASK_FIRST);
};
