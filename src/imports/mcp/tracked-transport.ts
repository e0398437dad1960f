// Stands between the library's client and its transport: numbers requests, drops answers that nobody asked for and
// notices when the answer to a request will never come.
import type {
  JSONRPCMessage,
  JSONRPCResponse,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { LOST } from './failures.ts';
import { MESSAGE_ID } from './guarded-fetch.ts';
import { isObject } from '../../json/json.ts';
import { McpFailure } from './client.ts';
import { RELAYED } from './relayed-methods.ts';

export interface Tracking {
  host: string;
  /** Gives each request an id that is unique in its session, where several clients send. */
  nextId?: () => number;
  /** Whether the answer to a request comes as a stream of events. Undefined where all answers share one stream. */
  isStreamed?: (messageId: string) => boolean;
  /** The session was begun by another client, so this one does not begin another. */
  isResumed?: boolean;
  /** Makes the library treat a silent server as one of the older protocol. */
  isProcess?: boolean;
  /** Sees each message as it is sent, with the headers of its request. */
  beforeSend?: ((message: JSONRPCMessage, headers: Readonly<Record<string, string>>) => void) | undefined;
  onToolsChanged: () => void;
  /** Told the parameters of a notice of progress. */
  onProgress?: ((params: unknown) => void) | undefined;
  /** Told in words what the server should not do. */
  onOdd?: ((what: string) => void) | undefined;
  /** Ends what the transport is for: the server sends too much. */
  onFlood: (error: Error) => void;
}

export interface TrackedTransport extends Transport {
  isBusy: () => boolean;
  /** Resolves when nothing is being sent and no answer is being received. */
  quiet: () => Promise<unknown>;
}

/** Between two answers. The library parses and dispatches each message. */
const MAX_MESSAGES = 10_000;
const FOR_THE_LIBRARY = new Set(['notifications/cancelled', 'notifications/subscriptions/acknowledged']);
/** What a server says of itself is kept as long as its session. */
const MAX_INTRODUCTION = 64 * 1024;
type Result = Readonly<Record<string, unknown>>;

const LENIENT = new Set<string>(['tools/call', 'tools/list', ...RELAYED]);

export function trackTransport(inner: Transport, tracking: Tracking): TrackedTransport {
  const {
    host,
    nextId,
    isStreamed,
    isResumed = false,
    isProcess = false,
    beforeSend,
    onToolsChanged,
    onProgress,
    onOdd,
    onFlood,
  } = tracking;
  const asked = new Map<RequestId, { id: RequestId; method: string }>();
  const busy = new Set<Promise<unknown>>();
  let messages = 0;

  function receive(message: JSONRPCMessage): void {
    if (++messages > MAX_MESSAGES)
      return onFlood(new McpFailure(`${host} sends more than ${MAX_MESSAGES} messages`));
    if ('method' in message) {
      if (message.method === 'notifications/tools/list_changed') onToolsChanged();
      if (message.method === 'notifications/progress') onProgress?.(message.params);
      // Servers write logs, which nobody reads.
      if ('id' in message || FOR_THE_LIBRARY.has(message.method)) outer.onmessage?.(message);
      return;
    }
    const asking = requestOf(message);
    const own = asking === undefined ? undefined : asked.get(asking);
    if (own === undefined || asking === undefined) return;
    asked.delete(asking);
    messages = 0;
    if ('result' in message && LENIENT.has(own.method))
      outer.onmessage?.({ ...message, id: own.id, result: wrap(message.result) });
    else if ('result' in message && JSON.stringify(message.result).length > MAX_INTRODUCTION)
      outer.onmessage?.(failureOf(own.id, `${host} introduces itself with more than 64 KiB`));
    else if ('result' in message && own.method === 'initialize')
      outer.onmessage?.({ ...message, id: own.id, result: readIntroduction(message.result) });
    else outer.onmessage?.({ ...message, id: own.id });
  }

  /** Some servers write the id as a text. An error may come without the id of the one request that it is about. */
  function requestOf(message: JSONRPCResponse): RequestId | undefined {
    const { id } = message;
    if (id !== undefined && asked.has(id)) return id;
    const isNumber = typeof id === 'string' && /^\d{1,15}$/.test(id) && asked.has(Number(id));
    const [only] = asked.keys();
    const isOnly = 'error' in message && asked.size === 1 && (id === undefined || isStreamed !== undefined);
    if (isNumber || isOnly) onOdd?.('it does not repeat the id of a request as it was written');
    return isNumber ? Number(id) : isOnly ? only : undefined;
  }

  function giveUp(id: RequestId): void {
    const own = asked.get(id);
    if (own === undefined) return;
    asked.delete(id);
    outer.onmessage?.(failureOf(own.id, `${host} ended its answer without a result. The call may have run`));
  }

  function wait(work: Promise<unknown>): void {
    busy.add(work);
    const end = () => busy.delete(work);
    work.then(end, end);
  }

  async function sendRequest(
    message: Extract<JSONRPCMessage, { method: string; id: RequestId }>,
    options: TransportSendOptions,
  ): Promise<void> {
    const id = nextId?.() ?? message.id;
    asked.set(id, { id: message.id, method: message.method });
    const ended = Promise.withResolvers<void>();
    wait(ended.promise);
    try {
      beforeSend?.({ ...message, id }, options.headers ?? {});
      await inner.send(
        { ...message, id },
        {
          ...options,
          headers: { ...options.headers, [MESSAGE_ID]: String(id) },
          onRequestStreamEnd() {
            options.onRequestStreamEnd?.();
            ended.resolve();
            giveUp(id);
          },
        },
      );
    } catch (error) {
      asked.delete(id);
      ended.resolve();
      throw error;
    }
    if (isStreamed?.(String(id)) === true) return;
    ended.resolve();
    if (isStreamed !== undefined) giveUp(id);
  }

  async function send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    if ('method' in message && 'id' in message) return sendRequest(message, options);
    if ('method' in message && message.method === 'notifications/cancelled') {
      const cancelled = message.params?.['requestId'];
      const [id] = [...asked].find(([, own]) => own.id === cancelled) ?? [];
      if (id === undefined) return;
      asked.delete(id);
      return inner.send({ ...message, params: { ...message.params, requestId: id } }, options);
    }
    return inner.send(message, options);
  }

  const outer: TrackedTransport = {
    ...(inner.hasPerRequestStream === undefined ? {} : { hasPerRequestStream: inner.hasPerRequestStream }),
    ...(isProcess ? { stderr: null, pid: null } : {}),
    // The library begins no session where one exists. A server without sessions has none to name.
    get sessionId() {
      return isResumed ? (inner.sessionId ?? '') : inner.sessionId;
    },
    async start() {
      Object.assign(inner, {
        onmessage: receive,
        onclose: () => outer.onclose?.(),
        onerror: (error: Error) => outer.onerror?.(error),
      });
      await inner.start();
    },
    send(message, options) {
      const sent = send(message, options);
      wait(sent);
      return sent;
    },
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    isBusy: () => busy.size > 0,
    quiet: () => Promise.allSettled(busy),
  };
  return outer;
}

