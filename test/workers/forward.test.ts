// Tests what a Worker forwards to the Node gateway behind it: complete, streaming both ways, and with the
// routing key of the live view.
import type { IncomingMessage, RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { sendRaw } from '../support/raw-http.ts';
import { type RunningWorker, startWorker } from '../support/worker.ts';

let origin: HttpServer;
let worker: RunningWorker;
let seen: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];

beforeAll(async () => {
  origin = await startHttpServer();
  worker = await startWorker({
    vars: {
      SESSION_SECRET: '0123456789abcdef'.repeat(4),
      ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4),
      NODE_ORIGIN: `http://127.0.0.1:${origin.port}`,
      JOTS_ORIGIN: 'http://jots.localhost',
    },
  });
}, 180_000);
afterAll(async () => {
  await worker.close();
  await origin.close();
});

function answer(listener: RequestListener): void {
  seen = [];
  origin.answer((request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers });
    listener(request, response);
  });
}

it.each([
  ['GET', '/c/github/repos/a%2Fb?q=1&q=2'],
  ['POST', '/api/browser-session/cdp/attach'],
  ['POST', '/api/browser-session/cdp/commands'],
  ['POST', '/api/browser-session/live-url'],
  ['GET', '/api/auth/cookie/mediawiki/cdp/events'],
  ['POST', '/api/auth/cookie/mediawiki/capture'],
  ['GET', '/api/auth/mediawiki'],
  ['POST', '/api/auth/cookie/mediawiki/cancel'],
  ['POST', '/api/connect/redeem'],
  ['POST', '/api/integrations/mediawiki/session/import'],
])('forwards %s %s with its headers', async (method, path) => {
  answer((_, response) => response.writeHead(202, { 'x-from': 'node' }).end('{}'));
  const headers = { 'x-browser-session': 'the key', authorization: 'Bearer x', origin: worker.publicUrl };
  const response = await worker.request(path, { method, headers });
  expect([response.status, response.headers.get('x-from'), await response.text()]).toEqual([
    202,
    'node',
    '{}',
  ]);
  expect(seen).toMatchObject([{ method, url: path, headers }]);
});

it("takes the caller's address from the platform, not from the caller", async () => {
  answer((_, response) => response.end());
  const headers = { 'cf-connecting-ip': '203.0.113.9', 'x-forwarded-for': '198.51.100.7' };
  await (await worker.request('/c/github/user', { headers })).text();
  expect(seen).toMatchObject([{ headers: { 'x-forwarded-for': '203.0.113.9' } }]);
});

it.each([
  ['', 'identity'],
  ['Accept-Encoding: deflate\r\n', 'deflate'],
  ['Accept-Encoding: gzip;q=0.5, br\r\n', 'gzip;q=0.5, br'],
])('asks only for encodings that the caller accepts: %j', async (line, encoding) => {
  answer((_, response) => response.end('plain'));
  const head = `GET /c/github/user HTTP/1.1\r\nHost: gate\r\n${line}Connection: close\r\n\r\n`;
  expect((await sendRaw(Number(worker.url.port), head)).status).toBe(200);
  expect(seen).toMatchObject([{ headers: { 'accept-encoding': encoding } }]);
});

it.each([
  ['GET', '/api/auth/github'],
  ['GET', '/api/auth/me'],
  ['POST', '/mcp'],
  ['GET', '/cx/y'],
  ['GET', '/j/c/'],
])('answers %s %s at the edge', async (method, path) => {
  answer((_, response) => response.end());
  await (await worker.request(path, { method })).text();
  expect(seen).toEqual([]);
});

// Whatever is in front of a Worker resolves `..`, here as in production: it arrives as another path, or not
// at all.
it.each(['/c/github//b', '/c/github/a%5cb', '/c/github/a%00b', '/c/github/%zz'])(
  'refuses %s as Node does, and does not forward it in another form',
  async (target) => {
    answer((_, response) => response.end());
    const head = `GET ${target} HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n`;
    const { status, body } = await sendRaw(Number(worker.url.port), head);
    expect(seen).toEqual([]);
    expect([status, body]).toEqual([400, expect.stringContaining('invalid path')]);
  },
);

