// An HTTP server that stops without dropping requests it has begun. decision: 010
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  ServerResponse,
} from 'node:http';
import { Server as Listener, type ListenOptions, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { JOT_DEPLOY_SECONDS } from '../../src/jots/model/limits.ts';
import { STOP_MS } from './stop-limits.ts';
import { createRequestIds, readRequestId, REQUEST_ID_HEADER } from '../../src/http/observe.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Peers } from './cluster/peers.ts';
import type { CurlProxy } from './curl-proxy/curl-proxy.ts';
import { createFastPath, type FastPath } from './fast-path/fast-path.ts';
import { MAX_INLINE_BYTES, toLatin1 } from './fast-path/inline-body.ts';
import type { JotFiles } from './fast-path/jot-files.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

export interface RunningServer {
  port: number;
  /** Answers a request that came another way than over the port. */
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  /** Accepts no new connections. Requests in flight finish, or are cut off after ten seconds. */
  stop(): Promise<void>;
}

/** The requests that are answered without the app. */
export interface Beside {
  proxy: Pick<CurlProxy, 'takes'>;
  /** The other processes of this gateway; null where it has one. */
  peers?: Pick<Peers, 'takes'> | null;
  jotFiles: JotFiles;
  clock: Pick<Clock, 'now'>;
}

export async function serve(
  fetch: Fetch,
  { proxy, peers = null, jotFiles, clock }: Beside,
  port: number,
  {
    fastPath: hasFastPath = true,
    bodyMs = BODY_MS,
    lastWordMs = LAST_WORD_MS,
    keepAliveMs = KEEP_ALIVE_MS,
    host = ALL_ADDRESSES,
    sharesPort = false,
  } = {},
): Promise<RunningServer> {
  const listener = getRequestListener(fetch);
  const cutWhenSlow = createSlowBodies(bodyMs);
  const options = { optimizeEmptyRequests: true, ServerResponse: OneWrite };
  const nextId = createRequestIds(createSystemRandom());
  const refused = new WeakSet<Socket>();
  const server = createServer(options, (incoming, outgoing) => {
    // Node goes on parsing the bytes behind a refused request.
    if (refused.has(incoming.socket)) return;
    if (hasFaultyFraming(incoming)) {
      refused.add(incoming.socket);
      nameRequest(incoming, outgoing);
      return refuseFraming(outgoing);
    }
    endWhenStopping(outgoing);
    if (proxy.takes(incoming, outgoing, false) || peers?.takes(incoming, outgoing, false)) return;
    nameRequest(incoming, outgoing);
    // HTTP/1.0 has no Host header, and load balancers probe with it.
    incoming.headers.host ??= 'localhost';
    cutWhenSlow(incoming);
    void listener(incoming, outgoing);
  });
  const fastPath = hasFastPath ? startFastPath() : null;
  function startFastPath(): FastPath {
    const created = createFastPath(jotFiles, clock, {
      // The listener reads a request with a `rawBody` like Node's own, and uses only what `PlainResponse` has.
      handle: (request, response) =>
        void listener(request as unknown as IncomingMessage, response as unknown as ServerResponse),
      pass: takeConnections(server),
      keepsAlive: () => server.listening,
      nextId,
      keepAliveMs,
    });
    server.on('connection', (socket) => created.receive(socket));
    return created;
  }
  // A client that sends `Expect: 100-continue` gets its answer before it sends a byte of the body.
  server.on('checkContinue', (incoming, outgoing) => {
    endWhenStopping(outgoing);
    if (proxy.takes(incoming, outgoing, true) || peers?.takes(incoming, outgoing, true)) return;
    nameRequest(incoming, outgoing);
    cutWhenSlow(incoming);
    outgoing.writeContinue();
    void listener(incoming, outgoing);
  });
  /** Both sides carry the id: the app reads it from the request, and the response answers it. */
  function nameRequest(incoming: Named<IncomingMessage>, outgoing: OneWrite): void {
    const given = incoming.headers['x-request-id']?.toString();
    outgoing.requestId = incoming.requestId = readRequestId(given) ?? nextId();
  }
  // Tells the client that this connection accepts no more requests.
  function endWhenStopping(outgoing: ServerResponse): void {
    if (!server.listening) outgoing.shouldKeepAlive = false;
  }
  // Bodies that go through the proxy have no time limit; `bodyTime` limits all others.
  server.requestTimeout = 0;
  server.keepAliveTimeout = keepAliveMs;
  await listen(server, port, host, sharesPort ? { exclusive: true, reusePort: true } : {});
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    answer: (incoming, outgoing) => void server.emit('request', incoming, outgoing),
    stop: () => stop(server, fastPath, lastWordMs),
  };
}

