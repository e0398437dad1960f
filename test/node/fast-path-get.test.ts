// Checks that the fast path answers plain GET requests for jot files exactly as Node's HTTP server does.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseGet } from '../../adapters/node/fast-path/parse-get.ts';
import { createJotFiles, type JotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { type Beside, type RunningServer, serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { publish } from '../support/jots.ts';
import { undated, untilRead } from '../support/raw-http.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { waitUntil } from '../support/wait.ts';

const LARGE = 'The large one. '.repeat(40_000);
const HOST = 'Host: gateway.example.org';

let app: TestApp;
let jotFiles: JotFiles;
let server: RunningServer;
/** The targets that the fast path parsed. */
let asked: string[];
/** The targets that the fast path answered. */
let given: string[];
/** The targets that reached Node's server. */
let passed: string[];
/** The fast path waits for this promise before it answers. */
let gate: Promise<void>;

beforeAll(async () => {
  app = await createTestApp();
  const ana = await app.user();
  await publish(app, ana, 'site', { 'a.txt': 'the text', 'large.txt': LARGE, empty: '' });
  jotFiles = createJotFiles(app.deps);
  const { fetch } = createApp(app.deps);
  for (const name of ['a.txt', 'large.txt', 'empty'])
    await (await fetch(new Request(`http://gateway.example.org/j/site/${name}`))).arrayBuffer();
  const watched: JotFiles = {
    async give(read, send) {
      asked.push(read.target);
      await gate;
      return jotFiles.give(read, (file, requestId) => {
        given.push(read.target);
        send(file, requestId);
      });
    },
  };
  const proxy: Beside['proxy'] = {
    takes(incoming) {
      passed.push(incoming.url ?? '');
      return false;
    },
  };
  const beside = { proxy, jotFiles: watched, clock: app.deps.clock };
  server = await serve(fetch, beside, 0, { keepAliveMs: 1_000 });
});
beforeEach(() => {
  asked = [];
  given = [];
  passed = [];
  gate = Promise.resolve();
});
afterAll(async () => {
  await server.stop();
  await app.close();
});

function open(): Socket {
  return connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true }).setEncoding('latin1');
}

/** Returns all bytes that the gateway sends before it closes the connection. */
async function answersTo(...texts: string[]): Promise<string> {
  const socket = open();
  for (const text of texts) socket.write(text, 'latin1');
  const answers: string[] = await socket.toArray();
  socket.destroy();
  return answers.join('');
}

