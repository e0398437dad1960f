// Checks that the fast path reads and answers plain POST requests to /mcp and /rest as Node's HTTP server does.
import { once } from 'node:events';
import { connect, createServer, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFastPath } from '../../adapters/node/fast-path/fast-path.ts';
import { PlainResponse } from '../../adapters/node/fast-path/plain-response.ts';
import { type RunningServer, serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { listen } from '../support/listen.ts';
import { undated, untilRead } from '../support/raw-http.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { waitUntil } from '../support/wait.ts';

const HOST = 'Host: gateway.example.org';

let app: TestApp;
let server: RunningServer;
/** What the app answers, and which parser read each request. */
let answer: (request: Request, bindings?: object) => Response | Promise<Response>;
let readers: string[];

beforeAll(async () => {
  app = await createTestApp();
  server = await serve(
    (incoming: Request, bindings?: { incoming?: object }) => {
      readers.push('rawBody' in (bindings?.incoming ?? {}) ? 'fast path' : 'Node');
      return answer(incoming, bindings);
    },
    NO_HANDLERS,
    0,
  );
});
beforeEach(() => {
  readers = [];
});
afterAll(async () => {
  await server.stop();
  await app.close();
});

const call = (body: string, lines: string[] = [], target = '/mcp') =>
  `POST ${target} HTTP/1.1\r\n${[HOST, ...lines, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`;

async function answered(...texts: string[]): Promise<string> {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  for (const text of texts) {
    socket.setEncoding('latin1').write(text, 'latin1');
    await untilRead();
  }
  return undated((await socket.toArray()).join(''));
}

/** Sorts the headers, because their order has no meaning. */
function sorted(text: string): string {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  return [[status, ...lines.toSorted()].join('\r\n'), ...rest].join('\r\n\r\n');
}

async function byBoth(body: string, lines: string[] = [], target = '/mcp'): Promise<string> {
  const byFastPath = await answered(call(body, [...lines, 'Connection: close'], target));
  const byNode = await answered(call(body, [...lines, 'Connection: close, x-two'], target));
  expect(readers).toEqual(['fast path', 'Node']);
  expect(sorted(byFastPath)).toBe(sorted(byNode));
  return byFastPath;
}

describe('The fast path', () => {
  it.each([
    ['tools/list', '/mcp', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', [], 200],
    ['a notification', '/mcp', '{"jsonrpc":"2.0","method":"notifications/initialized"}', [], 202],
    ['a broken body', '/mcp', '{', [], 400],
    ['an empty body', '/mcp', '', [], 400],
    ['bytes beyond ASCII', '/mcp', '{"jsonrpc":"2.0","id":"\xc3\xa4","method":"ping"}', [], 200],
    ['an unsupported content type', '/rest/time', 'x', ['Content-Type: text/plain'], 415],
    ['a request from a foreign page', '/mcp', '{}', ['Origin: https://elsewhere.example'], 403],
    ['a query', '/rest/time?x=1', '{"tool":"time_now","args":{"timeZone":"nowhere"}}', [], 400],
    ['a query that narrows', '/mcp?access=read', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', [], 200],
    ['a query that narrows wrongly', '/mcp?access=x', '{"jsonrpc":"2.0","id":1,"method":"ping"}', [], 400],
    ['an unknown integration', '/rest/none', '{"tool":"x"}', [], 404],
    ['a path below /mcp', '/mcp/x', '{}', [], 404],
  ])('answers %s as Node’s server does', async (_what, target, body, lines, status) => {
    const ana = await app.user();
    const { fetch } = createApp(app.deps);
    answer = fetch;
    const key = `X-Service-Api-Key: ${ana.apiKey}`;
    const type = lines.some((line) => line.startsWith('Content-Type'))
      ? []
      : ['Content-Type: application/json'];
    const text = await byBoth(body, [key, ...type, ...lines], target);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it.each<[string, () => Response | Promise<Response>]>([
    ['a text', () => new Response('ö'.repeat(100))],
    ['small bytes', () => new Response(new Uint8Array([0, 128, 255]))],
    ['large bytes', () => new Response(new Uint8Array(100_000).fill(200))],
    ['no body', () => new Response(null, { status: 204 })],
    ['no body and a length', () => new Response(null, { headers: { 'Content-Length': '0' } })],
    ['an empty text', () => new Response('')],
    ['an unknown status', () => new Response('x', { status: 299 })],
    [
      'cookies',
      () =>
        new Response('x', {
          headers: [
            ['Set-Cookie', 'a=b'],
            ['Set-Cookie', 'c=d'],
          ],
        }),
    ],
    ['a promise', async () => Promise.resolve(new Response('later'))],
    ['a stream', () => new Response(new Blob(['first ', 'second']).stream())],
    [
      'a stream with a length',
      () => new Response(new Blob(['x']).stream(), { headers: { 'Content-Length': '1' } }),
    ],
    ['a failure', () => Promise.reject(new Error('no'))],
  ])('sends %s as Node’s server does', async (_what, made) => {
    answer = made;
    expect(await byBoth('{}')).toMatch(/^HTTP\/1\.1 \d{3} /);
  });

  it.each([
    ['a line break', { 'X-Name': 'a\r\nX-Other: b' }],
    ['an invalid name', { 'X Name': 'a' }],
  ])('refuses to send a header with %s', (_what, headers) => {
    const socket = new Socket();
    const given = new PlainResponse(
      { socket, commonHeaders: () => '', done: () => {} },
      { rawBody: Buffer.from('{}'), requestId: 'r' },
    );
    expect(() => given.writeHead(200, headers)).toThrow(TypeError);
    // The framework answers 500 if no head was sent.
    expect(given.headersSent).toBe(false);
    given.destroy();
    expect(given.destroyed).toBe(true);
  });

  it('leaves a request in pieces, with an unusual header or with extra bytes to Node’s server', async () => {
    answer = async (incoming) => new Response(await incoming.text());
    const whole = call('{"id":1}', ['Connection: close']);
    const [head = ''] = whole.split('{');
    const long = 'x'.repeat(200_000);
    const texts = [
      [head, '{"id":1}'],
      [whole.slice(0, 30), whole.slice(30)],
      [call(long, ['Connection: close'])],
      [
        call('4\r\nbody\r\n0\r\n\r\n', ['Connection: close', 'Transfer-Encoding: chunked']).replace(
          /Content-Length: \d+\r\n/,
          '',
        ),
      ],
      [call('{}', ['Connection: close', 'Expect: 100-continue'])],
      [`${call('{}')}${call('{}', ['Connection: close'])}`],
      [call('{}', ['X: 1', 'x: 2', 'Connection: close'])],
      [call('{}', ['Proxy-Connection: close'])],
    ];
    const answers = [];
    for (const each of texts) answers.push((await answered(...each)).split('\r\n\r\n').at(-1));
    expect(answers).toEqual(['{"id":1}', '{"id":1}', long, 'body', '{}', '{}', '{}', '{}']);
    expect(new Set(readers)).toEqual(new Set(['Node']));
  });

  it('streams a response no faster than the client reads, and then answers the next request', async () => {
    const piece = new Uint8Array(64 * 1024).fill(120);
    let pulled = 0;
    answer = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            if (++pulled > 200) controller.close();
            else controller.enqueue(piece);
          },
        }),
      );
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1').pause();
    socket.write(call('{}'));
    for (let turns = 0; turns < 500; turns++) await app.clock.turn();
    const before = pulled;
    expect(before).toBeLessThan(200);
    answer = () => new Response('the next');
    socket.write(call('{}', ['Connection: close']));
    const text = (await socket.toArray()).join('');
    expect(text.match(/x{1000}/g)?.length).toBeGreaterThan(200);
    expect(text).toMatch(/0\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*the next$/);
    expect(readers).toEqual(['fast path', 'fast path']);
  });

  it('sets no time limit on a request, and closes the idle connection after it', async () => {
    const responses: PlainResponse[] = [];
    const sockets: Socket[] = [];
    const fastPath = createFastPath(NO_HANDLERS.jotFiles, app.deps.clock, {
      handle: (_, response) => void responses.push(response),
      pass: () => {},
      keepsAlive: () => true,
      nextId: () => 'r',
      keepAliveMs: 1_000,
    });
    const listening = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket);
      fastPath.receive(socket);
    });
    const socket = connect(await listen(listening), '127.0.0.1').setEncoding('latin1');
    socket.write(call('{}'));
    await waitUntil(
      'the request',
      () => responses.length > 0,
      () => ({ responses, sockets: sockets.length }),
    );
    for (const each of sockets) each.emit('timeout');
    responses[0]?.writeHead(204);
    responses[0]?.end();
    const [text] = await once(socket, 'data');
    expect(text).toContain('204 No Content');
    const closed = once(socket, 'close');
    for (const each of sockets) each.emit('timeout');
    await closed;
    listening.close();
  });

  it.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['closes it', (socket: Socket) => socket.end()],
  ])('cancels a request when its client %s', async (_what, leave) => {
    const gone = Promise.withResolvers<void>();
    answer = ({ signal }) => {
      signal.addEventListener('abort', () => gone.resolve());
      return new Promise(() => {});
    };
    const socket = connect(server.port, '127.0.0.1');
    socket.write(call('{}'));
    await waitUntil(
      'the request',
      () => readers.length > 0,
      () => readers,
    );
    leave(socket);
    await gone.promise;
    expect(readers).toEqual(['fast path']);
  });
});
