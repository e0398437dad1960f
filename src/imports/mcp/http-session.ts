// Speaks Streamable HTTP. Between calls a session is data only: each call has a client and a send of its own.
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Reached } from '../model/reach.ts';
import { anyResult } from './any-result.ts';
import type { CallScope } from './call-scope.ts';
import { createHttpClient, finish, type HttpClient, type HttpState, resume } from './http-client.ts';
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

  async function ask(call: CallScope, { method, params: given, inputSchema }: Ask): Promise<unknown> {
    latest = call.reached;
    const opened = stream?.ensure(call);
    // What a call makes the server ask must find the stream open.
    if (method === 'tools/call' && !isModern) await opened;
    const { params, close } = common.tokens.ask(call, given);
    const onProgress = common.tokens.tell;
    const own = createHttpClient({ ...common, scope: call, state, isResumed: true, onProgress });
    const options = { signal: call.signal, timeout: call.timeLeft() };
    try {
      await resume(own, state);
      if (method === 'tools/call' && isModern && wantsHeaders(inputSchema)) {
        const { name, arguments: args, _meta: meta } = params;
        const definition = { name: String(name), inputSchema: { ...inputSchema, type: 'object' as const } };
        const result = own.client.callTool(
          {
            name: String(name),
            arguments: isObject(args) ? args : {},
            ...(isObject(meta) ? { _meta: meta } : {}),
          },
          { ...options, toolDefinition: definition },
        );
        return unwrap(await call.wait(result));
      }
      return unwrap(await call.wait(own.client.request({ method, params }, anyResult, options)));
    } finally {
      close();
      void finish(own, common.clock);
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
      stream?.end();
      await endAtServer(latest, state);
    },
  };
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
