// Makes clients for Streamable HTTP. A client serves one call at a time: it sends what that call may send, and nothing
// outlives the call.
import type { Client, DiscoverResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Clock } from '../../ports/clock.ts';
import type { CallScope } from './call-scope.ts';
import { McpFailure } from './client.ts';
import { createGuardedFetch, isFinal } from './guarded-fetch.ts';
import { createClient, type McpLibrary } from './library.ts';
import { pause } from './pause.ts';
import { type TrackedTransport, trackTransport } from './tracked-transport.ts';

/** What the clients of a session have in common. */
export interface HttpState {
  sessionId: string | undefined;
  /** The version that is named in headers. Undefined before the session has begun. */
  protocolVersion: string | undefined;
  /** Only in the newer era: it replaces the handshake of each client. */
  discover: DiscoverResult | undefined;
}

interface Options {
  library: McpLibrary;
  clock: Clock;
  scope: CallScope;
  state: HttpState;
  /** The session was begun by another client. */
  isResumed: boolean;
  nextId?: () => number;
  onToolsChanged: () => void;
  onProgress?: ((params: unknown) => void) | undefined;
  /** For the stream of messages that belong to no call. Otherwise the library may not open it. */
  stream?: StreamRules;
}

interface StreamRules {
  /** How long one connection may last. */
  ms: number;
  /** Told whether the server has opened the stream. */
  onAnswer: (isOpen: boolean) => void;
  /** The stream has ended; `again` opens it where it ended. */
  onEnd: (again: () => void) => void;
}

export interface HttpClient {
  client: Client;
  inner: StreamableHTTPClientTransport;
  transport: TrackedTransport;
  address: string;
  /** Sends for this call from now on. Null sends nothing, until the next call. */
  serve: (call: CallScope | null) => void;
  /** Whether the server has broken off an answer to the call. */
  wasBrokenOff: () => boolean;
}

/** A server may ask for a pause before a lost stream is opened again, but not for a storm of requests. */
const MIN_RECONNECT_MS = 1_000;
const MAX_RECONNECTS = 300;
/** The rest of a stream is read for so long, because a connection that is cut cannot be used again. */
const REST_MS = 250;

export function createHttpClient(options: Options): HttpClient {
  const { library, clock, state, isResumed, nextId, onToolsChanged, onProgress, stream } = options;
  const { sessionId, protocolVersion } = state;
  const { host, reached } = options.scope;
  const address = new URL(reached.address);
  const streams = new Set<string>();
  let scope: CallScope | null = options.scope;
  let reconnects = 0;

  const guardedFetch = createGuardedFetch({
    library,
    address,
    scopeOf: ({ method }) => (method === 'GET' && reconnects === 0 && stream === undefined ? null : scope),
    onStreamError(error) {
      if (isFinal(error)) scope?.fail(error);
    },
    onStream: (messageId) => streams.add(messageId),
    timeoutFor: ({ method }) => (method === 'GET' ? stream?.ms : undefined),
  });

  const inner = new library.StreamableHTTPClientTransport(address, {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    async fetch(url, init) {
      const response = await guardedFetch(url, init);
      if (init?.method === 'GET') stream?.onAnswer(response.ok);
      return response;
    },
    reconnectionScheduler(reconnect, delay) {
      if (stream !== undefined) return stream.onEnd(reconnect);
      const call = scope;
      if (call === null) return;
      if (++reconnects > MAX_RECONNECTS)
        return call.fail(new McpFailure(`${host} breaks off its answer again and again`));
      void clock.sleep(Math.max(delay, MIN_RECONNECT_MS), call.signal).then(() => {
        if (!call.signal.aborted) reconnect();
      });
    },
  });
  const transport = trackTransport(inner, {
    host,
    ...(nextId === undefined ? {} : { nextId }),
    isStreamed: (messageId) => streams.has(messageId),
    isResumed,
    onToolsChanged,
    onProgress,
    onOdd: (what) => scope?.note(what),
    onFlood: (error) => scope?.fail(error),
  });
  return {
    client: createClient(library),
    inner,
    transport,
    address: reached.address,
    serve(call) {
      scope = call;
      reconnects = 0;
      streams.clear();
    },
    wasBrokenOff: () => reconnects > 0,
  };
}

/** Picks up the session without a handshake. */
export function resume({ client, transport }: HttpClient, { discover }: HttpState): Promise<void> {
  return client.connect(transport, discover === undefined ? {} : { prior: { kind: 'modern', discover } });
}

/** Lets the end of the stream and a cancellation through. Returns whether nothing is under way any more. */
export async function settle({ transport }: HttpClient, clock: Clock): Promise<boolean> {
  // Most answers end with their result.
  if (transport.isBusy()) await clock.turn();
  if (transport.isBusy()) await Promise.race([transport.quiet(), pause(REST_MS)]);
  return !transport.isBusy();
}

/** Settles, and then frees everything. */
export async function finish(own: HttpClient, clock: Clock): Promise<void> {
  await settle(own, clock);
  await own.client.close().catch(() => {});
}
