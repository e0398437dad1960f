// Counts and logs every request under its route pattern, never its raw path. reference: Health and metrics; Portal files
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Ports } from '../ports/ports.ts';
import { toHex } from '../crypto/encoding.ts';
import { adapterRequestId } from './client-address.ts';
import { createBeginTrace, type RequestTrace } from './request-trace.ts';
import { PORTAL_ROUTE } from './portal.ts';

export type RequestEnv = {
  Variables: {
    requestId: string;
    /** The log knows of a person no more than this id. It is absent until the caller is known. */
    userId?: string;
    trace?: RequestTrace;
  };
};

export const REQUEST_ID_HEADER = 'X-Request-Id';
const GIVEN_ID = /^[\w.~-]{1,128}$/;

/** Returns the id that a caller chose for its request, or null for none and for one that is not plain. */
export const readRequestId = (given: string | null | undefined): string | null =>
  given !== null && given !== undefined && GIVEN_ID.test(given) ? given : null;

/** The pattern of the observer itself. A request that ends with this pattern matched no route. */
export const EVERYWHERE = '*';
// Hono reports the pattern with a leading slash.
const OBSERVER_ROUTE = '/*';
/** What load balancers and collectors ask every few seconds is not traced. */
const PROBES = /^\/(?:api\/health(?:\/ready)?|metrics)$/;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/** Makes ids from one random prefix and a counter: unique enough to find a log line, and cheap. */
export function createRequestIds(random: Ports['random']): () => string {
  const drawn = toHex(random.bytes(4));
  let count = 0;
  return () => `${drawn}-${(++count).toString(36)}`;
}

interface Answered {
  requestId: string;
  method: string;
  /** The route pattern. */
  route: string;
  status: number;
  /** Milliseconds of the monotonic clock. */
  started: number;
  /** The id of the person, where it is known. */
  userId?: string | undefined;
}

/** Counts a request and writes its log line. */
export function createRecordRequest({
  clock,
  metrics,
  log,
}: Pick<Ports, 'clock' | 'metrics' | 'log'>): (request: Answered) => void {
  return function recordRequest({ requestId, method: given, route, status, started, userId }) {
    const milliseconds = clock.millis() - started;
    const method = METHODS.has(given) ? given : 'OTHER';
    metrics.request(method, route, status, milliseconds / 1000);
    if (!log.shows('info')) return;
    const ms = Math.round(milliseconds * 10) / 10;
    log.write('info', 'request', { requestId, method, route, status, ms, user: userId });
  };
}

export function observe(
  deps: Pick<Ports, 'clock' | 'random' | 'metrics' | 'log' | 'tracer'>,
): MiddlewareHandler<RequestEnv> {
  const { clock, random } = deps;
  const nextId = createRequestIds(random);
  const record = createRecordRequest(deps);
  const beginTrace = createBeginTrace(deps);

  return async function observeRequest(c, next) {
    const started = clock.millis();
    const named = adapterRequestId(c);
    const requestId = named ?? readRequestId(c.req.header(REQUEST_ID_HEADER)) ?? nextId();
    c.set('requestId', requestId);
    const trace = PROBES.test(c.req.path) ? undefined : beginTrace?.(started, (name) => c.req.header(name));
    if (trace !== undefined) c.set('trace', trace);
    await next();
    if (named === undefined) answerRequestId(c, requestId);
    const { status } = c.res;
    const route = matchedRoute(c, status);
    if (route === '/metrics') return;
    record({ requestId, method: c.req.method, route, status, started, userId: c.get('userId') });
    trace?.end({ requestId, method: c.req.method, route, status });
  };
}

function answerRequestId(c: Context, requestId: string): void {
  try {
    c.res.headers.set(REQUEST_ID_HEADER, requestId);
  } catch {
    // The headers of a response that was fetched cannot change. This makes a copy of the response.
    c.header(REQUEST_ID_HEADER, requestId);
  }
}

function matchedRoute(c: Context, status: number): string {
  const route = routePath(c);
  return route === OBSERVER_ROUTE || (route === PORTAL_ROUTE && status === 404) ? 'unmatched' : route;
}
