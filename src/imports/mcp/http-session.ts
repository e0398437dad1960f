// Speaks Streamable HTTP. Between calls a session is data, and clients that serve no call: each call has a send of its own,
// and a client for itself.
import type { RequestOptions, Result } from '@modelcontextprotocol/client';
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Reached } from '../model/reach.ts';
import { anyResult } from './any-result.ts';
import type { CallScope } from './call-scope.ts';
import { createHttpClient, finish, type HttpClient, type HttpState, resume, settle } from './http-client.ts';
import { loadLibrary } from './library.ts';
import { createProgressTokens, type ProgressTokens } from './progress.ts';
import { createServerStream, type TakeStream } from './server-stream.ts';
import { type Ask, connect, type Session, type SessionEvents } from './session.ts';
import { unwrap } from './tracked-transport.ts';

interface Needs {
  clock: Clock;
  /** Null where nothing may stay open between calls. */
  takeStream: TakeStream | null;
}

const END_MS = 5_000;
/** Making a client takes a tenth of a call. One takes some 10 kB. */
const MAX_IDLE_CLIENTS = 8;

export async function openHttpSession(
  { clock, takeStream }: Needs,
  scope: CallScope,
  { onToolsChanged }: SessionEvents,
  isLegacy: boolean,
): Promise<Session> {
  const library = await loadLibrary();
  let id = 0;
  const tokens = createProgressTokens();
  const common: Common = { library, clock, nextId: () => id++, onToolsChanged, tokens };
  const state = { sessionId: undefined, protocolVersion: undefined, discover: undefined };
  const first = createHttpClient({ ...common, scope, state, isResumed: false });
  try {
    await connect(scope, first.client, first.transport, isLegacy);
    return createSession(common, scope, first, takeStream);
  } finally {
    void finish(first, common.clock);
  }
}

type Common = Pick<Parameters<typeof createHttpClient>[0], 'library' | 'clock' | 'onToolsChanged'> & {
  nextId: () => number;
  tokens: ProgressTokens;
};

/** The first client has begun the session. */
function createSession(
  common: Common,
  scope: CallScope,
  first: HttpClient,
  takeStream: TakeStream | null,
): Session {
  const { client } = first;
  const state: HttpState = {
    sessionId: first.transport.sessionId,
    protocolVersion: client.getNegotiatedProtocolVersion(),
    discover: client.getDiscoverResult(),
  };
  const server = client.getServerVersion();
  const isModern = state.discover !== undefined;
  // Many servers of the older era tell of changes without having said so, and may ask at any time.
  const hasStream = !isModern || client.getServerCapabilities()?.tools?.listChanged === true;
  const stream =
    takeStream === null || !hasStream
      ? undefined
      : createServerStream({ ...common, onProgress: common.tokens.tell, state, takeStream });
  let latest = scope.reached;
  // Where requests may not share connections, they share no clients either.
  const maxIdle = takeStream === null ? 0 : MAX_IDLE_CLIENTS;
  const idle: HttpClient[] = [];
  let isOver = false;

  /** Returns a client that can serve the call. */
  function takeClient(call: CallScope): { own: HttpClient; isNew: boolean } {
    const kept = idle.pop();
    if (kept?.address === call.reached.address) {
      kept.serve(call);
      return { own: kept, isNew: false };
    }
    void kept?.client.close().catch(() => {});
    const onProgress = common.tokens.tell;
    return {
      own: createHttpClient({ ...common, scope: call, state, isResumed: true, onProgress }),
      isNew: true,
    };
  }

  /** Keeps the client for further calls if the server has nothing more to say. */
  async function keep(own: HttpClient): Promise<void> {
    const isDone = (await settle(own, common.clock)) && !own.wasBrokenOff();
    own.serve(null);
    if (isDone && !isOver && idle.length < maxIdle) idle.push(own);
    else await own.client.close().catch(() => {});
  }

  async function ask(call: CallScope, { method, params: given, inputSchema }: Ask): Promise<unknown> {
    latest = call.reached;
    const opened = stream?.ensure(call);
    // What a call makes the server ask must find the stream open.
    if (method === 'tools/call' && !isModern) await opened;
    const { params, close } = common.tokens.ask(call, given);
    const { own, isNew } = takeClient(call);
    const options = { signal: call.signal, timeout: call.timeLeft() };
    let isAnswered = false;
    try {
      if (isNew) await resume(own, state);
      const asked =
        method === 'tools/call' && isModern && wantsHeaders(inputSchema)
          ? callWithHeaders(own, params, inputSchema, options)
          : own.client.request({ method, params }, anyResult, options);
      const result = unwrap(await call.wait(asked));
      isAnswered = true;
      return result;
    } finally {
      close();
      void (isAnswered ? keep(own) : finish(own, common.clock));
    }
  }

  return {
    serverName: server?.name ?? '',
    title: server?.title,
    instructions: client.getInstructions(),
    era: isModern ? 'modern' : 'legacy',
    transport: 'streamable-http',
    ask,
    async end() {
      isOver = true;
      stream?.end();
      for (const own of idle.splice(0)) void own.client.close().catch(() => {});
      await endAtServer(latest, state);
    },
  };
}

/** Repeats in headers the arguments that the schema names. */
function callWithHeaders(
  { client }: HttpClient,
  { name, arguments: args, _meta: meta }: Record<string, unknown>,
  inputSchema: JsonSchema | undefined,
  options: RequestOptions,
): Promise<Result> {
  const toolDefinition = { name: String(name), inputSchema: { ...inputSchema, type: 'object' as const } };
  return client.callTool(
    {
      name: String(name),
      arguments: isObject(args) ? args : {},
      ...(isObject(meta) ? { _meta: meta } : {}),
    },
    { ...options, toolDefinition },
  );
}

/** A server that cannot be told ends its session by itself. */
async function endAtServer(
  { address, send, sendAfterwards = send }: Reached,
  { sessionId, protocolVersion }: HttpState,
): Promise<void> {
  if (sessionId === undefined) return;
  const version = protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion };
  const headers = { 'mcp-session-id': sessionId, ...version };
  try {
    const response = await sendAfterwards(new URL(address), { method: 'DELETE', headers, timeoutMs: END_MS });
    await response.body?.cancel();
  } catch {
    // The session ends at the server when nobody uses it.
  }
}

const known = new WeakMap<JsonSchema, boolean>();

/** Whether an argument is repeated in a header. It is found by text, since most schemas have none. */
function wantsHeaders(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  const found = known.get(schema) ?? JSON.stringify(schema).includes('"x-mcp-header"');
  known.set(schema, found);
  return found;
}
