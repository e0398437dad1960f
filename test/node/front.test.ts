// Plain requests for files of jots are answered before Node's HTTP server, and nobody can tell but by the time it takes.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { plainRead } from '../../adapters/node/fast-path/plain-read.ts';
import { createJotFiles, type JotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { type Beside, type RunningServer, serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { publish } from '../support/jots.ts';
import { undated, untilRead } from '../support/raw-http.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const LARGE = 'The large one. '.repeat(40_000);
const HOST = 'Host: gateway.example.org';

let app: TestApp;
let jotFiles: JotFiles;
let server: RunningServer;
/** What the front was asked, what it gave, and what came to Node's server. */
let asked: string[];
let given: string[];
let passed: string[];
/** The front's answers wait for this. */
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
      return jotFiles.give(read, (file) => {
        given.push(read.target);
        send(file);
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

/** All that is answered until the gateway closes. */
async function answersTo(...texts: string[]): Promise<string> {
  const socket = open();
  for (const text of texts) socket.write(text, 'latin1');
  const answers: string[] = await socket.toArray();
  socket.destroy();
  return answers.join('');
}

const request = (lines: string[], target = '/j/site/a.txt') =>
  `GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;

describe('A plain request', () => {
  it.each([
    ['as short as can be', '/j/site/a.txt', []],
    [
      'as a browser sends it',
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
    ['with an ETag that is another', '/j/site/a.txt', ['If-None-Match: "other"']],
    ['with blanks around what it says', '/j/site/a.txt', ['IF-NONE-MATCH: \t * \t']],
    ['with bytes beyond ASCII', '/j/site/a.txt', ['X-Name: \xe4\xff']],
    ['with an empty header', '/j/site/a.txt', ['X-Nothing:']],
  ])('%s is answered as Node’s server answers it', async (_what, target, more) => {
    const byFront = await answersTo(request([HOST, ...more, 'Connection: close'], target));
    expect([given, passed]).toEqual([[target], []]);
    const byNode = await answersTo(request([HOST, ...more, 'Connection: close, x-two'], target));
    expect([given, passed]).toEqual([[target], [target]]);
    expect(undated(byFront)).toBe(undated(byNode));
    expect(byFront).toMatch(/^HTTP\/1\.1 (?:200 OK|304 Not Modified)\r\n[^]*\r\nDate: \w{3}, .* GMT\r\n/);
  });

  it('keeps its connection, also when other ones come between', async () => {
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
    // What memory has not is for the app, and the connection stays with the server that asks it.
    expect(passed).toEqual(['/j/site/none.txt', '/j/site/a.txt', '/j/site/a.txt']);
  });

  it('waits for its turn while another is answered', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const socket = open();
    socket.write(request([HOST], '/j/site/large.txt'));
    while (asked.length === 0) await app.clock.turn();
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

  it('waits until what was asked for before has been read', async () => {
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
    ['has gone', (socket: Socket) => socket.resetAndDestroy()],
    ['says no more', (socket: Socket) => socket.end()],
  ])('whose caller %s meanwhile ends nothing', async (_what, leave) => {
    for (const target of ['/j/site/large.txt', '/j/site/none.txt']) {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      const socket = open();
      socket.write(request([HOST], target));
      while (!asked.includes(target)) await app.clock.turn();
      const closed = once(socket.resume(), 'close');
      leave(socket);
      resolve();
      await closed;
    }
    gate = Promise.resolve();
    expect(await answersTo(request([HOST, 'Connection: close']))).toContain('the text');
  });

  it('is answered to who has ended the sending side behind it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const socket = open();
    socket.end(request([HOST]));
    while (asked.length === 0) await app.clock.turn();
    resolve();
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*the text$/);
  });
});

describe('Left to Node’s server is', () => {
  it.each([
    ['another method', `HEAD /j/site/a.txt HTTP/1.1\r\n${HOST}\r\nConnection: close\r\n\r\n`],
    ['an older version', `GET /j/site/a.txt HTTP/1.0\r\n${HOST}\r\n\r\n`],
    ['no version', 'GET /j/site/a.txt\r\n\r\n'],
    ['another path', request([HOST, 'Connection: close'], '/metrics/x')],
    ['an absolute target', request([HOST, 'Connection: close'], 'http://gateway.example.org/j/site/a.txt')],
    ['a part', request([HOST, 'Range: bytes=0-1', 'Connection: close'])],
    ['a service worker’s script', request([HOST, 'Service-Worker: script', 'Connection: close'])],
    ['a body', `${request([HOST, 'Content-Length: 4', 'Connection: close'])}body`],
    ['a body in chunks', `${request([HOST, 'Transfer-Encoding: chunked', 'Connection: close'])}0\r\n\r\n`],
    ['no body, said aloud', request([HOST, 'Content-Length: 0', 'Connection: close'])],
    ['an upgrade', request([HOST, 'Upgrade: h2c', 'Connection: close'])],
    ['a word on the connection for proxies', request([HOST, 'Proxy-Connection: close'])],
    ['no host', request(['Accept: */*', 'Connection: close'])],
    ['two hosts', request([HOST, 'Host: other.example', 'Connection: close'])],
    ['two words on the connection', request([HOST, 'Connection: keep-alive', 'Connection: close'])],
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
    ['two at once', request([HOST]) + request([HOST, 'Connection: close'])],
    ['one with rubbish behind', `${request([HOST])}rubbish\r\n\r\n`],
    ['one of more lines than Node reads', request([HOST, ...Array<string>(1_000).fill('X:')])],
    ['a long one', request([HOST, `X: ${'x'.repeat(9_000)}`, 'Connection: close'])],
    ['one that is too long', request([HOST, `X: ${'x'.repeat(20_000)}`, 'Connection: close'])],
  ])('%s', async (_what, text) => {
    const whole = await answersTo(text);
    expect(asked.filter((target) => !passed.includes(target))).toEqual([]);
    // The first byte alone makes the connection the server's.
    const socket = open();
    socket.write(text.slice(0, 1), 'latin1');
    await untilRead();
    socket.write(text.slice(1), 'latin1');
    const byNode = (await socket.toArray()).join('');
    expect(undated(whole)).toBe(undated(byNode));
    expect(whole).toMatch(/^HTTP\/1\.1 \d{3} /);
  });
});

// What follows these heads comes in pieces of its own.
it.each(['Transfer-Encoding: chunked', 'Expect: 100-continue', 'Content-Length: 4'])(
  'A head that says %s is not plain',
  (line) => {
    expect(plainRead(Buffer.from(request([HOST, line])))).toBeNull();
  },
);

describe('A connection', () => {
  it.each([
    ['on which nothing is said', ''],
    ['that has had its answer', request([HOST])],
  ])('%s is closed in time', async (_what, words) => {
    const socket = open();
    socket.write(words);
    const answers = (await socket.toArray()).join('');
    expect(answers.includes('the text')).toBe(words !== '');
  });
});

describe('A gateway that stops', () => {
  const starts = () => serve(createApp(app.deps).fetch, { ...NO_HANDLERS, jotFiles }, 0, { lastWordMs: 200 });

  it('closes what is idle', async () => {
    const stopping = await starts();
    const socket = connect(stopping.port, '127.0.0.1');
    socket.write(request([HOST]));
    await once(socket, 'data');
    const closed = once(socket.resume(), 'close');
    await stopping.stop();
    await closed;
  });

  it('answers what is on its way on a connection that was kept, and ends the connection with that', async () => {
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
