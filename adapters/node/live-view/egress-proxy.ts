// The only way out for the live view's browsers: a proxy that resolves every name itself, asks the guard
// about every address, and connects to exactly that address. decision: 050
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { EgressFailure } from '../../../src/egress/failure.ts';
import type { Guard } from '../../../src/egress/guard.ts';
import { endToEnd } from '../end-to-end.ts';

export interface EgressProxy {
  /** host:port, once the proxy listens. */
  address(): Promise<string>;
  /** Makes a password, which the proxy takes until it is revoked. */
  admit(): Pass;
  close(): void;
}

export interface Pass {
  username: string;
  password: string;
  revoke(): void;
}

export interface ProxyOptions {
  /** Where to listen. Another host than loopback needs passwords. */
  host?: string;
  port?: number;
  /** Whether every request has to bring a password. Programs of this machine need no proxy. */
  asksPassword?: boolean;
}

/** The proxy answers this address itself, so that a browser can show its password. RFC 6761 §6.4 */
export const GREETING = 'http://gateway.invalid/';

const USERNAME = 'browser';
const CHALLENGE = 'Basic realm="gateway"';

const CONNECT_MS = 10_000;
// RFC 9112 §4: a reason phrase holds tabs, spaces, visible characters and bytes beyond ASCII.
const NOT_IN_A_REASON = /[^\t\x20-\x7e\x80-\xff]/g;

export function createEgressProxy(
  guard: Guard,
  { host: ownHost = '127.0.0.1', port: ownPort = 0, asksPassword = false }: ProxyOptions = {},
): EgressProxy {
  /** The hashes of the passwords, so that the time of a look-up tells nothing. */
  const admitted = new Set<string>();
  const sockets = new Set<Duplex>();
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing));
  server.on(
    'connect',
    (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void tunnel(incoming, socket, head),
  );
  // Uploads and streams of a page have no time limit.
  server.requestTimeout = 0;
  server.on('connection', keep);
  let listening: Promise<string> | null = null;

  function keep(socket: Duplex): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  }

  const isAdmitted = ({ headers }: IncomingMessage): boolean =>
    !asksPassword || admitted.has(hash(headers['proxy-authorization'] ?? ''));

  /** Connects to the first vetted address that accepts the connection. */
  async function dial(url: URL): Promise<Socket> {
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
    // Mail, SSH and other services that a page must not reach use the ports below this one.
    if (port < 1_024 && port !== 80 && port !== 443)
      throw new EgressFailure('forbidden', `Port ${port} is not for pages`);
    let failure: unknown;
    for (const host of await guard.vet(url)) {
      try {
        const socket = await dialOne(host, port);
        keep(socket);
        return socket;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!isAdmitted(incoming)) {
      outgoing.writeHead(407, { 'Proxy-Authenticate': CHALLENGE, 'Content-Length': 0 });
      return void outgoing.end();
    }
    const url = URL.parse(incoming.url ?? '');
    if (asksPassword && url?.href === GREETING) return void outgoing.writeHead(204).end();
    if (url === null || url.protocol !== 'http:') return refuse(outgoing, 400);
    const { method } = incoming;
    try {
      const socket = await dial(url);
      if (outgoing.destroyed) return void socket.destroy();
      const upstream = request({
        createConnection: () => socket,
        method,
        path: url.pathname + url.search,
        headers: endToEnd(incoming.rawHeaders),
      });
      upstream.on('response', (answer) => {
        const { statusCode = 0, statusMessage = '', rawHeaders } = answer;
        // Node's parser accepts any three digits and any bytes after them, but writing an invalid status line
        // would end the process.
        if (statusCode < 200) return refuse(outgoing, 502);
        outgoing.writeHead(statusCode, statusMessage.replace(NOT_IN_A_REASON, ''), endToEnd(rawHeaders));
        answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
      });
      // The upstream switches protocols without a request to do so. Without a listener the request would
      // never end.
      upstream.on('upgrade', (_answer, switched) => {
        switched.destroy();
        refuse(outgoing, 502);
      });
      upstream.on('error', () => refuse(outgoing, 502));
      outgoing.once('close', () => upstream.destroy());
      incoming.pipe(upstream);
    } catch (error) {
      refuse(outgoing, statusOf(error));
    }
  }

  async function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    if (!isAdmitted(incoming)) {
      const refusal = `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${CHALLENGE}\r\n`;
      return void socket.end(`${refusal}Content-Length: 0\r\nConnection: close\r\n\r\n`);
    }
    const url = URL.parse(`https://${incoming.url ?? ''}/`);
    try {
      if (url === null || url.pathname !== '/') throw new EgressFailure('bad-url', 'No host and port');
      const upstream = await dial(url);
      if (socket.destroyed) return void upstream.destroy();
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
      upstream.once('close', () => socket.destroy());
      socket.once('close', () => upstream.destroy());
    } catch (error) {
      socket.end(`HTTP/1.1 ${statusOf(error)} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    }
  }

  return {
    address() {
      listening ??= new Promise((resolve, reject) => {
        server.once('error', reject);
        // Several processes of one gateway would otherwise share a port. decision: 010
        server.listen({ port: ownPort, host: ownHost, exclusive: true }, () => {
          const address = server.address();
          resolve(
            `${ownHost.includes(':') ? `[${ownHost}]` : ownHost}:${typeof address === 'object' && address !== null ? address.port : 0}`,
          );
        });
      });
      return listening;
    },
    admit() {
      const password = randomBytes(32).toString('base64url');
      const header = `Basic ${Buffer.from(`${USERNAME}:${password}`).toString('base64')}`;
      admitted.add(hash(header));
      return { username: USERNAME, password, revoke: () => void admitted.delete(hash(header)) };
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

function dialOne(host: string, port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = connect({ host, port, noDelay: true });
  socket.setTimeout(CONNECT_MS, () => socket.destroy(new Error(`${host} did not answer in time`)));
  socket.once('error', reject);
  socket.once('connect', () => {
    socket.setTimeout(0);
    socket.off('error', reject);
    resolve(socket);
  });
  return promise;
}

function statusOf(error: unknown): 403 | 502 {
  return error instanceof EgressFailure && error.reason !== 'unreachable' && error.reason !== 'lost'
    ? 403
    : 502;
}

function refuse(outgoing: ServerResponse, status: number): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  const why =
    status === 403 ? 'This address cannot be reached from the live view.' : 'This site cannot be reached.';
  outgoing.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' });
  // Without a viewport a phone's browser shows the page as small as a desktop page.
  outgoing.end(
    `<!doctype html><meta name="viewport" content="width=device-width"><title>${why}</title><p>${why}`,
  );
}
