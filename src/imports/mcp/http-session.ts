// Speaks Streamable HTTP. Between calls a session is data only: each call has a client, a transport and a send of its own.
import type { Client, DiscoverResult } from '@modelcontextprotocol/client';
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CallScope } from './call-scope.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { createClient, loadLibrary, type McpLibrary } from './library.ts';
import { type Ask, connect, pause, type Session, type SessionEvents } from './session.ts';
import { type TrackedTransport, trackTransport, unwrap } from './tracked-transport.ts';
import { anyResult } from './any-result.ts';
import { McpFailure } from './client.ts';

/** What the calls of a session have in common. */
interface Shared {
  sessionId: string | undefined;
  /** The version that is named in headers. Undefined before the session has begun. */
  protocolVersion: string | undefined;
  /** Only in the newer era: it replaces the handshake of each client. */
  discover: DiscoverResult | undefined;
  nextId: () => number;
}

type Needs = { clock: Clock };

/** A server may ask for a pause before a lost stream is opened again, but not for a storm of requests. */
const MIN_RECONNECT_MS = 1_000;
const MAX_RECONNECTS = 300;
/** The rest of a stream is read for so long, because a connection that is cut cannot be used again. */
const REST_MS = 250;
const END_MS = 5_000;

export async function openHttpSession(
  { clock }: Needs,
  scope: CallScope,
  { onToolsChanged }: SessionEvents,
  isLegacy: boolean,
): Promise<Session> {
  const library = await loadLibrary();
  let id = 0;
  const begun: Shared = {
    sessionId: undefined,
    protocolVersion: undefined,
    discover: undefined,
    nextId: () => id++,
  };
  const { client, transport } = open(library, { clock }, scope, begun, onToolsChanged, false);
  try {
    await connect(scope, client, transport, isLegacy);
    const shared: Shared = {
      ...begun,
      sessionId: transport.sessionId,
      protocolVersion: client.getNegotiatedProtocolVersion(),
      discover: client.getDiscoverResult(),
    };
    const server = client.getServerVersion();
    return {
      serverName: server?.name ?? '',
      title: server?.title,
      instructions: client.getInstructions(),
      era: shared.discover === undefined ? 'legacy' : 'modern',
      transport: 'streamable-http',
      ask: (call, ask) => askOnce(library, { clock }, call, shared, ask, onToolsChanged),
      end: () => endAtServer(scope, shared),
    };
  } finally {
    void finish(client, transport);
  }
}

async function askOnce(
  library: McpLibrary,
  needs: Needs,
  scope: CallScope,
  shared: Shared,
  { method, params, inputSchema }: Ask,
  onToolsChanged: () => void,
): Promise<unknown> {
  const { client, transport } = open(library, needs, scope, shared, onToolsChanged, true);
  const options = { signal: scope.signal, timeout: scope.timeLeft() };
  try {
    await client.connect(
      transport,
      shared.discover === undefined ? {} : { prior: { kind: 'modern', discover: shared.discover } },
    );
    if (method === 'tools/call' && shared.discover !== undefined && wantsHeaders(inputSchema)) {
      const { name, arguments: args } = params;
      const toolDefinition = { name: String(name), inputSchema: { ...inputSchema, type: 'object' as const } };
      const call = client.callTool(
        { name: String(name), arguments: isObject(args) ? args : {} },
        { ...options, toolDefinition },
      );
      return unwrap(await scope.wait(call));
    }
    return unwrap(await scope.wait(client.request({ method, params }, anyResult, options)));
  } finally {
    void finish(client, transport);
  }
}

function open(
  library: McpLibrary,
  { clock }: Needs,
  scope: CallScope,
  shared: Shared,
  onToolsChanged: () => void,
  isResumed: boolean,
): { client: Client; transport: TrackedTransport } {
  const address = new URL(scope.reached.address);
  const streams = new Set<string>();
  let reconnects = 0;
  const { sessionId, protocolVersion } = shared;
  const inner = new library.StreamableHTTPClientTransport(address, {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    fetch: createGuardedFetch({
      library,
      address,
      // The library opens a stream for messages that belong to no call. Only a stream that broke off is opened again.
      scopeOf: ({ method }) => (method === 'GET' && reconnects === 0 ? null : scope),
      onStream: (messageId) => streams.add(messageId),
    }),
    reconnectionScheduler(reconnect, delay) {
      if (++reconnects > MAX_RECONNECTS)
        return scope.fail(new McpFailure(`${scope.host} breaks off its answer again and again`));
      void clock.sleep(Math.max(delay, MIN_RECONNECT_MS), scope.signal).then(() => {
        if (!scope.signal.aborted) reconnect();
      });
    },
  });
  const transport = trackTransport(inner, {
    host: scope.host,
    nextId: shared.nextId,
    isStreamed: (messageId) => streams.has(messageId),
    isResumed,
    onToolsChanged,
    onFlood: scope.fail,
  });
  return { client: createClient(library), transport };
}

/** Lets the end of the stream and a cancellation through, and then frees everything. */
async function finish(client: Client, transport: TrackedTransport): Promise<void> {
  await Promise.race([transport.quiet(), pause(REST_MS)]);
  await client.close().catch(() => {});
}

/** A server that cannot be told ends its session by itself. */
async function endAtServer({ reached }: CallScope, { sessionId, protocolVersion }: Shared): Promise<void> {
  if (sessionId === undefined) return;
  const response = await reached
    .send(new URL(reached.address), {
      method: 'DELETE',
      headers: {
        'mcp-session-id': sessionId,
        ...(protocolVersion === undefined ? {} : { 'mcp-protocol-version': protocolVersion }),
      },
      timeoutMs: END_MS,
    })
    .catch(() => null);
  await response?.body?.cancel().catch(() => {});
}

const known = new WeakMap<JsonSchema, boolean>();

/** Whether an argument is repeated in a header. It is found by text, since most schemas have none. */
function wantsHeaders(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return false;
  const found = known.get(schema) ?? JSON.stringify(schema).includes('"x-mcp-header"');
  known.set(schema, found);
  return found;
}
