// /c/:integration/*: raw HTTP through the gateway, with the stored credential. spec: Curl proxy; design: P1, M11
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPinnedPools } from '../../../drivers/network/pinned-pools.ts';
import { keepCookies } from '../../../src/connections/upstream.ts';
import type { Deps } from '../../../src/deps.ts';
import { describe } from '../../../src/errors.ts';
import { Unavailable } from '../../../src/ports/unavailable.ts';
import { isAbsoluteProxyPath, pathPattern, splitProxyPath } from '../../../src/proxy/path.ts';
import { createPermits, type Permitted, type ProxyRequest } from '../../../src/proxy/permit.ts';
import { relay, type Relayed } from './relay.ts';

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const ROUTE = '/c/:integration/*';

export interface CurlProxy {
  /** Takes the request if it is one of its own. `continues`: the caller waits for a 100 before it sends its body. */
  takes(incoming: IncomingMessage, outgoing: ServerResponse, continues: boolean): boolean;
  close(): Promise<void>;
}

export function createCurlProxy(deps: Deps): CurlProxy {
  const { audit, clock, log, metrics } = deps;
  const permits = createPermits(deps);
  const pools = createPinnedPools({ bodyTimeout: 0 });

  async function answer(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    continues: boolean,
  ): Promise<void> {
    const method = incoming.method ?? '';
    if (!METHODS.has(method)) {
      outgoing.setHeader('Allow', [...METHODS].join(', '));
      return send(incoming, outgoing, 405, { error: 'Method not allowed' });
    }
    const path = splitProxyPath(incoming.url ?? '');
    if (path === null) return send(incoming, outgoing, 400, { error: 'invalid path' });
    const request: ProxyRequest = { method, path, authorization: incoming.headers.authorization };
    const permitted = await permits.permit(request);
    if (permitted.kind === 'refused') return send(incoming, outgoing, permitted.status, permitted.body);
    if (continues) outgoing.writeContinue();
    const started = clock.millis();
    const relayed = await withSecondTry(incoming, outgoing, permitted, request);
    if (relayed.kind === 'failed')
      send(incoming, outgoing, 502, { error: `upstream request failed: ${relayed.reason}` });
    record(permitted, request, relayed, clock.millis() - started);
    await keep(permitted, relayed);
  }

  async function withSecondTry(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    permitted: Permitted,
    request: ProxyRequest,
  ): Promise<Relayed> {
    const body = hasBody(incoming) ? incoming : null;
    const mayRetry = body === null && permitted.integration.auth.type === 'oauth2';
    const first = await relay(pools, { incoming, outgoing, permitted, body, mayRetry });
    if (first.kind !== 'turned-down') return first;
    const newer = await permits.again(permitted, request);
    return relay(pools, { incoming, outgoing, permitted: newer ?? permitted, body: null, mayRetry: false });
  }

  function record(
    { userId, integration }: Permitted,
    { method, path }: ProxyRequest,
    relayed: Relayed,
    milliseconds: number,
  ): void {
    const success = relayed.kind === 'answered' && relayed.status < 400;
    audit.recordSoon({
      user_id: userId,
      integration: integration.name,
      tool: `${method} ${pathPattern(path.tail)}`,
      action: 'CURL',
      success,
      error: success ? null : relayed.kind === 'answered' ? `HTTP ${relayed.status}` : relayed.kind,
      duration_ms: Math.round(milliseconds),
      created_at: clock.now(),
    });
  }

  async function keep(permitted: Permitted, relayed: Relayed): Promise<void> {
    if (relayed.kind === 'answered' && relayed.setCookies.length > 0) {
      const { integration, connection, secret, destination } = permitted;
      await keepCookies(deps, {
        integration,
        connection,
        secret,
        url: destination.declared,
        lines: relayed.setCookies,
      });
    }
  }

  async function serve(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    continues: boolean,
  ): Promise<void> {
    const started = clock.millis();
    try {
      await answer(incoming, outgoing, continues);
    } catch (error) {
      log.write('error', 'request failed', { route: ROUTE, ...describe(error) });
      if (outgoing.headersSent) outgoing.destroy();
      else if (error instanceof Unavailable)
        send(incoming, outgoing, 503, {
          error: 'A service this gateway depends on is not reachable. Try again shortly.',
        });
      else send(incoming, outgoing, 500, { error: 'Internal error' });
    }
    const milliseconds = clock.millis() - started;
    const method = incoming.method ?? '';
    metrics.request(METHODS.has(method) ? method : 'OTHER', ROUTE, outgoing.statusCode, milliseconds / 1000);
    log.write('info', 'request', {
      method,
      route: ROUTE,
      status: outgoing.statusCode,
      ms: Math.round(milliseconds * 10) / 10,
    });
  }

  return {
    takes(incoming, outgoing, continues) {
      const target = incoming.url ?? '';
      if (!target.startsWith('/c/') && !isAbsoluteProxyPath(target)) return false;
      void serve(incoming, outgoing, continues);
      return true;
    },
    close: () => pools.close(),
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

function send(incoming: IncomingMessage, outgoing: ServerResponse, status: number, body: object): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  const text = JSON.stringify(body);
  // A body nobody will read: the connection cannot be used again.
  const unread = hasBody(incoming) && !incoming.complete ? { Connection: 'close' } : {};
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...unread,
  });
  outgoing.end(text);
}
