// Declares the error that routes throw on purpose, and turns every error into an answer.
import type { Context, ErrorHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Config } from '../config/config.ts';
import { ErrorCode, ErrorText } from './error-codes.ts';
import { sendFailure, wantsPage } from './page.ts';
import { BrowserStartFailed } from '../ports/browser.ts';
import { QueueFull } from '../memory/fair-queue.ts';
import { TooBusy } from '../memory/semaphore.ts';
import type { Log } from '../ports/log.ts';
import { Unavailable } from '../ports/unavailable.ts';

/** The text and the header that a caller gets for an `Unavailable`. */
export const UNAVAILABLE = 'A service that this gateway depends on cannot be reached. Try again shortly.';
export const RETRY_LATER = { 'Retry-After': '5' };
/** For a person who was disabled, deleted or signed out while the request ran. */
export const ACCESS_ENDED = 'Your access to this gateway has ended';
/** For failures that a retry will not fix. */
export const FAILED_ITSELF = 'The gateway itself failed. Its log says why.';

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

type Needs = { log: Log; config: Pick<Config, 'PORTAL_URL'> };

export function createErrorHandler({ log, config }: Needs): ErrorHandler {
  return function answerError(error: Error, c: Context): Response | Promise<Response> {
    if (error instanceof HttpError) return c.json(error.body, error.status, error.headers);
    if (error instanceof HTTPException)
      return c.json({ error: error.message || 'Bad request' }, error.status);
    if (error instanceof QueueFull) return c.json({ error: error.message }, 429, { 'Retry-After': '1' });
    if (error instanceof TooBusy) return c.json({ error: error.message }, 503, RETRY_LATER);
    if (error instanceof BrowserStartFailed) {
      log.write('error', 'browser start failed', { requestId: c.get('requestId'), ...describe(error) });
      return c.json(errorBody(ErrorCode.BROWSER_START_FAILED, error.message), 503);
    }
    // The log gets the route pattern, because a path can carry a token.
    log.write('error', 'request failed', {
      requestId: c.get('requestId'),
      route: routePath(c),
      ...describe(error),
    });
    const unavailable = error instanceof Unavailable;
    if (unavailable) for (const [name, value] of Object.entries(RETRY_LATER)) c.header(name, value);
    const status = unavailable ? 503 : 500;
    if (!wantsPage(c)) return c.json({ error: unavailable ? UNAVAILABLE : ErrorText.INTERNAL_ERROR }, status);
    const sentence = unavailable ? UNAVAILABLE : FAILED_ITSELF;
    return sendFailure(c, status, { title: 'That did not work', sentence, portalUrl: config.PORTAL_URL });
  };
}

/** Builds a refusal: programs read the code, people read the message. */
export function errorBody(
  code: ErrorCode,
  message: string,
): { error: ErrorCode; code: ErrorCode; message: string } {
  return { error: code, code, message };
}

/** Answers a request whose person lost their access before it was answered. */
export const accessEnded = (): HttpError =>
  new HttpError(
    401,
    { error: ErrorCode.ACCESS_ENDED, message: ACCESS_ENDED },
    { 'Cache-Control': 'no-store' },
  );

/** Describes an error for the log: message, stack and causes. */
export function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  return { error: `${error.name}: ${error.message}`, stack: error.stack, ...cause };
}

export function notFound(c: Context): Response {
  return c.json({ error: 'Not found' }, 404);
}
