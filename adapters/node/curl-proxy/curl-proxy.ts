// Serves /c/:integration/*: raw HTTP through the gateway with the stored credential. reference: Curl proxy; decision: 024, 055
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPinnedPools } from '../../../drivers/network/pinned-pools.ts';
import type { Work } from '../../../src/auth/running-work.ts';
import { CURL_METHODS } from '../../../src/auth/curl-token.ts';
import { keepCookies } from '../../../src/connections/cookies/keep-cookies.ts';
import { canRenew } from '../../../src/connections/credential.ts';
import type { Deps } from '../../../src/deps.ts';
import { endCall, startCall } from '../../../src/egress/trace-hop.ts';
import { hostsOf } from '../../../src/kit/known-hosts.ts';
import type { Integration } from '../../../src/kit/integration.ts';
import type { Connection } from '../../../src/ports/records.ts';
import { ErrorCode, ErrorText } from '../../../src/http/error-codes.ts';
import { ACCESS_ENDED, describe, RETRY_LATER, UNAVAILABLE } from '../../../src/http/errors.ts';
import type { Span } from '../../../src/ports/telemetry.ts';
import { createIsOwnOrigin } from '../../../src/jots/serving/own-origin.ts';
import { Unavailable } from '../../../src/ports/unavailable.ts';
import { type Approved, type Asked, createApprove, MAX_SHOWN_BYTES } from '../../../src/proxy/approve.ts';
import { isAbsoluteProxyPath, splitProxyPath } from '../../../src/proxy/path.ts';
import {
  createRecordRequest,
  createRequestIds,
  readRequestId,
  REQUEST_ID_HEADER,
} from '../../../src/http/observe.ts';
import { createPermits, type Permitted } from '../../../src/proxy/permit.ts';
import { createRecordCall } from '../../../src/proxy/records.ts';
import type { Refused } from '../../../src/proxy/refusals.ts';
import type { ProxyRequest } from '../../../src/proxy/request.ts';
import { createIsTracedFurther } from '../../../src/egress/traced-further.ts';
import { createBeginTrace, type RequestTrace } from '../../../src/http/request-trace.ts';
import { traceFields } from '../../../src/egress/trace-context.ts';
import { callerHeaders } from './headers.ts';
import { type Exchange, relay, type Relayed } from './relay.ts';
import { announcesMoreThan, endAfterUpload, hasBody, hasForm, readBody } from './upload.ts';

const METHODS: ReadonlySet<string> = new Set(CURL_METHODS);
const ROUTE = '/c/:integration/*';
const HEADERS_MS = 60_000;
const LAST_WORD_MS = 500;
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const NEVER = new AbortController().signal;

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
  /** Set once the token is known. */
  userId?: string | undefined;
  /** Absent where nothing is traced. */
  trace: RequestTrace | undefined;
  started: number;
}

/** How an approved call ended. */
type RunEnd = Parameters<Approved['finish']>[0];

/** A call that runs. */
interface Run {
  /** Aborts when the person's access ends. */
  ended: AbortSignal;
  permitted: Permitted;
  request: ProxyRequest;
  /** Set for a call that a person has approved. */
  approved: { id: string; body: Buffer | null } | null;
  /** Notes how an approved call ended, once. It never rejects. */
  finish: (end: RunEnd) => Promise<void>;
}

