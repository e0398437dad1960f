// A push service for Chromium, in the place of its vendor's: it checks in, registers, and takes messages from gateways, which it
// sends down the open connection of the browser as they came. Only what these tests need is spoken.
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHttpServer } from './http-server.ts';

/** Where builds of Chromium send their messages. */
const VENDORS = ['https://fcm.googleapis.com', 'https://jmt17.google.com'];
const PATH = '/fcm/send/';
/** The version and the tags of the protocol of the connection. */
const [VERSION, LOGIN_ANSWER, MESSAGE] = [41, 3, 8];

export interface PushService {
  /** Let a Chromium use this service. */
  args: string[];
  /** The value of UPSTREAM_MAP with which a gateway reaches it. */
  upstreamMap: string;
  /** The headers of what gateways have sent. */
  taken: IncomingHttpHeaders[];
  close(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const { key, cert } = await makeCertificate();
  const browsers = new Set<TLSSocket>();
  const registered = new Map<string, URLSearchParams>();
  const taken: IncomingHttpHeaders[] = [];

  const line = createTlsServer({ key, cert }, (socket) => {
    browsers.add(socket);
    socket.on('error', () => {}).on('close', () => browsers.delete(socket));
    // It begins with its own login, and waits for the answer.
    socket.once('data', () => {
      const answer = text(1, 'login');
      socket.write(Buffer.concat([Buffer.from([VERSION, LOGIN_ANSWER]), varint(answer.length), answer]));
    });
  });
  await new Promise<void>((resolve) => void line.listen(0, '127.0.0.1', resolve));
  const linePort = portOf(line.address());

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const url = request.url ?? '';
    if (url === '/checkin') {
      response.setHeader('content-type', 'application/x-protobuf');
      return void response.end(checkin());
    }
    if (url === '/register') {
      const token = `token-${registered.size}`;
      registered.set(token, new URLSearchParams(body.toString()));
      return void response.end(`token=${token}`);
    }
    const to = url.startsWith(PATH) ? registered.get(url.slice(PATH.length)) : undefined;
    if (to === undefined) return void response.writeHead(404).end();
    taken.push(request.headers);
    const message = Buffer.concat([
      text(3, to.get('sender') ?? ''),
      text(5, to.get('app') ?? ''),
      pair('subtype', to.get('X-subtype') ?? ''),
      pair('content-encoding', request.headers['content-encoding'] ?? ''),
      text(9, `message-${taken.length}`),
      bytes(21, body),
    ]);
    for (const browser of browsers)
      browser.write(Buffer.concat([Buffer.from([MESSAGE]), varint(message.length), message]));
    response.writeHead(201).end();
  }
  const server = await startHttpServer((request, response) => void answer(request, response));
  const url = `http://127.0.0.1:${server.port}`;
  return {
    args: [
      `--gcm-checkin-url=${url}/checkin`,
      `--gcm-registration-url=${url}/register`,
      `--gcm-mcs-endpoint=https://127.0.0.1:${linePort}`,
      `--ignore-certificate-errors-spki-list=${pinOf(cert)}`,
    ],
    upstreamMap: VENDORS.map((vendor) => `${vendor}=${url}`).join(),
    taken,
    async close() {
      for (const browser of browsers) browser.destroy();
      line.close();
      await server.close();
    },
  };
}

const portOf = (address: ReturnType<ReturnType<typeof createTlsServer>['address']>): number =>
  typeof address === 'object' && address !== null ? address.port : 0;

async function makeCertificate(): Promise<{ key: string; cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'push-service-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const made = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  await rm(folder, { recursive: true });
  return made;
}

function pinOf(cert: string): string {
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

/** Protocol buffers: it went well, and the browser has a name and a secret. */
function checkin(): Buffer {
  const numbers = Buffer.alloc(18);
  numbers[0] = (7 << 3) | 1;
  numbers.writeBigUInt64LE(12_345n, 1);
  numbers[9] = (8 << 3) | 1;
  numbers.writeBigUInt64LE(67_890n, 10);
  return Buffer.concat([Buffer.from([1 << 3, 1]), numbers]);
}

function varint(value: number): Buffer {
  const parts: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) parts.push((value & 127) | 128);
  return Buffer.from([...parts, value]);
}

const bytes = (field: number, value: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value));
const pair = (key: string, value: string): Buffer => bytes(7, Buffer.concat([text(1, key), text(2, value)]));