/** Two gateways of one user would otherwise share the port without a word, when both open it to share it. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const probe = new Listener();
  await listen(probe, port, host, { exclusive: true });
  await new Promise((resolve) => void probe.close(resolve));
}

function listen(server: Listener, port: number, host: string, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, host, port)));
    // Without an address Node listens on all of them, also on a machine that has no IPv6.
    server.listen({ port, ...(host === ALL_ADDRESSES ? {} : { host }), ...options }, () => resolve());
  });
}

/** HTTP/1.0 has no chunks. A proxy that ignores the header would see another end of this request. RFC 9112 §6.1 */
function hasFaultyFraming({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion !== '1.1' && headers['transfer-encoding'] !== undefined;
}

function refuseFraming(outgoing: ServerResponse): void {
  outgoing.writeHead(400, { 'Content-Type': 'application/json', Connection: 'close' });
  outgoing.end(JSON.stringify({ error: 'Transfer-Encoding requires HTTP/1.1' }));
}

/** Takes the server's own handling of new connections away from it, and returns that handling as a function. */
function takeConnections(server: Server): (socket: Socket) => void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  return (socket) => {
    for (const listener of listeners) listener.call(server, socket);
  };
}

function toListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} is in use by another program: set PORT to one that is free`, {
        cause: error,
      });
    case 'EADDRNOTAVAIL':
      return new Error(`This machine does not have the address ${host}: set HOST to one that it has`, {
        cause: error,
      });
    default:
      return error;
  }
}

type Named<T> = T & { requestId?: string };

/** Node sends a small text body together with the headers. */
class OneWrite extends ServerResponse {
  /** Null until the request has a name, and for responses that write it themselves. */
  requestId: string | null = null;

  override writeHead(status: number, ...rest: unknown[]): this {
    const [headers] = rest;
    const hasRecord = headers === undefined || (typeof headers === 'object' && !Array.isArray(headers));
    if (this.requestId !== null && hasRecord)
      return super.writeHead(status, { ...headers, [REQUEST_ID_HEADER]: this.requestId });
    // Passes the arguments on unchanged; Node itself decides which overload was meant.
    return super.writeHead(status, ...(rest as [OutgoingHttpHeaders]));
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    if (chunk instanceof Uint8Array && chunk.length <= MAX_INLINE_BYTES && encoding === undefined)
      return super.end(toLatin1(chunk), 'latin1');
    // Passes the arguments on unchanged; Node itself decides which overload was meant.
    return super.end(chunk, encoding as BufferEncoding, done as () => void);
  }
}

/**
 * Longer than load balancers keep connections (mostly 60 seconds): the side that closes first must not be the
 * one that receives requests.
 */
const KEEP_ALIVE_MS = 75_000;
const BODY_MS = 60_000;
const ALL_ADDRESSES = '::';

/** An upload may take as long as a deploy, which is refused when it takes longer. */
function bodyTime({ url = '' }: IncomingMessage, bodyMs: number): number {
  return /^\/(?:j\/upload|f)\//.test(url) ? JOT_DEPLOY_SECONDS * 1000 : bodyMs;
}

/**
 * Limits the time for a body, so that nobody holds a connection by sending a byte now and then. Most bodies
 * arrive with the headers, so only a body that is incomplete at the end of the turn gets a timer. A GET may
 * have a body too, which nobody reads.
 */
function createSlowBodies(bodyMs: number): (incoming: IncomingMessage) => void {
  let arrived: IncomingMessage[] = [];

  function watchSlow(): void {
    const all = arrived;
    arrived = [];
    for (const incoming of all) {
      if (incoming.complete || incoming.destroyed) continue;
      const late = setTimeout(() => incoming.destroy(), bodyTime(incoming, bodyMs));
      late.unref();
      incoming.once('end', () => clearTimeout(late));
      incoming.once('close', () => clearTimeout(late));
    }
  }

  return (incoming) => {
    if (arrived.push(incoming) === 1) setImmediate(watchSlow);
  };
}

/**
 * A busy client may still send on a kept connection for this long; shorter than the time in which a viewer
 * reconnects.
 */
const LAST_WORD_MS = 250;

async function stop(server: Server, fastPath: FastPath | null, lastWordMs: number): Promise<void> {
  // Stops only listening: `server.close()` would also close idle connections, and with them requests that are
  // already on their way.
  const closed = new Promise<void>((resolve) => Listener.prototype.close.call(server, () => resolve()));
  const late = setTimeout(() => {
    fastPath?.closeAll();
    server.closeAllConnections();
  }, STOP_MS);
  await Promise.race([closed, sleep(lastWordMs, undefined, { ref: false })]);
  // The client keeps a connection open after its answer, so the server has to close it.
  const closeIdle = () => {
    fastPath?.closeIdle();
    server.closeIdleConnections();
  };
  // Timers run before the event loop reads. In a busy process a request may have arrived on a connection that looks idle.
  const idle = setInterval(() => void setImmediate(closeIdle), 50);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
