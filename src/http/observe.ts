// Counts and logs every request under its route pattern, never its raw path. reference: Health and metrics; Portal files
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Ports } from '../ports/ports.ts';
import { toHex } from '../crypto/encoding.ts';
import { PORTAL_ROUTE } from './portal.ts';

export type RequestEnv = { Variables: { requestId: string } };

/** The pattern of the observer itself. A request that ends with this pattern matched no route. */
export const EVERYWHERE = '*';
// Hono reports the pattern with a leading slash.
const OBSERVER_ROUTE = '/*';
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
}

/** Counts a request and writes its log line. */
export function createRecordRequest({
  clock,
  metrics,
  log,
}: Pick<Ports, 'clock' | 'metrics' | 'log'>): (request: Answered) => void {
  return function recordRequest({ requestId, method: given, route, status, started }) {
    const milliseconds = clock.millis() - started;
    const method = METHODS.has(given) ? given : 'OTHER';
    metrics.request(method, route, status, milliseconds / 1000);
    log.write('info', 'request', {
      requestId,
      method,
      route,
      status,
      ms: Math.round(milliseconds * 10) / 10,
    });
  };
}

export function observe(
  deps: Pick<Ports, 'clock' | 'random' | 'metrics' | 'log'>,
): MiddlewareHandler<RequestEnv> {
  const { clock, random } = deps;
  const nextId = createRequestIds(random);
  const record = createRecordRequest(deps);

  return async function observeRequest(c, next) {
    const started = clock.millis();
    const requestId = nextId();
    c.set('requestId', requestId);
    await next();
    const { status } = c.res;
    const route = matchedRoute(c, status);
    if (route === '/metrics') return;
    record({ requestId, method: c.req.method, route, status, started });
  };
}

function matchedRoute(c: Context, status: number): string {
  const route = routePath(c);
  return route === OBSERVER_ROUTE || (route === PORTAL_ROUTE && status === 404) ? 'unmatched' : route;
}
