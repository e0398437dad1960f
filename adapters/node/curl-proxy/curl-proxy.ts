// Serves /c/:integration/*: raw HTTP through the gateway with the stored credential. The core decides; this file holds the
// sockets. reference: Curl proxy; decision: 034
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPinnedPools } from '../../../drivers/network/pinned-pools.ts';
import { CURL_METHODS } from '../../../src/auth/curl-token.ts';
import { ACTOR_HEADER } from '../../../src/auth/service-keys.ts';
import type { RawRequest } from '../../../src/calls/wire.ts';
import type { Deps } from '../../../src/deps.ts';
import { ErrorText } from '../../../src/http/error-codes.ts';
import { describe, RETRY_LATER, unavailableText } from '../../../src/http/errors.ts';
import { createRecordRequest, createRequestIds, readRequestId } from '../../../src/http/observe.ts';
import { API_KEY_HEADER } from '../../../src/http/presented-key.ts';
import { createBeginTrace, type RequestTrace } from '../../../src/http/request-trace.ts';
import { createIsOwnOrigin } from '../../../src/jots/serving/own-origin.ts';
import { Unavailable } from '../../../src/ports/unavailable.ts';
import { createRawDoor } from '../../../src/raw/door.ts';
import { isAbsoluteProxyPath, splitProxyPath } from '../../../src/raw/path.ts';
import { type Access, type Call, cut, send } from './call.ts';
import { hasForm } from './upload.ts';
import { createOpenWire } from './wire.ts';

const METHODS: ReadonlySet<string> = new Set(CURL_METHODS);
const ROUTE = '/c/:integration/*';
const HEADERS_MS = 60_000;

export interface CurlProxy {
  /** True when the proxy serves the request. `continues`: the caller waits for a 100 before it sends its body. */
  takes(incoming: IncomingMessage, outgoing: ServerResponse, continues: boolean): boolean;
  close(): Promise<void>;
}

/** A call, and what its line in the log says. */
interface ServedCall extends Call {
  /** Set once the token is known. */
  userId?: string;
  /** Absent where nothing is traced. */
  trace: RequestTrace | undefined;
  started: number;
}

export function createCurlProxy(deps: Deps, { headersTimeout = HEADERS_MS } = {}): CurlProxy {
  const { clock, log, runningWork } = deps;
  const door = createRawDoor(deps);
  const isJotsOrigin = createIsOwnOrigin(deps.config);
  const nextId = createRequestIds(deps.random);
  const recordRequest = createRecordRequest(deps);
  const pools = createPinnedPools({ headersTimeout, bodyTimeout: 0 });
  const openWire = createOpenWire(pools);
  const beginTrace = createBeginTrace(deps);

  async function answer(call: ServedCall): Promise<void> {
    const { incoming, outgoing, requestId } = call;
    const method = incoming.method ?? '';
    if (!METHODS.has(method)) {
      outgoing.setHeader('Allow', [...METHODS].join(', '));
      return send(call, 405, { error: 'Method not allowed' });
    }
    const path = splitProxyPath(incoming.url ?? '');
    if (path === null) return send(call, 400, { error: 'invalid path' });
    const request: RawRequest = { method, path, hasForm: hasForm(incoming) };
    const grant = await door.identify({
      authorization: incoming.headers.authorization,
      apiKey: headerOf(incoming, API_KEY_HEADER),
      actor: headerOf(incoming, ACTOR_HEADER),
    });
    if ('status' in grant) return send(call, grant.status, grant.body);
    call.userId = grant.userId;
    const access: Access = { isEnded: false, stop: null };
    const leave = runningWork.follow(grant.userId, () => {
      if (access.isEnded) return;
      access.isEnded = true;
      cut(call);
      access.stop?.();
    });
    try {
      const marks = { requestId, span: call.trace?.admit() };
      const answered = await door.serve(grant, request, openWire(call, access), marks);
      if (answered !== null) send(call, answered.status, answered.body, answered.headers);
    } finally {
      leave();
    }
  }

  async function serve(call: ServedCall): Promise<void> {
    const { incoming, outgoing, requestId, started, trace } = call;
    try {
      await answer(call);
    } catch (error) {
      log.write('error', 'request failed', { requestId, route: ROUTE, ...describe(error) });
      if (outgoing.headersSent) outgoing.destroy();
      else if (error instanceof Unavailable) send(call, 503, { error: unavailableText(error) }, RETRY_LATER);
      else send(call, 500, { error: ErrorText.INTERNAL_ERROR });
    }
    const answered = {
      requestId,
      method: incoming.method ?? '',
      route: ROUTE,
      status: outgoing.statusCode,
    };
    recordRequest({ ...answered, started, userId: call.userId });
    trace?.end(answered);
  }

  return {
    takes(incoming, outgoing, continues) {
      const target = incoming.url ?? '';
      if (!target.startsWith('/c/') && !isAbsoluteProxyPath(target)) return false;
      // The app answers 404 there.
      if (isJotsOrigin(incoming.headers.host)) return false;
      const requestId = readRequestId(incoming.headers['x-request-id']?.toString()) ?? nextId();
      const started = clock.millis();
      const trace = beginTrace?.(started, (name) => headerOf(incoming, name));
      void serve({ incoming, outgoing, requestId, waits: continues, trace, started });
      return true;
    },
    close: () => pools.close(),
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
