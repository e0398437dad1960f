// The way out of the live view's browsers: what passes, and what does not. design: L1, C5
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEgressProxy, type EgressProxy } from '../../adapters/node/live-view/egress-proxy.ts';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createGuard } from '../../src/egress/guard.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { listen } from '../support/listen.ts';

let proxy: EgressProxy;
let port = 0;
let site: HttpServer;
let seen: { method: string; url: string; headers: string[]; body: string }[] = [];

beforeAll(async () => {
  const network = createUndiciNetwork();
  const names: Record<string, string[]> = {
    'site.test': ['127.0.0.1'],
    'two.test': ['127.0.0.2', '127.0.0.1'],
  };
  proxy = createEgressProxy(
    createGuard({
      config: { EGRESS_ALLOW: ['site.test', 'two.test'], UPSTREAM_MAP: [], loopback: false },
      network: { resolve: async (name) => names[name] ?? network.resolve(name) },
    }),
  );
  port = Number((await proxy.address()).split(':')[1]);
  site = await startHttpServer((incoming, outgoing) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
    incoming.on('end', () => {
      const { method = '', url = '', rawHeaders: headers } = incoming;
      seen.push({ method, url, headers, body });
      outgoing.writeHead(
        201,
        'Made',
        [
          ['X-Twice', 'a'],
          ['X-Twice', 'b'],
          ['Connection', 'x-gone'],
          ['X-Gone', '1'],
        ].flat(),
      );
      outgoing.end('answer');
    });
  });
});
afterAll(async () => {
  proxy.close();
  await site.close();
});

async function ask(
  url: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const asking = request({
    host: '127.0.0.1',
    port,
    path: url,
    method: init.method ?? 'GET',
    headers: { host: 'x', ...init.headers },
  });
  asking.end(init.body);
  // A client request that is answered gets one of these.
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of answer) text += String(piece);
  return { status: answer.statusCode, reason: answer.statusMessage, headers: answer.rawHeaders, text };
}

async function tunnel(target: string): Promise<{ line: string; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  return { line: head.toString().split('\r\n')[0] ?? '', socket };
}

/** A site that answers everything with these bytes. */
async function openRawSite(says: string): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((socket) => void socket.once('data', () => socket.end(says, 'latin1')));
  const port = await listen(server);
  return {
    port,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

describe('the egress proxy', () => {
  it('passes requests on as they are, but for what belongs to the hop', async () => {
    seen = [];
    const headers = {
      host: 'site.test',
      'X-Kept': '1',
      Connection: 'x-mine',
      'X-Mine': '1',
      'Proxy-Authorization': 'Basic x',
      Cookie: 'a=1',
    };
    const answer = await ask(`http://site.test:${site.port}/a%2Fb?q=1`, {
      method: 'POST',
      headers,
      body: 'body',
    });
    expect(answer).toMatchObject({ status: 201, reason: 'Made', text: 'answer' });
    expect(answer.headers.join()).toContain('X-Twice,a,X-Twice,b');
    expect(answer.headers).not.toContain('X-Gone');
    expect(seen).toMatchObject([{ method: 'POST', url: '/a%2Fb?q=1', body: 'body' }]);
    const passed = seen[0]?.headers.join() ?? '';
    expect(passed).toContain('X-Kept,1');
    expect(passed).toContain('Cookie,a=1');
    expect(passed).not.toMatch(/x-mine|proxy-authorization/i);
  });

  it.each([
    ['200 O\u0001K', { status: 200, reason: 'OK', text: 'ab' }],
    ['200 O\u0000K', { status: 200, reason: 'OK', text: 'ab' }],
    ['200 O\u007FK', { status: 200, reason: 'OK', text: 'ab' }],
    ['200 caf\u00E9', { status: 200, reason: 'caf\u00E9', text: 'ab' }],
    ['099 OK', { status: 502 }],
    ['000 OK', { status: 502 }],
    ['101 Switching\r\nUpgrade: x\r\nConnection: upgrade', { status: 502 }],
  ])('outlives a site that answers %j', async (line, seen) => {
    const odd = await openRawSite(`HTTP/1.1 ${line}\r\nContent-Length: 2\r\n\r\nab`);
    expect(await ask(`http://site.test:${odd.port}/`)).toMatchObject(seen);
    await odd.close();
    expect((await ask(`http://site.test:${site.port}/`)).status).toBe(201);
  });

  it('tries the other address of a name when one does not answer', async () => {
    expect((await ask(`http://two.test:${site.port}/`)).status).toBe(201);
  });

  it('opens tunnels, and closes both ends with either', async () => {
    const echo = createServer((socket) => void socket.pipe(socket));
    const { line, socket } = await tunnel(`site.test:${await listen(echo)}`);
    expect(line).toBe('HTTP/1.1 200 Connection Established');
    socket.write('hello');
    expect(String((await once(socket, 'data'))[0])).toBe('hello');
    socket.destroy();
    await new Promise((resolve) => void echo.close(resolve));
  });

  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://site.test:22/',
    'http://site.test:25/',
    'http://user:password@site.test:PORT/',
  ])('answers 403 to %s', async (url) => {
    seen = [];
    expect((await ask(url.replace('PORT', String(site.port)))).status).toBe(403);
    expect(seen).toEqual([]);
  });

  it.each([
    '127.0.0.1:PORT',
    'localhost:PORT',
    '[::1]:PORT',
    '169.254.169.254:80',
    '10.0.0.1:443',
    'site.test:22',
    'site.test:PORT/x',
    'user@site.test:PORT',
  ])('opens no tunnel to %s', async (target) => {
    const { line, socket } = await tunnel(target.replace('PORT', String(site.port)));
    expect(line).toBe('HTTP/1.1 403 Refused');
    socket.destroy();
  });

  it.each(['/', 'https://site.test/', 'ftp://site.test/', 'nonsense'])('answers 400 to %s', async (url) => {
    expect((await ask(url)).status).toBe(400);
  });

  it('answers 502 where nobody is', async () => {
    expect((await ask('http://site.test:1/')).status).toBe(403);
    expect((await ask('http://site.test:65533/')).status).toBe(502);
    expect((await ask('http://nobody.invalid/')).status).toBe(502);
  });
});