const failureOf = (id: RequestId, message: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: LOST, message },
});

/**
 * The library refuses a whole answer for one odd tool or block in it. It is given an empty answer that carries the real
 * one, which is read with less trust and more patience.
 */
function wrap(result: unknown): Record<string, unknown> {
  const type = isObject(result) ? (result['resultType'] ?? 'complete') : 'complete';
  if (type !== 'complete') return isObject(result) ? result : {};
  return {
    resultType: 'complete',
    content: [],
    contents: [],
    messages: [],
    prompts: [],
    resources: [],
    resourceTemplates: [],
    tools: [],
    ttlMs: 0,
    cacheScope: 'private',
    carried: result,
  };
}

export const unwrap = (result: Readonly<Record<string, unknown>>): unknown => result['carried'];

/** The gateway uses only these parts of what a server of the older era says of itself. The library checks them all. */
function readIntroduction({ protocolVersion, capabilities, serverInfo, instructions }: Result): Result {
  const { name, version, title } = isObject(serverInfo) ? serverInfo : {};
  const { tools } = isObject(capabilities) ? capabilities : {};
  const told = isObject(tools) && tools['listChanged'] === true ? { listChanged: true } : {};
  return {
    protocolVersion,
    capabilities: isObject(tools) ? { tools: told } : {},
    serverInfo: {
      name: typeof name === 'string' ? name : '',
      version: typeof version === 'string' ? version : '',
      ...(typeof title === 'string' ? { title } : {}),
    },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
}
