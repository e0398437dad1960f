// Serves POST /mcp: one JSON-RPC message in, one answer out, no session. reference: MCP endpoint; decision: 031
import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type BearerChallenge, createChallenge } from '../auth/challenge.ts';
import type { Identify } from '../kit/actor.ts';
import { sendWhileAllowed } from '../auth/ending-stream.ts';
import type { RunningWork, Work } from '../auth/running-work.ts';
import { howToSend, type ReadLargeBody, readText } from '../http/request-body.ts';
import type { Lease, MemoryBudget } from '../memory/budget.ts';
import type { Ports } from '../ports/ports.ts';
import { ErrorText, JsonRpcCode } from '../http/error-codes.ts';
import { ACCESS_ENDED, describe, HttpError, unavailableText } from '../http/errors.ts';
import type { SendJson } from '../http/large-json.ts';
import type { KnownCaller } from '../kit/integration.ts';
import { SET_NAME, setPath } from '../kit/set-address.ts';
import { parseRequest } from '../json/exact-integers.ts';
import { isObject } from '../json/json.ts';
import { truncate } from '../json/truncate.ts';
import { orAborted } from '../memory/or-aborted.ts';
import { corsFor, type IsAllowedOrigin } from '../http/origins.ts';
import { Unavailable } from '../ports/unavailable.ts';
import {
  decode,
  errorText,
  idOf,
  type Request,
  type RequestId,
  resultText,
  type RpcError,
} from './json-rpc.ts';
import type { InputRequired, Round } from './input-required.ts';
import { keepAlive } from './keep-alive.ts';
import { APPS_SESSION, SESSION_HEADER, takesApps, takesAppsNow } from './apps.ts';
import { WAIT_FOR_CONNECTION } from './meta-tools/wait-for-connection.ts';
import { narrowActor } from './narrowing.ts';
import { READ_RESULT } from './meta-tools/read-result.ts';
import { type Called, type Methods, noResource, type Reply } from './methods.ts';
import type { RunLong } from './long-calls.ts';
import { createProgressStream } from './progress-stream.ts';
import type { TaskMethods } from './task-methods.ts';
import { checkModern, complete, isModern, ownCache } from './modern.ts';
import type { OpenServed, Served } from './served.ts';
import type { OpenSet } from './set-server.ts';
import { tellWaiting } from './tell-waiting.ts';
import { createTracedRequest, type McpEnv } from './traced-request.ts';

type Needs = Pick<Ports, 'clock' | 'config' | 'log'> & {
  readLargeBody: ReadLargeBody;
  runningWork: RunningWork;
  sendJson: SendJson;
  identify: Identify;
  isAllowedOrigin: IsAllowedOrigin;
  methods: Pick<Methods, 'names'>;
  /** The nine meta-tools. */
  served: Served;
  openSet: OpenSet;
  inputRequired: InputRequired;
  runLong: RunLong;
  taskMethods: TaskMethods;
  memoryBudget: MemoryBudget;
};

/** An MCP server at its address. */
interface Place {
  challenge: BearerChallenge;
  open: OpenServed;
}

