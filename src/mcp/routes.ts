// Serves POST /mcp: one JSON-RPC message in, one answer out, no session. reference: MCP endpoint; decision: 031
import { type Context, Hono } from 'hono';
import { type BearerChallenge, createChallenge } from '../auth/challenge.ts';
import { sendWhileAllowed } from '../auth/ending-stream.ts';
import type { RunningWork } from '../auth/running-work.ts';
import { ErrorText, JsonRpcCode } from '../http/error-codes.ts';
import { HttpError } from '../http/errors.ts';
import type { SendJson } from '../http/large-json.ts';
import { corsFor, type IsAllowedOrigin } from '../http/origins.ts';
import { howToSend, type ReadLargeBody, readText } from '../http/request-body.ts';
import { parseRequest, writeJson } from '../json/exact-integers.ts';
import type { Identify } from '../kit/actor.ts';
import type { KnownCaller } from '../kit/integration.ts';
import { NO_SET, SET_NAME, setPath } from '../kit/set-address.ts';
import type { MemoryBudget } from '../memory/budget.ts';
import type { Ports } from '../ports/ports.ts';
import { createAnswerCall, type UnderWay } from './answer-call.ts';
import { APPS_SESSION, SESSION_HEADER, takesApps, takesAppsNow } from './apps.ts';
import type { InputRequired } from './input-required.ts';
import { decode, idOf, type Request, resultText, type RpcError } from './json-rpc.ts';
import type { RunLong } from './long-calls.ts';
import { type Methods, noResource } from './methods.ts';
import { checkModern, complete, isModern, ownCache } from './modern.ts';
import { narrowActor } from './narrowing.ts';
import { refuse, send } from './send.ts';
import type { OpenServed, Served } from './served.ts';
import type { OpenSet } from './set-server.ts';
import type { TaskMethods } from './task-methods.ts';
import { createTracedRequest, type McpEnv } from './traced-request.ts';

type Needs = Pick<Ports, 'clock' | 'config' | 'log'> & {
  identify: Identify;
  inputRequired: InputRequired;
  isAllowedOrigin: IsAllowedOrigin;
  memoryBudget: MemoryBudget;
  methods: Pick<Methods, 'names'>;
  openSet: OpenSet;
  readLargeBody: ReadLargeBody;
  runLong: RunLong;
  runningWork: RunningWork;
  sendJson: SendJson;
  /** The nine meta-tools. */
  served: Served;
  taskMethods: TaskMethods;
};

/** An MCP server at its address. */
interface Place {
  challenge: BearerChallenge;
  open: OpenServed;
}

const NOT_FOUND: RpcError = { code: JsonRpcCode.INVALID_REQUEST, message: NO_SET };
/** What another server has, it may have changed by the next request. */
const NOT_KEPT = { ttlMs: 0, cacheScope: 'private' } as const;
/** Bounds what is read of an unauthenticated body to find its JSON-RPC id. */
const MAX_STRANGER_BYTES = 64 * 1024;

export function createMcpRoutes(deps: Needs): Hono<McpEnv> {
  const { config, identify, inputRequired, isAllowedOrigin, methods, openSet } = deps;
  const { readLargeBody, runningWork, sendJson, served, taskMethods } = deps;
  const base = config.SERVER_PUBLIC_URL;
  const everything: Place = { challenge: createChallenge(base), open: () => served };
  const answerTraced = createTracedRequest(methods.names);
  const answerCall = createAnswerCall(deps);

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
      return await readLargeBody(c, identity.userId, (text, lease) => {
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
    const opening = place.open(caller, request);
    const server = opening instanceof Promise ? await opening : opening;
    if (server === null) return refuse(c, 404, request.id, NOT_FOUND);
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
  ): Promise<Response> {
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
    return answerOtherLegacy(c, server, caller, request, underWay);
  }

  async function answerOtherLegacy(
    c: Context<McpEnv>,
    server: Served,
    caller: KnownCaller,
    request: Request,
    underWay: UnderWay,
  ): Promise<Response> {
    const known = { ...caller, signal: underWay.work.ended };
    const relayed = (await server.relay?.(known, request, showsApps(c))) ?? null;
    if (relayed !== null)
      return 'error' in relayed
        ? send(c, request, relayed, () => 200)
        : sendLarge(c, caller, request, relayed.result, underWay);
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
      return sendLarge(c, caller, request, answered.result, underWay);
    }
    const known = { ...caller, signal: underWay.work.until(c.req.raw.signal) };
    const more = (await server.replyMore?.(known, request)) ?? null;
    if (more !== null) return send(c, request, more, statusOf);
    const relayed = (await server.relay?.(known, request, takesAppsNow(request.params))) ?? null;
    if (relayed !== null) {
      if ('error' in relayed) return send(c, request, relayed, statusOf);
      const result = complete(server.about, { ...relayed.result, ...NOT_KEPT });
      return sendLarge(c, caller, request, result, underWay);
    }
    if (request.method === 'resources/read' && takesAppsNow(request.params))
      return readPage(c, server, caller, request, (result) =>
        complete(server.about, { ...result, ...ownCache(server.about) }),
      );
    return send(c, request, server.replyModern(request), statusOf);
  }

  /** Sends a result that may be long, and stops when the access of the person ends. */
  function sendLarge(
    c: Context<McpEnv>,
    { userId }: KnownCaller,
    request: Request,
    result: Record<string, unknown>,
    { work }: UnderWay,
  ): Response | Promise<Response> {
    const guard = sendWhileAllowed(runningWork, userId, work);
    return sendJson(c, userId, resultText(request.id, writeJson(result)), guard);
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

  // GET, SSE and DELETE are not supported. Real clients read a 404 here as a broken server. reference: MCP endpoint; decision: 031
  function methodNotAllowed(c: Context<McpEnv>): Response {
    return c.json({ error: 'Method not allowed: POST one JSON-RPC message' }, 405, { Allow: 'POST' });
  }

  /** A text that cannot be the name of a set has the same place as a set that does not exist. */
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

/** In the older era the client repeats the id that it got for what it had said. */
const showsApps = (c: Context<McpEnv>): boolean => c.req.header(SESSION_HEADER) === APPS_SESSION;

/** Versions are dates. Those before 2025-11-25 have protocol errors for wrong arguments. */
const tellsModel = (version: string | undefined): boolean =>
  version !== undefined && /^\d{4}-\d\d-\d\d$/.test(version) && version >= '2025-11-25';
