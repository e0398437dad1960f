// Serves /c/:integration/*: raw HTTP through the gateway with the stored credential. reference: Curl proxy; decision: 024, 055
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPinnedPools } from '../../../drivers/network/pinned-pools.ts';
import { CURL_METHODS } from '../../../src/auth/curl-token.ts';
import { keepCookies } from '../../../src/connections/cookies/keep-cookies.ts';
import { canRenew } from '../../../src/connections/credential.ts';
import type { Deps } from '../../../src/deps.ts';
import type { Integration } from '../../../src/kit/integration.ts';
import type { Connection } from '../../../src/ports/records.ts';
import { ErrorText } from '../../../src/http/error-codes.ts';
import { describe, RETRY_LATER, UNAVAILABLE } from '../../../src/http/errors.ts';
import { createIsOwnOrigin } from '../../../src/jots/serving/own-origin.ts';
import { Unavailable } from '../../../src/ports/unavailable.ts';
import { isAbsoluteProxyPath, pathPattern, splitProxyPath } from '../../../src/proxy/path.ts';
import { createRecordRequest, createRequestIds } from '../../../src/http/observe.ts';
import { createPermits, type Permitted, type ProxyRequest } from '../../../src/proxy/permit.ts';
import { relay, type Relayed } from './relay.ts';
import { endAfterUpload, hasBody } from './upload.ts';

const METHODS: ReadonlySet<string> = new Set(CURL_METHODS);
const ROUTE = '/c/:integration/*';
const HEADERS_MS = 60_000;

export interface CurlProxy {
  /** True when the proxy serves the request. `continues`: the caller waits for a 100 before it sends its body. */
  takes(incoming: IncomingMessage, outgoing: ServerResponse, continues: boolean): boolean;
  close(): Promise<void>;
}

interface Call {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  requestId: string;
  /** The caller sends its body only after a 100. */
  waits: boolean;
}

export function createCurlProxy(deps: Deps, { headersTimeout = HEADERS_MS } = {}): CurlProxy {
  const { audit, calls, clock, log, standings, tokens } = deps;
  const permits = createPermits(deps);
  const isJotsOrigin = createIsOwnOrigin(deps.config);
  const nextId = createRequestIds(deps.random);
  const recordRequest = createRecordRequest(deps);
  const pools = createPinnedPools({ headersTimeout, bodyTimeout: 0 });

  async function answer(call: Call): Promise<void> {
    const { incoming, outgoing } = call;
    const method = incoming.method ?? '';
    if (!METHODS.has(method)) {
      outgoing.setHeader('Allow', [...METHODS].join(', '));
      return send(call, 405, { error: 'Method not allowed' });
    }
    const path = splitProxyPath(incoming.url ?? '');
    if (path === null) return send(call, 400, { error: 'invalid path' });
    const request: ProxyRequest = { method, path, authorization: incoming.headers.authorization };
    const permitted = await permits.permit(request);
    if (permitted.kind === 'refused') return send(call, permitted.status, permitted.body, permitted.headers);
    try {
      if (call.waits) outgoing.writeContinue();
      call.waits = false;
      const started = clock.millis();
      const relayed = await withSecondTry(call, permitted, request);
      if (relayed.kind === 'failed') send(call, 502, { error: `upstream request failed: ${relayed.reason}` });
      record(permitted, request, relayed, clock.millis() - started);
    } finally {
      calls.end(permitted.userId);
    }
  }

  async function withSecondTry(call: Call, permitted: Permitted, request: ProxyRequest): Promise<Relayed> {
    const { incoming, outgoing } = call;
    const mayRenew = canRenew(permitted.credential);
    const mayRetry = mayRenew && !hasBody(incoming);
    const kept = { connection: permitted.connection };
    const keep = async (lines: readonly string[]) => {
      kept.connection = await keepOrLog(call, permitted, lines);
    };
    const first = await relay(pools, { incoming, outgoing, permitted, mayRetry, keep });
    if (first.kind !== 'turned-down') {
      // A body cannot be sent twice. The token is renewed all the same, so that the caller's next call succeeds.
      if (mayRenew && first.kind === 'answered' && first.status === 401) void renew(call, permitted);
      else void settle(first, permitted.integration, kept.connection);
      return first;
    }
    const newer = await permits.renew(permitted, request);
    if (newer.kind !== 'permitted') {
      const again = await relay(pools, { incoming, outgoing, permitted, mayRetry: false, keep });
      if (newer.kind === 'dead') void settle(again, permitted.integration, permitted.connection);
      return again;
    }
    const second = await relay(pools, { incoming, outgoing, permitted: newer, mayRetry: false, keep });
    void settle(second, newer.integration, newer.connection);
    return second;
  }

  /** Notes in the connection what the answer says of its credential. The caller has its answer, so nobody waits for it. */
  async function settle(relayed: Relayed, integration: Integration, connection: Connection): Promise<void> {
    if (relayed.kind !== 'answered') return;
    if (relayed.status === 401) await standings.refused(connection, integration);
    else if (relayed.status < 300) await standings.worked(connection, integration);
  }

  async function renew(
    { requestId }: Call,
    { userId, integration, connection, credential }: Permitted,
  ): Promise<void> {
    try {
      const renewed = await tokens.renew(userId, integration, credential);
      if (renewed.kind === 'dead') await standings.refused(connection, integration);
    } catch (error) {
      log.write('warn', 'token was not renewed', {
        requestId,
        integration: integration.name,
        ...describe(error),
      });
    }
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

  /** Logs a failure instead of failing the call. */
  async function keepOrLog(
    { requestId }: Call,
    { integration, connection, credential, destination }: Permitted,
    lines: readonly string[],
  ): Promise<Connection> {
    const url = destination.declared;
    return keepCookies(deps, { integration, connection, credential, url, lines }).catch((error: unknown) => {
      log.write('warn', 'cookies were not kept', {
        requestId,
        integration: integration.name,
        ...describe(error),
      });
      return connection;
    });
  }

  async function serve(call: Call): Promise<void> {
    const { incoming, outgoing, requestId } = call;
    const started = clock.millis();
    try {
      await answer(call);
    } catch (error) {
      log.write('error', 'request failed', { requestId, route: ROUTE, ...describe(error) });
      if (outgoing.headersSent) outgoing.destroy();
      else if (error instanceof Unavailable) send(call, 503, { error: UNAVAILABLE }, RETRY_LATER);
      else send(call, 500, { error: ErrorText.INTERNAL_ERROR });
    }
    recordRequest({
      requestId,
      method: incoming.method ?? '',
      route: ROUTE,
      status: outgoing.statusCode,
      started,
    });
  }

  return {
    takes(incoming, outgoing, continues) {
      const target = incoming.url ?? '';
      if (!target.startsWith('/c/') && !isAbsoluteProxyPath(target)) return false;
      // The app answers 404 there.
      if (isJotsOrigin(incoming.headers.host)) return false;
      void serve({ incoming, outgoing, requestId: nextId(), waits: continues });
      return true;
    },
    close: () => pools.close(),
  };
}

function send(
  { incoming, outgoing, waits }: Call,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...(waits ? { Connection: 'close' } : {}),
    ...headers,
  });
  outgoing.write(text);
  if (waits) outgoing.end();
  else endAfterUpload(incoming, outgoing);
}