/** The same for a set that does not exist and for one of somebody else. */
const NO_SET: RpcError = { code: JsonRpcCode.INVALID_REQUEST, message: 'There is no set of this name' };
const ACCESS_ENDED_ERROR: RpcError = { code: JsonRpcCode.UNAUTHORIZED, message: ACCESS_ENDED };
/** Bounds what is read of an unauthenticated body to find its JSON-RPC id. */
const MAX_STRANGER_BYTES = 64 * 1024;
const NOT_HELD_BACK = { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const EVENTS_TYPE = { ...NOT_HELD_BACK, 'Content-Type': 'text/event-stream' };
const STREAM_TYPE = { ...JSON_TYPE, ...NOT_HELD_BACK };

export function createMcpRoutes({
  clock,
  config,
  log,
  readLargeBody,
  runningWork,
  sendJson,
  identify,
  isAllowedOrigin,
  methods,
  served,
  openSet,
  inputRequired,
  runLong,
  taskMethods,
  memoryBudget,
}: Needs): Hono<McpEnv> {
  const base = config.SERVER_PUBLIC_URL;
  const everything: Place = { challenge: createChallenge(base), open: () => served };
  const answerTraced = createTracedRequest(methods.names);

  async function answer(c: Context<McpEnv>, place: Place): Promise<Response> {
    const origin = c.req.header('origin');
    if (origin !== undefined && !isAllowedOrigin(origin)) {
      return refuse(c, 403, null, {
        code: JsonRpcCode.FORBIDDEN,
        message: 'Origin not allowed. The operator can add it to MCP_ALLOWED_ORIGINS.',
      });
    }
    const identity = await identify(c.req.raw.headers);
    if (identity === null) return refuseStranger(c, place);
    c.set('userId', identity.userId);
    const narrowed = narrowActor(identity.actor, c.req.url);
    // The access may end while the body is read.
    const underWay: UnderWay = { work: runningWork.begin(identity.userId), isStreamed: false, isHeld: false };
    const { ended } = underWay.work;
    try {
      return await readLargeBody(c, identity.userId, async (text, lease) => {
        if ('error' in narrowed) return refuse(c, 400, idOf(parseRequest(text)), narrowed.error);
        const { actor } = narrowed;
        const caller = { ...identity, actor, requestId: c.get('requestId'), ended, lease };
        return answerText(c, place, caller, text, underWay);
      });
    } finally {
      if (!underWay.isStreamed && !underWay.isHeld) underWay.work.end();
    }
  }

  async function refuseStranger(c: Context<McpEnv>, { challenge }: Place): Promise<Response> {
    const message = parseRequest(await readSmall(c));
    const data = { resource_metadata: challenge.resourceMetadata };
    c.header('WWW-Authenticate', challenge.headers['WWW-Authenticate']);
    return refuse(c, 401, idOf(message), {
      code: JsonRpcCode.UNAUTHORIZED,
      message: ErrorText.UNAUTHORIZED,
      data,
    });
  }

  async function answerText(
    c: Context<McpEnv>,
    place: Place,
    caller: KnownCaller,
    text: string,
    underWay: UnderWay,
  ): Promise<Response> {
    const message = parseRequest(text);
    if (message === undefined)
      return refuse(c, 400, null, {
        code: JsonRpcCode.PARSE_ERROR,
        message: `Parse error: the body is not JSON${howToSend(c)}`,
      });
    const decoded = decode(message);
    if (decoded.kind === 'silent') return c.body(null, 202);
    if (decoded.kind === 'error') return refuse(c, 400, decoded.id, decoded.error);
    const { request } = decoded;
    const trace = c.get('trace');
    const server = await place.open(caller, request);
    if (server === null) return refuse(c, 404, request.id, NO_SET);
    const answerIt = (known: KnownCaller) => answerRequest(c, server, known, request, underWay);
    return trace === undefined ? answerIt(caller) : answerTraced(c, trace, caller, request, answerIt);
  }

  function answerRequest(
    c: Context<McpEnv>,
    server: Served,
    caller: KnownCaller,
    request: Request,
    underWay: UnderWay,
  ): Response | Promise<Response> {
    return isModern(request)
      ? answerModern(c, server, caller, request, underWay)
      : answerLegacy(c, server, caller, request, underWay);
  }

  function answerLegacy(
    c: Context<McpEnv>,
    server: Served,
    caller: KnownCaller,
    request: Request,
    underWay: UnderWay,
  ): Response | Promise<Response> {
    // In this era a disconnect does not cancel the call. MCP 2025-11-25, Sending Messages
    if (request.method === 'tools/call')
      return answerCall(c, server, caller, request, {
        errorStatus: 200,
        finish: (result) => result,
        tellsModel: tellsModel(c.req.header('mcp-protocol-version')),
        showsApps: showsApps(c),
        signal: underWay.work.ended,
        underWay,
      });
    if (request.method === 'resources/read' && showsApps(c))
      return readPage(c, server, caller, request, (result) => result);
    const reply = server.replyLegacy(request, showsApps(c));
    if (request.method === 'initialize' && takesApps(request.params['capabilities'])) {
      c.header(SESSION_HEADER, APPS_SESSION);
      c.header('Access-Control-Expose-Headers', SESSION_HEADER, { append: true });
    }
    return reply === null ? c.body(null, 202) : send(c, request, reply, () => 200);
  }

  async function answerModern(
    c: Context<McpEnv>,
    server: Served,
    caller: KnownCaller,
    request: Request,
    underWay: UnderWay,
  ): Promise<Response> {
    const error = checkModern(request, c.req.raw.headers);
    if (error !== null) return refuse(c, 400, request.id, error);
    // In this era a disconnect cancels the call. MCP 2026-07-28, Cancellation
    if (request.method === 'tools/call') {
      const signal = underWay.work.until(c.req.raw.signal);
      const { params } = request;
      const round = await inputRequired.read(caller, params, server.mayAsk(params['name']));
      if ('error' in round) return refuse(c, 400, request.id, round.error);
      return answerCall(c, server, caller, request, {
        errorStatus: 400,
        finish: (result) => complete(server.about, result),
        tellsModel: true,
        showsApps: takesAppsNow(request.params),
        signal,
        round,
        underWay,
      });
    }
    const statusOf = (code: JsonRpcCode) => (code === JsonRpcCode.METHOD_NOT_FOUND ? 404 : 400);
    const answered = await taskMethods.answer(caller, request, server);
    if (answered !== null) {
      if ('error' in answered) return refuse(c, statusOf(answered.error.code), request.id, answered.error);
      const guard = sendWhileAllowed(runningWork, caller.userId, underWay.work);
      return sendJson(c, caller.userId, resultText(request.id, JSON.stringify(answered.result)), guard);
    }
    const more = (await server.replyMore?.(caller, request)) ?? null;
    if (more !== null) return send(c, request, more, statusOf);
    if (request.method === 'resources/read' && takesAppsNow(request.params))
      return readPage(c, server, caller, request, (result) =>
        complete(server.about, { ...result, ...ownCache(server.about) }),
      );
    return send(c, request, server.replyModern(request), statusOf);
  }

  async function readPage(
    c: Context<McpEnv>,
    server: Served,
    caller: KnownCaller,
    request: Request,
    finish: (result: Record<string, unknown>) => Record<string, unknown>,
  ): Promise<Response> {
    const { uri } = request.params;
    const page = typeof uri === 'string' ? await server.readPage(caller, uri) : null;
    const reply = page === null ? noResource(uri) : { result: finish(page) };
    return send(c, request, reply, () => (isModern(request) ? 400 : 200));
  }

  interface UnderWay {
    work: Work;
    /** The work goes on after the response has begun. */
    isStreamed: boolean;
    /** The work goes on as a task, which ends it. */
    isHeld: boolean;
  }

  interface Era {
    errorStatus: ContentfulStatusCode;
    finish: (result: Record<string, unknown>) => Record<string, unknown>;
    /** Whether mistakes of a model are results that it reads, instead of protocol errors. SEP-1303 */
    tellsModel: boolean;
    /** Whether the client shows the pages of tools. */
    showsApps: boolean;
    /** Aborts when the call is cancelled, and when the access of the person ends. */
    signal: AbortSignal;
    underWay: UnderWay;
    /** Set in the era in which a client can be asked to show the person a question. */
    round?: Round;
  }

  async function answerCall(
    c: Context<McpEnv>,
    server: Pick<Served, 'call'>,
    caller: KnownCaller,
    // Takes only these two fields: a wait of minutes must not keep the rest of the request in memory.
    { id, params }: Request,
    era: Era,
  ): Promise<Response> {
    const asked = era.round?.retry?.results.flatMap(({ approval }) => approval?.url ?? []) ?? null;
    const waits = params['name'] === WAIT_FOR_CONNECTION || asked !== null;
    const progress = createProgressStream(params, c.req.header('accept'), waits);
    const onProgress = progress?.onProgress;
    const call = await server.call(
      onProgress === undefined ? caller : { ...caller, onProgress },
      params,
      era.showsApps,
    );
    if ('error' in call) {
      if (!era.tellsModel || call.isMistake !== true) return refuse(c, era.errorStatus, id, call.error);
      const mistake = { content: [{ type: 'text', text: truncate(call.error.message) }], isError: true };
      return tell(c, id, era.finish(mistake));
    }
    const { round, underWay } = era;
    const begun = round === undefined ? null : await taskMethods.before(caller, params, call);
    if (begun !== null) return c.body(resultText(id, JSON.stringify(era.finish(begun))), 200, JSON_TYPE);
    const guard = sendWhileAllowed(runningWork, caller.userId, era.underWay.work);
    const run = async (signal?: AbortSignal, lease?: Lease): Promise<Record<string, unknown>> => {
      if (round === undefined) return show(await call.run(signal, lease));
      if (round.answer !== null) return { ...(await call.render(round.answer)) };
      if (round.retry !== null) await inputRequired.wait(caller, round, signal);
      const ran = taskMethods.mayHold(params, call)
        ? await runLong(caller, params, call, signal)
        : { called: await call.run(signal, lease) };
      if ('task' in ran) {
        underWay.isHeld = true;
        void ran.over.then(() => underWay.work.end());
        return ran.task;
      }
      const { called } = ran;
      const task = await taskMethods.after(caller, params, call, called.value);
      return task ?? inputRequired.ask(caller, round, called.value) ?? show(called);
    };
    const show = ({ value, rendered }: Called): Record<string, unknown> =>
      era.tellsModel && call.name === READ_RESULT && isObject(value) && 'error' in value
        ? { ...rendered, isError: true }
        : { ...rendered };
    const { ended } = underWay.work;
    const notes = c.get('notes');
    const work = async (signal: AbortSignal, lease?: Lease) => {
      const running = run(signal, lease);
      const result = await (call.tellsEnd === true ? running : orAborted(running, ended));
      if (notes !== undefined && result['isError'] === true) notes.error = 'tool_error';
      return resultText(id, JSON.stringify(era.finish(result)));
    };
    const { span } = caller;
    /** The status line is sent before this text, so the text has to carry an error. */
    const carry = async (running: Promise<string>): Promise<string> => {
      try {
        const text = await running;
        span?.end({ error: notes?.error });
        return text;
      } catch (error) {
        span?.end({ error: 'internal_error' });
        if (ended.aborted) return errorText(id, ACCESS_ENDED_ERROR);
        log.write('error', 'wait failed', { requestId: caller.requestId, ...describe(error) });
        const message = error instanceof Unavailable ? unavailableText(error) : ErrorText.INTERNAL_ERROR;
        return errorText(id, { code: JsonRpcCode.INTERNAL_ERROR, message });
      } finally {
        if (!underWay.isHeld) underWay.work.end();
      }
    };
    const beginStream = () => {
      underWay.isStreamed = true;
      if (notes !== undefined) notes.isStream = true;
    };
    // The lease of the request ends when a stream begins.
    const onOwnLease = async (signal: AbortSignal): Promise<string> => {
      const lease = memoryBudget.open(caller.userId);
      try {
        return await work(signal, lease);
      } finally {
        lease.close();
      }
    };
    if (!waits) {
      const gone = new AbortController();
      // Only in the newer era does a client that leaves cancel its call.
      const signal = round === undefined ? era.signal : AbortSignal.any([era.signal, gone.signal]);
      const running = progress === null ? work(era.signal) : onOwnLease(signal);
      if ((await progress?.begins(running)) === true && progress !== null) {
        beginStream();
        return c.body(
          progress.stream(carry(running), () => gone.abort()),
          200,
          EVENTS_TYPE,
        );
      }
      try {
        return sendJson(c, caller.userId, await running, guard);
      } catch (error) {
        if (ended.aborted) return refuse(c, 401, id, ACCESS_ENDED_ERROR);
        throw error;
      }
    }
    beginStream();
    if (progress !== null) {
      const [gone, over] = [new AbortController(), new AbortController()];
      const ending = carry(onOwnLease(AbortSignal.any([gone.signal, ended]))).finally(() => over.abort());
      const message =
        asked === null
          ? 'The person has not finished connecting yet'
          : `A person has to decide: ${asked.join(' ')}`;
      void tellWaiting(clock, progress.onProgress, message, AbortSignal.any([gone.signal, over.signal]));
      return c.body(
        progress.stream(ending, () => gone.abort()),
        200,
        EVENTS_TYPE,
      );
    }
    const stream = keepAlive(clock, (gone) => carry(onOwnLease(AbortSignal.any([gone, ended]))));
    return c.body(stream, 200, STREAM_TYPE);
  }

  // GET, SSE and DELETE are not supported. Real clients read a 404 here as a broken server. reference: MCP endpoint; decision: 031
  function methodNotAllowed(c: Context<McpEnv>): Response {
    return c.json({ error: 'Method not allowed: POST one JSON-RPC message' }, 405, { Allow: 'POST' });
  }

  /** What is no name of a set is no set of anybody. */
  function placeOf(name: string): Place {
    const path = SET_NAME.test(name) ? setPath(name) : '';
    return {
      challenge: createChallenge(base, path),
      open: (caller, request) => openSet(caller, request, name),
    };
  }

  const app = new Hono<McpEnv>();
  const mount = (paths: readonly string[], placeFor: (c: Context<McpEnv>) => Place): void => {
    for (const path of paths) {
      app.use(path, corsFor(isAllowedOrigin));
      app.post(path, (c) => answer(c, placeFor(c)));
      app.all(path, methodNotAllowed);
    }
  };
  mount(['/mcp', '/mcp/'], () => everything);
  mount(['/mcp/sets/:name', '/mcp/sets/:name/'], (c) => placeOf(c.req.param('name') ?? ''));
  return app;
}

/** Returns an empty text for a larger body, and stops reading there. An announced length is enough to answer at once. */
async function readSmall(c: Context<McpEnv>): Promise<string> {
  try {
    return await readText(c, MAX_STRANGER_BYTES);
  } catch (error) {
    if (error instanceof HttpError && error.status === 413) return '';
    throw error;
  }
}

function send(
  c: Context<McpEnv>,
  { id }: Request,
  reply: Reply,
  statusOf: (code: JsonRpcCode) => ContentfulStatusCode,
): Response {
  if ('error' in reply) return refuse(c, statusOf(reply.error.code), id, reply.error);
  const body = 'answer' in reply ? reply.answer(id) : resultText(id, JSON.stringify(reply.result));
  return c.body(body, 200, JSON_TYPE);
}

/** Answers a mistake that the model reads. */
function tell(c: Context<McpEnv>, id: RequestId, result: Record<string, unknown>): Response {
  const notes = c.get('notes');
  if (notes !== undefined) notes.error = 'tool_error';
  return c.body(resultText(id, JSON.stringify(result)), 200, JSON_TYPE);
}

/** In the older era the client repeats the id that it got for what it had said. */
const showsApps = (c: Context<McpEnv>): boolean => c.req.header(SESSION_HEADER) === APPS_SESSION;

/** Versions are dates. Those before 2025-11-25 have protocol errors for wrong arguments. */
const tellsModel = (version: string | undefined): boolean =>
  version !== undefined && /^\d{4}-\d\d-\d\d$/.test(version) && version >= '2025-11-25';

function refuse(
  c: Context<McpEnv>,
  status: ContentfulStatusCode,
  id: RequestId | null,
  error: RpcError,
): Response {
  const notes = c.get('notes');
  if (notes !== undefined) notes.error = String(error.code);
  return c.body(errorText(id, error), status, JSON_TYPE);
}
