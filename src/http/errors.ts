// Declares the error that routes throw on purpose, and turns every error into an answer.
import type { Context, ErrorHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Config } from '../config/config.ts';
import { ErrorCode, ErrorText } from './error-codes.ts';
import { sendFailure, wantsPage } from './page.ts';
import { BrowserStartFailed } from '../ports/browser.ts';
import { AgentPaused } from './paused.ts';
import { QueueFull } from '../memory/fair-queue.ts';
import { TooBusy } from '../memory/semaphore.ts';
import type { Log } from '../ports/log.ts';
import { DriverFailure } from '../ports/driver-failure.ts';
import { DiskFull, Unavailable } from '../ports/unavailable.ts';

/** The text and the header that a caller gets for an `Unavailable`. */
export const UNAVAILABLE = 'A service that this gateway depends on cannot be reached. Try again shortly.';
export const DISK_FULL =
  'The disk of the gateway is full, so nothing was stored. Ask the people who run the gateway to make space, then try again.';

/** What a caller may read about a failure that may pass. */
export const unavailableText = (error: Unavailable): string =>
  error instanceof DiskFull ? DISK_FULL : UNAVAILABLE;

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
    if (error instanceof AgentPaused) return c.json(errorBody(ErrorCode.PAUSED, error.message), 403);
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
    const passing = error instanceof Unavailable ? unavailableText(error) : null;
    if (passing !== null) for (const [name, value] of Object.entries(RETRY_LATER)) c.header(name, value);
    const status = passing === null ? 500 : 503;
    if (!wantsPage(c)) return c.json({ error: passing ?? ErrorText.INTERNAL_ERROR }, status);
    const sentence = passing ?? FAILED_ITSELF;
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

/**
 * Describes an error for the log: message, stack and causes. `away` names what the gateway depends on and cannot use: there no
 * stack helps.
 */
export function describe(error: unknown): Record<string, unknown> {
  const failure = failureBehind(error);
  if (failure?.part === undefined) return story(error, true);
  const full = failure instanceof DiskFull ? { full: true } : {};
  return { away: failure.part, ...full, ...story(error, false) };
}

function story(error: unknown, hasStack: boolean): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return {
    error: `${error.name}: ${error.message}`,
    ...('code' in error ? { code: error.code } : {}),
    ...(hasStack ? { stack: error.stack } : {}),
    ...(error.cause === undefined ? {} : { cause: story(error.cause, hasStack) }),
  };
}

function failureBehind(error: unknown): Unavailable | DriverFailure | undefined {
  if (error instanceof Unavailable || error instanceof DriverFailure) return error;
  return error instanceof Error ? failureBehind(error.cause) : undefined;
}

export function notFound(c: Context): Response {
  return c.json({ error: 'Not found' }, 404);
}
