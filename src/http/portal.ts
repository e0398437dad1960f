// Serves the portal's files at /, and its index page for every path that the portal routes itself.
import { type Context, Hono } from 'hono';
import type { Asset, Assets } from '../ports/assets.ts';

const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

// These prefixes keep their JSON 404. reference: Health and metrics; Portal files
const NEVER_A_PAGE = /^\/(api|mcp|\.well-known)(\/|$)/;

/** The catch-all pattern of every GET. Together with a 404 it means that nothing matched. */
export const PORTAL_ROUTE = '/:path{.*}';

export function createPortalRoutes(assets: Assets): Hono {
  const app = new Hono();
  app.get(PORTAL_ROUTE, async function portal(c, next) {
    if (NEVER_A_PAGE.test(c.req.path)) return next();
    const path = c.req.path.slice(1);
    const file = path === '' ? null : await assets.get(path);
    const asset =
      file ?? (await assets.get(await documentOf(c.req.path, assets))) ?? (await assets.get('index.html'));
    return asset === null ? next() : send(c, asset);
  });
  return app;
}

/** The document that names the files of the page at this address, so that a browser asks for all of them at once. */
async function documentOf(path: string, assets: Assets): Promise<string> {
  const list = await assets.get('pages.json');
  // The build writes this list. decision: 078
  const documents = list === null ? [] : (JSON.parse(DECODER.decode(list.body)) as [string, string][]);
  const parts = partsOf(path);
  const found = documents.find(([pattern]) => {
    const expected = partsOf(pattern);
    return (
      expected.length === parts.length &&
      expected.every((part, index) => part.startsWith(':') || part === parts[index])
    );
  });
  return found?.[1] ?? 'index.html';
}

const DECODER = new TextDecoder();

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');

function send(c: Context, { body, gzip, contentType, immutable }: Asset): Response {
  const caching = immutable ? { 'Cache-Control': 'public, max-age=31536000, immutable' } : PAGE_HEADERS;
  const packed = gzip !== undefined && takesGzip(c.req.header('accept-encoding'));
  return c.body(packed ? gzip : body, 200, {
    'Content-Type': contentType,
    'X-Content-Type-Options': 'nosniff',
    ...(gzip === undefined ? {} : { Vary: 'Accept-Encoding' }),
    ...(packed ? { 'Content-Encoding': 'gzip' } : {}),
    ...caching,
  });
}

// A weight of 0 refuses gzip. RFC 9110 §12.5.3
function takesGzip(accepted = ''): boolean {
  const [, weight = '1'] = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?:,|$)/i.exec(accepted) ?? [null, '0'];
  return Number(weight) > 0;
}