export function createCurlProxy(deps: Deps, { headersTimeout = HEADERS_MS } = {}): CurlProxy {
  const { calls, clock, log, runningWork, stateUpdates, tokens } = deps;
  const permits = createPermits(deps);
  const approve = createApprove(deps);
  const recordCall = createRecordCall(deps);
  const isJotsOrigin = createIsOwnOrigin(deps.config);
  const nextId = createRequestIds(deps.random);
  const recordRequest = createRecordRequest(deps);
  const pools = createPinnedPools({ headersTimeout, bodyTimeout: 0 });
  const beginTrace = createBeginTrace(deps);
  const isTracedFurther = createIsTracedFurther(deps.config);
  const hosts = hostsOf(deps.integrations);

  async function answer(call: Call): Promise<void> {
    const { incoming, outgoing } = call;
    const method = incoming.method ?? '';
    if (!METHODS.has(method)) {
      outgoing.setHeader('Allow', [...METHODS].join(', '));
      return send(call, 405, { error: 'Method not allowed' });
    }
    const path = splitProxyPath(incoming.url ?? '');
    if (path === null) return send(call, 400, { error: 'invalid path' });
    const { authorization } = incoming.headers;
    const admit = call.trace?.admit;
    const request: ProxyRequest = { method, path, authorization, hasForm: hasForm(incoming), admit };
    let work: Work | undefined;
    try {
      const permitted = await permits.permit(request, (userId) => {
        call.userId = userId;
        work = runningWork.begin(userId);
        work.ended.addEventListener('abort', () => cut(call));
      });
      if (permitted.kind === 'refused') return refuse(call, request, permitted);
      await runPermitted(call, permitted, request, work?.ended ?? NEVER);
    } finally {
      work?.end();
    }
  }

  async function runPermitted(
    call: Call,
    permitted: Permitted,
    request: ProxyRequest,
    ended: AbortSignal,
  ): Promise<void> {
    try {
      // It was answered while it was being permitted.
      if (ended.aborted) return;
      const { question } = permitted;
      if (question === null) return await run(call, { permitted, ended, request, ...WITHOUT_QUESTION });
      await runApproved(call, { ...permitted, question }, request, ended);
    } finally {
      calls.end(permitted.userId);
    }
  }

  async function run(call: Call, running: Run): Promise<void> {
    askForBody(call);
    const started = clock.millis();
    const relayed = await withSecondTry(call, running).catch((error: unknown) => {
      // The upstream may have been called already.
      record(call, running, { kind: 'failed', reason: '' }, clock.millis() - started);
      throw error;
    });
    if (relayed.kind === 'failed') {
      await running.finish(endOfCut(running.ended));
      send(call, 502, { error: `upstream request failed: ${relayed.reason}` });
    }
    record(call, running, relayed, clock.millis() - started);
  }

  /** Reads the whole body first: what runs is what the person was shown. */
  async function runApproved(
    call: Call,
    asked: Asked,
    request: ProxyRequest,
    ended: AbortSignal,
  ): Promise<void> {
    const { incoming, outgoing } = call;
    if (announcesMoreThan(MAX_SHOWN_BYTES, incoming))
      return refuse(call, request, approve.refuseTooLarge(asked, request));
    askForBody(call);
    const read = hasBody(incoming) ? await readBody(incoming, MAX_SHOWN_BYTES) : EMPTY;
    if (read === 'too-large') return refuse(call, request, approve.refuseTooLarge(asked, request));
    if (read === 'caller-gone' || outgoing.destroyed)
      return record(call, { permitted: asked, ended, request, approved: null }, { kind: 'caller-gone' }, 0);
    const body = read.length === 0 ? null : read;
    const headers = callerHeaders(incoming.rawHeaders, asked);
    const entry = await approve.enter(asked, request, { headers, body });
    if (entry.kind === 'refused') return refuse(call, request, entry);
    const finish = finishOnce(call, entry);
    try {
      const approved = { id: entry.approvalId, body };
      await run(call, { permitted: asked, ended, request, approved, finish });
    } finally {
      await finish(endOfCut(ended));
    }
  }

  /** A store that fails now leaves the run to be found as lost: its answer is worth more than this note. */
  function finishOnce({ requestId }: Call, { finish }: Approved): Run['finish'] {
    let finished: Promise<void> | undefined;
    return (end) =>
      (finished ??= finish(end).catch((error: unknown) => {
        log.write('error', 'the end of an approved call was not noted', { requestId, ...describe(error) });
      }));
  }

  function refuse(call: Call, request: ProxyRequest, { status, body, headers, recorded }: Refused): void {
    send(call, status, body, headers);
    if (recorded !== undefined)
      recordCall(request, { ...recorded, requestId: call.requestId, milliseconds: 0 });
  }

  const sendOn = ({ trace }: Call, exchange: Exchange): Promise<Relayed> =>
    trace === undefined ? relay(pools, exchange) : relayTraced(trace.admit(), exchange);

  async function relayTraced(parent: Span, exchange: Exchange): Promise<Relayed> {
    const { permitted, incoming } = exchange;
    const { integration, destination } = permitted;
    const span = startCall(parent, incoming.method ?? '', destination.declared.hostname, hosts);
    // A trace that the caller names is the caller's own header, and passes as it is.
    const isTold = isTracedFurther(integration) && incoming.headers['traceparent'] === undefined;
    const added = isTold ? Object.entries(traceFields(span.context)).flat() : [];
    const relayed = await relay(pools, { ...exchange, added });
    endRelay(span, relayed);
    return relayed;
  }

  async function withSecondTry(call: Call, running: Run): Promise<Relayed> {
    const { incoming, outgoing } = call;
    const { permitted, ended, request, approved, finish } = running;
    const mayRenew = canRenew(permitted.credential);
    const mayRetry = mayRenew && !hasBody(incoming);
    const kept = { connection: permitted.connection };
    const keep = async (lines: readonly string[]) => {
      kept.connection = await keepOrLog(call, permitted, lines);
    };
    const note = (status: number, lines: readonly string[]) => {
      const notes = [
        ...(lines.length === 0 ? [] : [keep(lines)]),
        ...(approved === null ? [] : [finish(status < 400 ? 'done' : 'failed')]),
      ];
      return notes.length === 0 ? null : Promise.all(notes).then(() => {});
    };
    const exchange = { incoming, outgoing, ended, requestId: call.requestId, approved, note };
    const first = await sendOn(call, { ...exchange, permitted, mayRetry });
    if (first.kind !== 'turned-down') {
      // A body cannot be sent twice. The token is renewed all the same, so that the caller's next call succeeds.
      if (mayRenew && first.kind === 'answered' && first.status === 401) void renew(call, permitted);
      else void settle(first, permitted.integration, kept.connection);
      return first;
    }
    const newer = await permits.renew(permitted, request);
    if (newer.kind !== 'permitted') {
      const again = await sendOn(call, { ...exchange, permitted, mayRetry: false });
      if (newer.kind === 'dead') void settle(again, permitted.integration, permitted.connection);
      return again;
    }
    const second = await sendOn(call, { ...exchange, permitted: newer, mayRetry: false });
    void settle(second, newer.integration, newer.connection);
    return second;
  }

  /** Notes in the connection what the answer says of its credential. The caller has its answer, so nobody waits for it. */
  async function settle(relayed: Relayed, integration: Integration, connection: Connection): Promise<void> {
    if (relayed.kind !== 'answered') return;
    if (relayed.status === 401) await stateUpdates.refused(connection, integration);
    else if (relayed.status < 300) await stateUpdates.worked(connection, integration);
  }

  async function renew(
    { requestId }: Call,
    { integration, connection, credential }: Permitted,
  ): Promise<void> {
    try {
      const renewed = await tokens.renew(connection, integration, credential);
      if (renewed.kind === 'dead') await stateUpdates.refused(connection, integration);
    } catch (error) {
      log.write('warn', 'token was not renewed', {
        requestId,
        integration: integration.name,
        ...describe(error),
      });
    }
  }

  function record(
    { requestId }: Call,
    { permitted, request, approved }: Omit<Run, 'finish'>,
    relayed: Relayed,
    milliseconds: number,
  ): void {
    const { userId, access, account, owner, actor, integration } = permitted;
    const error = errorOf(relayed);
    const outcome = error === null ? 'ok' : mayHaveChanged(request, relayed) ? 'unknown' : 'error';
    const caller = { userId, actor, integration, account, owner, access, approval: approved?.id };
    const status = relayed.kind === 'answered' ? relayed.status : undefined;
    recordCall(request, { ...caller, requestId, outcome, error, milliseconds, status });
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
    const { incoming, outgoing, requestId, started, trace } = call;
    try {
      await answer(call);
    } catch (error) {
      log.write('error', 'request failed', { requestId, route: ROUTE, ...describe(error) });
      if (outgoing.headersSent) outgoing.destroy();
      else if (error instanceof Unavailable) send(call, 503, { error: UNAVAILABLE }, RETRY_LATER);
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

const EMPTY = Buffer.alloc(0);
/** How an approved call ended that got no response: cut off with the access of its person, or failed. */
const endOfCut = ({ aborted }: AbortSignal): RunEnd => (aborted ? 'unknown' : 'failed');

const WITHOUT_QUESTION = { approved: null, finish: async () => {} };

/** The caller sends its body now, if it has waited with that. */
function askForBody(call: Call): void {
  if (call.waits) call.outgoing.writeContinue();
  call.waits = false;
}

/** Whether a request that was cut off may have changed something at the upstream. */
function mayHaveChanged({ method }: ProxyRequest, relayed: Relayed): boolean {
  return relayed.kind === 'access-ended' && relayed.isSent && !READS.has(method);
}

/** Ends a call whose person has lost their access: with a 401 where nothing was answered, else by closing it. */
function cut(call: Call): void {
  const { incoming, outgoing } = call;
  incoming.unpipe();
  if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
  const text = JSON.stringify({ error: ErrorCode.ACCESS_ENDED, message: ACCESS_ENDED });
  outgoing.writeHead(401, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  });
  outgoing.end(text);
  if (incoming.complete) return;
  // A client that still sends has this long to read the answer.
  incoming.resume();
  setTimeout(() => incoming.destroy(), LAST_WORD_MS).unref();
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

function endRelay(span: Span, relayed: Relayed): void {
  if (relayed.kind === 'answered') endCall(span, relayed.status);
  else if (relayed.kind === 'turned-down') endCall(span, 401);
  else span.end({ error: relayed.kind === 'failed' ? 'unreachable' : 'cancelled' });
}

function errorOf(relayed: Relayed): string | null {
  if (relayed.kind === 'access-ended') return ErrorCode.ACCESS_ENDED;
  if (relayed.kind !== 'answered') return relayed.kind;
  return relayed.status < 400 ? null : `HTTP ${relayed.status}`;
}

function send(
  { incoming, outgoing, requestId, waits }: Call,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    [REQUEST_ID_HEADER]: requestId,
    ...(waits ? { Connection: 'close' } : {}),
    ...headers,
  });
  outgoing.write(text);
  if (waits) outgoing.end();
  else endAfterUpload(incoming, outgoing);
}