it.each(['/c/github/user', '/api/browser-session/reset', '/api/connect/redeem'])(
  "answers 404 for %s at the jots' own origin",
  async (target) => {
    answer((_, response) => response.end());
    const head = `POST ${target} HTTP/1.1\r\nHost: jots.localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(Number(worker.url.port), head)).status).toBe(404);
    expect(seen).toEqual([]);
  },
);

it('delivers events one by one, as they are sent', async () => {
  const second = Promise.withResolvers<void>();
  answer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: ready\n\n');
    void second.promise.then(() => response.end('event: closed\n\n'));
  });
  const { body } = await worker.request('/api/browser-session/cdp/events');
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  // The second event is sent only after the first has been read here.
  expect((await reader?.read())?.value).toBe('event: ready\n\n');
  second.resolve();
  expect((await reader?.read())?.value).toBe('event: closed\n\n');
});

it('ends the forwarded request when the caller leaves', async () => {
  const gone = Promise.withResolvers<void>();
  answer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // The leave is noticed when the next bytes cannot be delivered, such as the live view's white space.
    const beat = setInterval(() => response.write(': keepalive\n\n'), 20);
    response.on('close', () => {
      clearInterval(beat);
      gone.resolve();
    });
  });
  const leaving = new AbortController();
  const { body } = await worker.request('/api/browser-session/cdp/events', { signal: leaving.signal });
  await body?.getReader().read();
  leaving.abort();
  await gone.promise;
});

it('forwards an upload while it is being sent', async () => {
  const begun = Promise.withResolvers<void>();
  let received = 0;
  answer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      begun.resolve();
    });
    request.on('end', () => response.end());
  });
  const piece = new Uint8Array(100_000);
  let sent = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      // The end of the upload is sent only after its beginning has arrived.
      if (sent > 0) await begun.promise;
      if (sent === 20) return controller.close();
      sent++;
      controller.enqueue(piece);
    },
  });
  // Undici's own option, which the platform's types lack.
  const init = { method: 'PUT', body, duplex: 'half' } as RequestInit;
  expect((await worker.request('/c/github/upload', init)).status).toBe(200);
  expect(received).toBe(2_000_000);
});

it('forwards a search that is the body of a GET', async () => {
  const received: Buffer[] = [];
  answer((request, response) =>
    request.on('data', (chunk: Buffer) => received.push(chunk)).on('end', () => response.end('found')),
  );
  const head =
    'GET /c/github/_search HTTP/1.1\r\nHost: gate\r\nConnection: close\r\nContent-Length: 7\r\n\r\n';
  const { status, body } = await sendRaw(Number(worker.url.port), `${head}{"q":1}`);
  expect([status, body]).toEqual([200, expect.stringContaining('found')]);
  expect(Buffer.concat(received).toString()).toBe('{"q":1}');
});

it('leaves redirects, compressed bytes and cookies unchanged', async () => {
  const packed = gzipSync('hello '.repeat(1_000));
  answer((_, response) =>
    response
      .writeHead(302, {
        location: 'https://elsewhere.example/',
        'content-encoding': 'gzip',
        'set-cookie': ['a=1', 'b=2'],
      })
      .end(packed),
  );
  const response = await worker.request('/c/github/packed', { headers: { 'accept-encoding': 'gzip' } });
  expect(response.status).toBe(302);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(response.headers.get('content-encoding')).toBe('gzip');
  expect(await response.text()).toBe('hello '.repeat(1_000));
});

it('answers 503 with Retry-After when the origin is unreachable', async () => {
  answer((request) => request.socket.destroy());
  const response = await worker.request('/c/github/user');
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await response.json()).error).toMatch(/Node gateway/);
});
