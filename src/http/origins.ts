// Decides which web pages may call the machine surfaces. decision: 031
import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { type Config, isLoopbackHost } from '../config/config.ts';
import { REQUEST_ID_HEADER } from './observe.ts';
import { REPLAYED_HEADER } from './repeat-headers.ts';

export type IsAllowedOrigin = (origin: string) => boolean;

export function createIsAllowedOrigin(
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'PORTAL_URL' | 'MCP_ALLOWED_ORIGINS' | 'loopback'>,
): IsAllowedOrigin {
  const own = [config.SERVER_PUBLIC_URL, config.PORTAL_URL].map((url) => new URL(url).origin);
  const allowed = new Set([...own, ...config.MCP_ALLOWED_ORIGINS]);
  return function isAllowed(origin) {
    if (allowed.has(origin)) return true;
    return config.loopback && URL.canParse(origin) && isLoopbackHost(new URL(origin).hostname);
  };
}

/** Answers CORS, preflights included, for the allowed origins. Requests without an origin pass unchanged. */
export function corsFor(isAllowed: IsAllowedOrigin): MiddlewareHandler {
  const handler = cors({
    origin: (origin) => (isAllowed(origin) ? origin : null),
    allowMethods: ['GET', 'POST', 'OPTIONS'],
    exposeHeaders: ['WWW-Authenticate', REQUEST_ID_HEADER, REPLAYED_HEADER],
    maxAge: 600,
  });
  return function corsForPages(c, next) {
    return c.req.header('origin') === undefined ? next() : handler(c, next);
  };
}