const request = (lines: string[], target = '/j/site/a.txt') =>
  `GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;

describe('The fast path', () => {
  it.each([
    ['of minimal length', '/j/site/a.txt', []],
    [
      'from a browser',
      '/j/site/a.txt',
      [
        'User-Agent: Mozilla/5.0 (X11; Linux x86_64)',
        'Accept: text/html,*/*;q=0.8',
        'Accept-Encoding: gzip, deflate, br, zstd',
        'Cookie: a=b; c="d"',
        'Sec-Fetch-Mode: navigate',
        'Referer: http://gateway.example.org/j/site/',
      ],
    ],
    ['with a query', '/j/site/a.txt?v=2', []],
    ['for a large file', '/j/site/large.txt', []],
    ['for an empty file', '/j/site/empty', []],
    ['with a different ETag', '/j/site/a.txt', ['If-None-Match: "other"']],
    ['with blanks around a header value', '/j/site/a.txt', ['IF-NONE-MATCH: \t * \t']],
    ['with bytes beyond ASCII', '/j/site/a.txt', ['X-Name: \xe4\xff']],
    ['with an empty header', '/j/site/a.txt', ['X-Nothing:']],
  ])('answers a request %s as Node’s server does', async (_what, target, more) => {
    const byFastPath = await answersTo(request([HOST, ...more, 'Connection: close'], target));
    expect([given, passed]).toEqual([[target], []]);
    const byNode = await answersTo(request([HOST, ...more, 'Connection: close, x-two'], target));
    expect([given, passed]).toEqual([[target], [target]]);
    expect(undated(byFastPath)).toBe(undated(byNode));
    expect(byFastPath).toMatch(/^HTTP\/1\.1 (?:200 OK|304 Not Modified)\r\n[^]*\r\nDate: \w{3}, .* GMT\r\n/);
  });

  it('keeps a connection open, also after a request that is not plain', async () => {
    const socket = open();
    const answers: string[] = [];
    const sent = [
      request([HOST]),
      request([HOST, 'Connection: Keep-Alive']),
      request([HOST], '/j/site/none.txt'),
      request([HOST]),
      `HEAD /j/site/a.txt HTTP/1.1\r\n${HOST}\r\n\r\n`,
    ];
    for (const text of sent) {
      socket.write(text);
      const [answer] = await once(socket, 'data');
      answers.push(answer);
    }
    socket.destroy();
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '200', '404', '200', '200']);
    expect(answers[0]).toContain('\r\nConnection: keep-alive\r\nKeep-Alive: timeout=1\r\n\r\nthe text');
    expect(undated(answers[3] ?? '')).toBe(undated(answers[0] ?? ''));
    // A file that is not in memory goes to the app, and the connection stays with Node's server.
    expect(passed).toEqual(['/j/site/none.txt', '/j/site/a.txt', '/j/site/a.txt']);
  });

  it('answers a second request only after the first one is answered', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const socket = open();
    socket.write(request([HOST], '/j/site/large.txt'));
    await waitUntil(
      'the request',
      () => asked.length > 0,
      () => ({ asked, given, passed }),
    );
    socket.write(request([HOST, 'If-None-Match: *']));
    socket.write(`GET /j/site/none.txt HTTP/1.1\r\n${HOST}\r\nX-Long: ${'x'.repeat(12_000)}`);
    await untilRead();
    expect(asked).toEqual(['/j/site/large.txt']);
    resolve();
    socket.write('\r\nConnection: close\r\n\r\n');
    const answers = (await socket.toArray()).join('');
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 304', 'HTTP/1.1 404']);
    expect(answers).toContain(LARGE);
  });

  it('stops reading requests until the client has read the earlier responses', async () => {
    const socket = open().pause();
    const wanted = 40;
    for (let sent = 0; sent < wanted; sent++) {
      socket.write(request([HOST], '/j/site/large.txt'));
      await untilRead();
    }
    expect(given.length).toBeLessThan(wanted / 2);
    socket.write(request([HOST, 'Connection: close']));
    const answers = (await socket.toArray()).join('');
    expect(answers.split(LARGE)).toHaveLength(wanted + 1);
    expect(answers).toMatch(/the text$/);
  });

  it.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['ends its side', (socket: Socket) => socket.end()],
  ])('keeps running when a client %s during a request', async (_what, leave) => {
    for (const target of ['/j/site/large.txt', '/j/site/none.txt']) {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      const socket = open();
      socket.write(request([HOST], target));
      await waitUntil(
        target,
        () => asked.includes(target),
        () => ({ asked, given, passed }),
      );
      const closed = once(socket.resume(), 'close');
      leave(socket);
      resolve();
      await closed;
    }
    gate = Promise.resolve();
    expect(await answersTo(request([HOST, 'Connection: close']))).toContain('the text');
  });

  it('answers a client that ends its side right after the request', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const socket = open();
    socket.end(request([HOST]));
    await waitUntil(
      'the request',
      () => asked.length > 0,
      () => ({ asked, given, passed }),
    );
    resolve();
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*the text$/);
  });
});

describe('The fast path', () => {
  it.each([
    ['a HEAD request', `HEAD /j/site/a.txt HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`],
    ['an older version', `GET /j/site/a.txt HTTP/1.0\r\n${HOST}\r\n\r\n`],
    ['a request without a version', 'GET /j/site/a.txt\r\n\r\n'],
    ['another path', request([HOST, 'Connection: close'], '/metrics/x')],
    ['an absolute target', request([HOST, 'Connection: close'], 'http://gateway.example.org/j/site/a.txt')],
    ['a range request', request([HOST, 'Range: bytes=0-1', 'Connection: close'])],
    [
      'a request for a service worker’s script',
      request([HOST, 'Service-Worker: script', 'Connection: close']),
    ],
    ['a request with a body', `${request([HOST, 'Content-Length: 4', 'Connection: close'])}body`],
    [
      'a request with a chunked body',
      `${request([HOST, 'Transfer-Encoding: chunked', 'Connection: close'])}0\r\n\r\n`,
    ],
    ['a request with a length of 0', request([HOST, 'Content-Length: 0', 'Connection: close'])],
    ['an upgrade', request([HOST, 'Upgrade: h2c', 'Connection: close'])],
    ['a Proxy-Connection header', request([HOST, 'Proxy-Connection: close'])],
    ['a request without a host', request(['Accept: */*', 'Connection: close'])],
    ['two hosts', request([HOST, 'Host: other.example', 'Connection: close'])],
    ['two Connection headers', request([HOST, 'Connection: keep-alive', 'Connection: close'])],
    ['two ETags', request([HOST, 'If-None-Match: "a"', 'if-none-match: "b"', 'Connection: close'])],
    ['a blank before the colon', request([HOST, 'Content-Length : 4', 'Connection: close'])],
    ['a header without a name', request([HOST, ': x', 'Connection: close'])],
    ['a header without a colon', request([HOST, 'x', 'Connection: close'])],
    ['a folded line', request([HOST, 'X: y', ' Content-Length: 4', 'Connection: close'])],
    ['a bare line feed', `GET /j/site/a.txt HTTP/1.1\n${HOST}\nConnection: close\n\n`],
    ['a line feed in a header', request([HOST, 'X: y\nContent-Length: 4', 'Connection: close'])],
    ['a carriage return in a header', request([HOST, 'X: y\rContent-Length: 4', 'Connection: close'])],
    ['a zero byte', request([HOST, 'X: \0', 'Connection: close'])],
    ['a blank in the target', request([HOST, 'Connection: close'], '/j/site/a.txt x')],
    ['a target beyond ASCII', request([HOST, 'Connection: close'], '/j/site/\xfc')],
    ['two requests in one piece', request([HOST]) + request([HOST, 'Connection: close'])],
    ['a request with rubbish behind it', `${request([HOST])}rubbish\r\n\r\n`],
    ['more lines than Node reads', request([HOST, ...Array<string>(1_000).fill('X:')])],
    ['a long head', request([HOST, `X: ${'x'.repeat(9_000)}`, 'Connection: close'])],
    ['a head that is too long', request([HOST, `X: ${'x'.repeat(20_000)}`, 'Connection: close'])],
  ])('leaves %s to Node’s server', async (_what, text) => {
    const whole = await answersTo(text);
    expect(asked.filter((target) => !passed.includes(target))).toEqual([]);
    // A first piece of one byte is not a whole request, so the connection goes to Node's server.
    const socket = open();
    socket.write(text.slice(0, 1), 'latin1');
    await untilRead();
    socket.write(text.slice(1), 'latin1');
    const byNode = (await socket.toArray()).join('');
    expect(undated(whole)).toBe(undated(byNode));
    expect(whole).toMatch(/^HTTP\/1\.1 \d{3} /);
  });
});

// The bytes after these heads come in separate pieces.
it.each(['Transfer-Encoding: chunked', 'Expect: 100-continue', 'Content-Length: 4'])(
  'The fast path does not accept a head with %s',
  (line) => {
    expect(parseGet(Buffer.from(request([HOST, line])))).toBeNull();
  },
);

describe('The fast path', () => {
  it.each([
    ['without a request', ''],
    ['after its last response', request([HOST])],
  ])('closes a connection %s after the keep-alive time', async (_what, words) => {
    const socket = open();
    socket.write(words);
    const answers = (await socket.toArray()).join('');
    expect(answers.includes('the text')).toBe(words !== '');
  });
});

describe('A gateway that stops', () => {
  const starts = () => serve(createApp(app.deps).fetch, { ...NO_HANDLERS, jotFiles }, 0, { lastWordMs: 200 });

  it('closes idle connections', async () => {
    const stopping = await starts();
    const socket = connect(stopping.port, '127.0.0.1');
    socket.write(request([HOST]));
    await once(socket, 'data');
    const closed = once(socket.resume(), 'close');
    await stopping.stop();
    await closed;
  });

  it('answers a request that arrives on a kept connection, and closes the connection with that response', async () => {
    const stopping = await starts();
    const socket = connect(stopping.port, '127.0.0.1').setEncoding('latin1');
    socket.write(request([HOST]));
    await once(socket, 'data');
    const stopped = stopping.stop();
    socket.write(request([HOST]));
    expect((await socket.toArray()).join('')).toMatch(
      /^HTTP\/1\.1 200 OK[^]*Connection: close\r\n\r\nthe text$/,
    );
    await stopped;
  });
});
