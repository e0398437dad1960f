// Tests the proxy of the live view's browsers: what passes, and what is refused. decision: 030, 050
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEgressProxy, type EgressProxy } from '../../adapters/node/live-view/egress-proxy.ts';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createGuard, type Guard } from '../../src/egress/guard.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { listen } from '../support/listen.ts';

let proxy: EgressProxy;
let port = 0;
let site: HttpServer;
let guard: Guard;
/** The controls of the one name whose look-up is slow. */
let late = { asked: Promise.withResolvers<void>(), found: Promise.withResolvers<void>() };
let seen: { method: string; url: string; headers: string[]; body: string }[] = [];

beforeAll(async () => {
  const network = createUndiciNetwork();
  const names: Record<string, string[]> = {
    'site.test': ['127.0.0.1'],
    'two.test': ['127.0.0.2', '127.0.0.1'],
    'nobody.test': ['127.0.0.3'],
    'late.test': ['127.0.0.1'],
  };
  guard = createGuard({
    config: { EGRESS_ALLOW: Object.keys(names), UPSTREAM_MAP: [], loopback: false },
    network: {
      async resolve(name) {
        if (name === 'late.test') {
          late.asked.resolve();
          await late.found.promise;
        }
        return names[name] ?? network.resolve(name);
      },
    },
  });
  proxy = createEgressProxy(guard);
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
  // a client request that got a response emits one of these
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  let text = '';
  for await (const piece of answer) text += String(piece);
  return { status: answer.statusCode, reason: answer.statusMessage, headers: answer.rawHeaders, text };
}

async function tunnel(target: string, through = port): Promise<{ line: string; socket: Socket }> {
  const socket = connect(through, '127.0.0.1');
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  const [head] = (await once(socket, 'data')) as [Buffer];
  return { line: head.toString().split('\r\n')[0] ?? '', socket };
}

interface RawSite {
  port: number;
  /** Resolves with the next connection. */
  connection(): Promise<Socket>;
  /** Waits until no connection is left. */
  close(): Promise<void>;
}

/** A site that answers everything with these bytes, and then waits, or ends. */
async function openRawSite(says: string, then: 'waits' | 'ends' = 'waits'): Promise<RawSite> {
  const server = createServer((socket) => {
    // The connection may be broken off.
    socket.on('error', () => {});
    socket.once('data', () => (then === 'ends' ? socket.end(says, 'latin1') : socket.write(says, 'latin1')));
  });
  const port = await listen(server);
  return {
    port,
    // a server emits this with the event
    connection: async () => (await once(server, 'connection'))[0] as Socket,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

describe('the egress proxy', () => {
  it('passes requests on unchanged, except for hop-by-hop headers', async () => {
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
  ])('survives a site that answers %j', async (line, seen) => {
    const odd = await openRawSite(`HTTP/1.1 ${line}\r\nContent-Length: 2\r\n\r\nab`);
    expect(await ask(`http://site.test:${odd.port}/`)).toMatchObject(seen);
    await odd.close();
    expect((await ask(`http://site.test:${site.port}/`)).status).toBe(201);
  });

  it.each([
    ['nothing', ''],
    ['no HTTP', 'SSH-2.0-x\r\n'],
  ])('answers 502 when a site sends %s', async (_, says) => {
    const odd = await openRawSite(says, 'ends');
    expect((await ask(`http://site.test:${odd.port}/`)).status).toBe(502);
    await odd.close();
  });

  it.each([
    ['ends in the middle', 'Content-Length: 9\r\n\r\nab'],
    ['makes no sense from there on', 'Transfer-Encoding: chunked\r\n\r\n1\r\na\r\nno length\r\n'],
  ])('cuts off a response that %s', async (_, rest) => {
    const odd = await openRawSite(`HTTP/1.1 200 OK\r\n${rest}`, 'ends');
    await expect(ask(`http://site.test:${odd.port}/`)).rejects.toThrow(/aborted|hang up/);
    await odd.close();
  });

  it('closes the connection to a site when the page closes its own', async () => {
    const endless = await openRawSite('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab');
    const page = connect(port, '127.0.0.1');
    page.write(`GET http://site.test:${endless.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(page, 'data');
    page.destroy();
    await endless.close();
  });

  it.each(['GET http://late.test:PORT/', 'CONNECT late.test:PORT'])(
    'sends nothing to a site when the page has left before (%s)',
    async (line) => {
      late = { asked: Promise.withResolvers(), found: Promise.withResolvers() };
      const site = await openRawSite('');
      const connection = site.connection();
      const page = connect(port, '127.0.0.1');
      page.write(`${line.replace('PORT', String(site.port))} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await late.asked.promise;
      page.resetAndDestroy();
      // After this response the proxy has noticed the reset.
      expect((await ask('ftp://site.test/')).status).toBe(400);
      late.found.resolve();
      const said: string[] = [];
      (await connection).on('data', (bytes) => said.push(String(bytes)));
      await site.close();
      expect(said).toEqual([]);
    },
  );

  it('tries the other address of a name when one does not respond', async () => {
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

    const brief = createServer((socket) => void socket.end('bye'));
    const other = await tunnel(`site.test:${await listen(brief)}`);
    await once(other.socket, 'close');
    brief.close();
  });

  it('passes on bytes that arrive together with the CONNECT request', async () => {
    const echo = createServer((socket) => void socket.pipe(socket));
    const target = `site.test:${await listen(echo)}`;
    const socket = connect(port, '127.0.0.1');
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\nhello`);
    let said = '';
    for await (const bytes of socket) if ((said += String(bytes)).endsWith('\r\n\r\nhello')) break;
    echo.close();
    expect(said).toContain('200 Connection Established');
  });

  it.each(['the site', 'the page'])('survives a tunnel that %s breaks off', async (who) => {
    const site = await openRawSite('');
    const connection = site.connection();
    const { socket } = await tunnel(`site.test:${site.port}`);
    const [from, to] = who === 'the site' ? [await connection, socket] : [socket, await connection];
    to.on('error', () => {});
    from.resetAndDestroy();
    await once(to, 'close');
    await site.close();
    expect((await ask('ftp://site.test/')).status).toBe(400);
  });

  it('ends all open connections when it is closed', async () => {
    const own = createEgressProxy(guard);
    const at = Number((await own.address()).split(':')[1]);
    const site = await openRawSite('');
    const { socket } = await tunnel(`site.test:${site.port}`, at);
    const waiting = connect(at, '127.0.0.1');
    waiting.write(`GET http://site.test:${site.port}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
    await site.connection();
    own.close();
    await Promise.all([once(socket, 'close'), once(waiting, 'close'), site.close()]);
    await expect(tunnel(`site.test:${site.port}`, at)).rejects.toThrow('ECONNREFUSED');
  });

  it.each([
    ['GET http://nobody.test/', 80],
    ['GET http://nobody.test:443/', 443],
    ['GET http://nobody.test:1024/', 1_024],
    ['CONNECT nobody.test', 443],
    ['CONNECT nobody.test:443', 443],
    ['CONNECT nobody.test:80', 80],
  ])('sends %s to port %i', async (line, expected) => {
    const tried: number[] = [];
    const listener = (message: unknown) => {
      // The ports that are published there.
      const { socket } = message as { socket: Socket };
      socket.on('connectionAttempt', (_ip: string, port: number) => tried.push(port));
    };
    subscribe('net.client.socket', listener);
    const page = connect(port, '127.0.0.1');
    page.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await once(page, 'data');
    unsubscribe('net.client.socket', listener);
    page.destroy();
    expect(tried).toEqual([port, expected]);
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
    '[:PORT',
  ])('opens no tunnel to %s', async (target) => {
    const { line, socket } = await tunnel(target.replace('PORT', String(site.port)));
    expect(line).toBe('HTTP/1.1 403 Refused');
    socket.destroy();
  });

  it.each(['/', 'https://site.test/', 'ftp://site.test/', 'nonsense'])('answers 400 to %s', async (url) => {
    expect((await ask(url)).status).toBe(400);
  });

  it('answers 502 when nothing listens', async () => {
    expect((await ask('http://site.test:1023/')).status).toBe(403);
    expect((await ask('http://site.test:65533/')).status).toBe(502);
    expect((await ask('http://nobody.invalid/')).status).toBe(502);
  });
});
