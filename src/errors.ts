// The one error that routes throw on purpose, and the one place where any error becomes an answer.
import type { Context, ErrorHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Log } from './ports/log.ts';
import { Unavailable } from './ports/unavailable.ts';

export class HttpError extends Error {
  readonly status: ContentfulStatusCode;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: ContentfulStatusCode,
    body: Record<string, unknown>,
    headers: Record<string, string> = {},
  ) {
    super(typeof body['error'] === 'string' ? body['error'] : `HTTP ${status}`);
    this.name = 'HttpError';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export function createErrorHandler(log: Log): ErrorHandler {
  return function answerError(error: Error, c: Context): Response {
    if (error instanceof HttpError) return c.json(error.body, error.status, error.headers);
    if (error instanceof HTTPException) return error.getResponse();
    const unavailable = error instanceof Unavailable;
    // An upload address is worth an upload to whoever reads it.
    const path = c.req.path.replace(/[0-9a-f]{32,}/g, '…');
    log.write('error', 'request failed', { path, ...describe(error) });
    return unavailable
      ? c.json({ error: 'A service this gateway depends on is not reachable. Try again shortly.' }, 503, {
          'Retry-After': '5',
        })
      : c.json({ error: 'Internal error' }, 500);
  };
}

/** What a log line keeps of an error: its words, its causes and where it arose. */
export function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  return { error: `${error.name}: ${error.message}`, stack: error.stack, ...cause };
}

export function notFound(c: Context): Response {
  return c.json({ error: 'Not found' }, 404);
}
