// Tests what passes between the caller and the upstream in both directions, and what ends it. reference: Curl proxy; decision: 034
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { bearer, openStage, type Stage } from '../support/proxy-stage.ts';
import { sendRaw } from '../support/raw-http.ts';

let stage: Stage;
let token: string;

beforeAll(async () => {
  stage = await openStage();
  token = await stage.token();
});
beforeEach(() => {
  stage.seen.length = 0;
  stage.answer((_, outgoing) => outgoing.end('ok'));
});
afterAll(() => stage.close());

describe('headers through the proxy', () => {
  it("carry the stored credential and none of the gateway's own headers", async () => {
    const text = [
      'GET /c/vaulted/x HTTP/1.1',
      'Host: gate',
      `Authorization: Bearer ${token}`,
      'Cookie: svc_oauth_binding=s',
      'X-Service-Api-Key: k',
      'X-Forwarded-For: 1.2.3.4',
      'Forwarded: for=x',
      'Connection: close, X-Mine',
      'X-Mine: hop',
      'TE: trailers',
      'Proxy-Authorization: p',
      'Proxy-Authenticate: p',
      'Proxy-Connection: close',
      'Keep-Alive: timeout=9',
      'Trailer: X-T',
      'Upgrade: h2c',
      'connection: x-other',
      'X-Other: hop',
      'X-Forwarded-Prefix: /c',
      'Accept: a',
      'accept: b',
      'X-Odd-CASE: kept',
      '',
      '',
    ].join('\r\n');
    expect((await sendRaw(stage.port, text)).status).toBe(200);
    const [request] = stage.seen;
    expect(request?.headers.authorization).toBe('Bearer upstream-token');
    expect(request?.headers.accept).toBe('a, b');
    expect(request?.raw).toContain('X-Odd-CASE');
    expect(request?.headers.host).toMatch(/^127\.0\.0\.1:\d+$/);
    for (const name of [
      'cookie',
      'x-service-api-key',
      'x-forwarded-for',
      'forwarded',
      'x-mine',
      'te',
      'proxy-authorization',
      'proxy-authenticate',
      'proxy-connection',
      'keep-alive',
      'trailer',
      'upgrade',
      'x-other',
      'x-forwarded-prefix',
    ]) {
      expect(request?.headers).not.toHaveProperty(name);
    }
    expect(JSON.stringify(request)).not.toContain(token);
  });

  it('reveal nothing about the network in front of the gateway, because an API behind the same CDN refuses that', async () => {
    const way = {
      'CF-Connecting-IP': '203.0.113.1',
      'CF-Visitor': '{"scheme":"https"}',
      'CF-Worker': 'gate.example',
      'CF-Access-Jwt-Assertion': 'who they are at the gateway',
      'True-Client-IP': '203.0.113.1',
      'X-Real-IP': '203.0.113.1',
    };
    // Headers that a caller sends to enter its own instance, and headers that find loops.
    const own = { 'CF-Access-Client-Id': 'i', 'CF-Access-Client-Secret': 's', 'CDN-Loop': 'cloudflare' };
    await stage.get('/c/vaulted/x', { headers: { ...way, ...own } });
    const sent = Object.keys(stage.seen[0]?.headers ?? {}).filter((name) => /^c(f|dn)-|-ip$/.test(name));
    expect(sent).toEqual(['cf-access-client-id', 'cf-access-client-secret', 'cdn-loop']);
  });

  it.each([
    'Forwarded',
    'Forwarded-For',
    'X-Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Uri',
    'X_Forwarded_For',
    'X-Original-Forwarded-For',
    'X-Vercel-Forwarded-For',
    'X-Real-IP',
    'True-Client-IP',
    'X-Client-IP',
    'Client-IP',
    'X-Cluster-Client-IP',
    'Fastly-Client-IP',
    'Fly-Client-IP',
    'X-Azure-ClientIP',
    'X-NF-Client-Connection-IP',
    'WL-Proxy-Client-IP',
    'X-Remote-Addr',
    'X-Originating-IP',
    'X-AppEngine-User-IP',
    'DO-Connecting-IP',
    'CF-Connecting-IP',
    'CloudFront-Viewer-Address',
    'X-Envoy-External-Address',
    'X-Browser-Session',
    'X_Browser_Session',
  ])('never carry %s, which names the caller or its browser', async (name) => {
    await stage.get('/c/vaulted/x', { headers: { [name]: '203.0.113.1', 'X-Kept': 'yes' } });
    expect(stage.seen[0]?.headers['x-kept']).toBe('yes');
    expect(stage.seen[0]?.headers).not.toHaveProperty(name.toLowerCase());
  });

  it.each([
    'X-Request-Id',
    'X-Callback-Url',
    'X-Goog-User-Project',
    'X-Forwarding',
    'X-Atlassian-Token',
    'Client-Version',
  ])('carry %s, which names neither the caller nor another request', async (name) => {
    const headers = { ...bearer(await stage.token({ methods: ['GET'], pathPrefix: '/x' })), [name]: 'v' };
    await stage.get('/c/vaulted/x', { headers });
    expect(stage.seen[0]?.headers[name.toLowerCase()]).toBe('v');
  });

  it('carry API keys and cookies as the manifest says, whatever the caller sends', async () => {
    await stage.get('/c/keyed/x', { headers: { 'x-key': 'mine', x_key: 'mine' } });
    expect(stage.seen[0]?.headers).not.toHaveProperty('x_key');
    await stage.get('/c/jar/x', { headers: { cookie: 'sid=mine' } });
    expect(stage.seen.map(({ headers }) => [headers['x-key'], headers.cookie])).toEqual([
      ['k', undefined],
      [undefined, 'sid=c'],
    ]);
  });

  it("use the connection's current credential", async () => {
    const fay = await stage.app.user('fay@example.com');
    const headers = bearer(await stage.token({ userId: fay.id }));
    const { vault } = stage.app.deps;
    const config = { region: 'eu' };
    for (const apiKey of ['one', 'two', 'two']) {
      await vault.save(fay.id, 'keyed', { accessToken: JSON.stringify({ apiKey }), config });
      expect((await stage.get('/c/keyed/x', { headers })).status).toBe(200);
    }
    expect(stage.seen.map((asked) => asked.headers['x-key'])).toEqual(['one', 'two', 'two']);
    // The key is the same but the region is gone, so no request goes to the former one.
    await vault.save(fay.id, 'keyed', { accessToken: '{"apiKey":"two"}', config: {} });
    expect((await stage.get('/c/keyed/x', { headers })).status).toBe(502);
    expect(stage.seen).toHaveLength(3);
  });

  it("use the API's defaults where the caller sends none, and the caller's otherwise", async () => {
    await stage.get('/c/keyed/x');
    await stage.get('/c/keyed/x', { headers: { accept: '*/*' } });
    await stage.get('/c/keyed/x', { headers: { accept: 'text/x-diff', 'Keyed-Version': '1' } });
    expect(stage.seen.map(({ headers }) => [headers.accept, headers['keyed-version']])).toEqual([
      ['application/vnd.keyed+json', '2'],
      ['application/vnd.keyed+json', '2'],
      ['text/x-diff', '1'],
    ]);
  });

  it('return with duplicates, and without hop-by-hop headers', async () => {
    stage.answer((_, outgoing) => {
      outgoing.writeHead(201, 'Made', [
        'Set-Cookie',
        'a=1',
        'set-cookie',
        'b=2',
        'X-A',
        '1',
        'Connection',
        'X-Hop',
        'X-Hop',
        '1',
        'Keep-Alive',
        'timeout=9',
        'Proxy-Authenticate',
        'Basic',
        'Proxy-Connection',
        'close',
        'Trailer',
        'X-T',
        'TE',
        'trailers',
        'Upgrade',
        'h2c',
      ]);
      outgoing.end('x');
    });
    const { status, head } = await stage.raw('/c/vaulted/x');
    expect(status).toBe(201);
    expect(head).toMatch(/^HTTP\/1\.1 201 Made/);
    expect(head.match(/set-cookie: /gi)).toHaveLength(2);
    expect(head).toMatch(/^x-a: 1\r$/im);
    expect(head).not.toMatch(/x-hop|timeout=9|^proxy-|^trailer|^te:|^upgrade/im);
  });

  it("keep a cookie session's cookies at the gateway, and the session continues with them", async () => {
    stage.answer((_, outgoing) => outgoing.setHeader('set-cookie', 'sid=next; Path=/').end('x'));
    const response = await stage.get('/c/jar/x');
    expect(response.headers.getSetCookie()).toEqual([]);
    await response.text();
    await stage.get('/c/jar/x');
    expect(stage.seen.at(-1)?.headers.cookie).toBe('sid=next');
  });

  it.each([
    ['GET', 200],
    ['HEAD', 200],
    ['GET', 204],
    ['POST', 302],
  ])(
    'store new cookies before the response to %s with %i ends, because the next call may follow at once',
    async (method, status) => {
      const { store } = stage.app.deps;
      const order: string[] = [];
      const swap = async (...rows: Parameters<typeof store.connections.swap>) => {
        for (let turns = 0; turns < 100; turns++) await stage.app.clock.turn();
        order.push('kept');
        return store.connections.swap(...rows);
      };
      const connections = { ...store.connections, swap };
      const proxy = createCurlProxy({ ...stage.app.deps, store: { ...store, connections } });
      const server = await serve(stage.app.fetch, { ...NO_HANDLERS, proxy }, 0);
      stage.answer((_, outgoing) =>
        outgoing.writeHead(status, { 'set-cookie': `sid=${method}-${status}; Path=/` }).end(),
      );
      const init: RequestInit = { method, headers: bearer(token), redirect: 'manual' };
      const response = await fetch(`http://127.0.0.1:${server.port}/c/jar/x`, init);
      order.push('answered');
      expect([response.status, ...order]).toEqual([status, 'kept', 'answered']);
      await server.stop();
      await proxy.close();
    },
  );
});

describe('cookies that cannot be stored', () => {
  it('cut off no response, even when the caller reads slowly', async () => {
    const { store } = stage.app.deps;
    const full = Promise.withResolvers<void>();
    const swap = async () => {
      throw new Error('[sqlite] disk full');
    };
    const connections = { ...store.connections, swap };
    const proxy = createCurlProxy({ ...stage.app.deps, store: { ...store, connections } });
    let waits = () => false;
    const takes: typeof proxy.takes = (incoming, outgoing, continues) => {
      waits = () => outgoing.writableLength > 0;
      return proxy.takes(incoming, outgoing, continues);
    };
    const server = await serve(() => new Response(), { ...NO_HANDLERS, proxy: { takes } }, 0);
    let written = 0;
    // The response ends when the sockets are full, with some of it still in the gateway.
    stage.answer(async (_, outgoing) => {
      outgoing.setHeader('set-cookie', 'sid=lost; Path=/');
      for (; !waits(); written += 8_192) {
        outgoing.write(Buffer.alloc(8_192));
        await stage.app.clock.turn();
      }
      outgoing.end();
      full.resolve();
    });
    const response = await fetch(`http://127.0.0.1:${server.port}/c/jar/x`, { headers: bearer(token) });
    await full.promise;
    expect((await response.arrayBuffer()).byteLength).toBe(written);
    expect(stage.app.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'cookies were not kept', integration: 'jar' }),
    );
    await server.stop();
    await proxy.close();
  });
});

describe('responses through the proxy', () => {
  it.each([301, 302, 304, 400, 404, 418, 500, 599])('pass status %i unchanged', async (status) => {
    stage.answer((_, outgoing) =>
      outgoing.writeHead(status, { location: 'https://elsewhere.example/' }).end(),
    );
    const response = await stage.get('/c/vaulted/x');
    expect([response.status, response.headers.get('location')]).toEqual([
      status,
      'https://elsewhere.example/',
    ]);
  });

  it.each(['099', '600', '999'])('turn status %s into 502', async (status) => {
    stage.answer((incoming) => incoming.socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`));
    expect((await stage.get('/c/vaulted/x')).status).toBe(502);
  });

  it('pass compressed bytes untouched', async () => {
    const bytes = Buffer.from('1f8b0800000000000003cb48cdc9c9070086a6103605000000', 'hex');
    stage.answer((_, outgoing) => outgoing.setHeader('content-encoding', 'gzip').end(bytes));
    const { head, body } = await stage.raw('/c/vaulted/x');
    expect(head).toMatch(/content-encoding: gzip/i);
    expect(body).toContain(bytes.toString('latin1').slice(0, 10));
  });

  it('support HEAD, 204 and OPTIONS', async () => {
    stage.answer((incoming, outgoing) =>
      outgoing
        .writeHead(incoming.method === 'OPTIONS' ? 204 : 200, {
          'x-len': '1',
          ...(incoming.method === 'HEAD' ? { 'content-length': '5' } : {}),
        })
        .end(),
    );
    const head = await stage.get('/c/vaulted/x', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '5']);
    expect((await stage.get('/c/vaulted/x', { method: 'OPTIONS' })).status).toBe(204);
  });

  it('drop trailers, and end the body cleanly', async () => {
    stage.answer(({ socket }) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n',
      ),
    );
    const { head, body } = await stage.raw('/c/vaulted/x');
    expect(head).not.toMatch(/trailer/i);
    expect(body).toBe('2\r\nok\r\n0\r\n\r\n');
  });

  it('survive a thousand informational responses', async () => {
    stage.answer((incoming) => {
      incoming.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000));
      incoming.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    expect(await (await stage.get('/c/vaulted/x')).text()).toBe('ok');
  });

  it('deliver headers before the body begins', async () => {
    const held = Promise.withResolvers<void>();
    stage.answer(async (_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '4' }).flushHeaders();
      await held.promise;
      outgoing.end('late');
    });
    const response = await stage.get('/c/vaulted/x');
    expect(response.status).toBe(200);
    held.resolve();
    expect(await response.text()).toBe('late');
  });

  it.each([0, 1, 16 * 1024, 16 * 1024 + 1, 300_000])('deliver %i bytes unchanged', async (size) => {
    const bytes = randomBytes(size);
    for (const head of [{ 'content-length': size }, { 'transfer-encoding': 'chunked' }]) {
      stage.answer((_, outgoing) => void outgoing.writeHead(200, head).end(bytes));
      const answer = await (await stage.get('/c/vaulted/x')).arrayBuffer();
      expect(bytes.equals(new Uint8Array(answer))).toBe(true);
    }
  });

  it('deliver a response that starts before the upload ends, while the upload continues', async () => {
    stage.answer((_, outgoing) => void outgoing.writeHead(413, { 'content-length': '3' }).end('big'));
    const going = Promise.withResolvers<void>();
    const body = new ReadableStream({
      async pull(controller) {
        controller.enqueue(new Uint8Array(1_000));
        await going.promise;
        controller.close();
      },
    });
    const response = await stage.get('/c/vaulted/x', { method: 'POST', body, duplex: 'half' });
    expect(response.status).toBe(413);
    going.resolve();
    expect(await response.text()).toBe('big');
  });

  it('deliver events at once', async () => {
    const held = Promise.withResolvers<void>();
    stage.answer(async (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n');
      await held.promise;
      outgoing.end('data: two\n\n');
    });
    const response = await stage.get('/c/vaulted/x');
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: one\n\n');
    held.resolve();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: two\n\n');
  });

  it('break off for the caller when the upstream breaks off', async () => {
    stage.answer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => outgoing.destroy());
    });
    await expect(stage.get('/c/vaulted/x').then((response) => response.text())).rejects.toThrow();
  });
});

describe('request bodies through the proxy', () => {
  it('arrive byte for byte, with a length or chunked', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
    const digest = createHash('sha256').update(bytes).digest('hex');
    stage.answer(async (incoming, outgoing) => {
      const hash = createHash('sha256');
      for await (const chunk of incoming) hash.update(chunk);
      outgoing.end(`${hash.digest('hex')} ${incoming.headers['content-length'] ?? 'chunked'}`);
    });
    const announced = await stage.get('/c/vaulted/x', { method: 'POST', body: bytes });
    expect(await announced.text()).toBe(`${digest} 300000`);
    const stream = new Blob([bytes]).stream();
    const chunked = await stage.get('/c/vaulted/x', { method: 'PUT', body: stream, duplex: 'half' });
    expect(await chunked.text()).toBe(`${digest} chunked`);
  });

  it('are not sent before the token is checked, with Expect: 100-continue', async () => {
    const ask = (authorization: string) =>
      sendRaw(
        stage.port,
        `POST /c/vaulted/x HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${authorization}\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n`,
      );
    expect((await ask('nope')).status).toBe(401);
    const asked = sendRaw(
      stage.port,
      `POST /c/vaulted/x HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${token}\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello`,
    );
    expect((await asked).head).toMatch(/^HTTP\/1\.1 100 Continue/);
    expect(stage.seen.at(-1)?.headers).not.toHaveProperty('expect');
  });

  it('end the upstream call when the caller leaves', async () => {
    const aborted = Promise.withResolvers<void>();
    stage.answer((incoming, outgoing) => {
      outgoing.writeHead(200).write('x');
      incoming.socket.once('close', () => aborted.resolve());
    });
    const leaving = new AbortController();
    const response = await stage.get('/c/vaulted/x', { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await aborted.promise;
  });
});

describe('a caller that leaves before its call is sent', () => {
  it('leaves no open upstream connection', async () => {
    const { tokens } = stage.app.deps;
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const slow = {
      ...tokens,
      prepareRow: async (...question: Parameters<typeof tokens.prepareRow>) => {
        asked.resolve();
        await go.promise;
        return tokens.prepareRow(...question);
      },
    };
    const proxy = createCurlProxy({ ...stage.app.deps, tokens: slow });
    const left = Promise.withResolvers<void>();
    const takes: typeof proxy.takes = (incoming, outgoing, continues) => {
      outgoing.once('close', () => left.resolve());
      return proxy.takes(incoming, outgoing, continues);
    };
    const server = await serve(() => new Response(), { ...NO_HANDLERS, proxy: { takes } }, 0);
    const leaving = new AbortController();
    const call = fetch(`http://127.0.0.1:${server.port}/c/vaulted/x`, {
      headers: bearer(token),
      signal: leaving.signal,
    });
    await asked.promise;
    leaving.abort();
    await expect(call).rejects.toThrow();
    await left.promise;
    go.resolve();
    await server.stop();
    await proxy.close();
    expect(stage.seen).toEqual([]);
  });
});

describe('a token that the upstream refuses', () => {
  beforeEach(async () => {
    const { app, ana } = stage;
    await app.deps.vault.save(ana.id, 'vaulted', { accessToken: 'stale', refreshToken: 'r' });
    stage.answer((incoming, outgoing) => {
      if (incoming.url === '/token')
        return outgoing
          .setHeader('content-type', 'application/json')
          .end('{"access_token":"upstream-token","refresh_token":"r2"}');
      return outgoing
        .writeHead(incoming.headers.authorization === 'Bearer upstream-token' ? 200 : 401)
        .end('x');
    });
  });

  it('is refreshed, and a call without a body is repeated', async () => {
    expect((await stage.get('/c/vaulted/x')).status).toBe(200);
    expect(stage.seen.map(({ url }) => url)).toEqual(['/api/x', '/token', '/api/x']);
  });

  it("keeps the session's methods when the call is repeated", async () => {
    const headers = {
      ...bearer(await stage.token({ methods: ['GET'] })),
      'x-http-method-override': 'DELETE',
    };
    expect((await stage.get('/c/vaulted/x', { headers })).status).toBe(200);
    expect(stage.seen.map((request) => request.headers['x-http-method-override'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('passes the 401 on for a call with a body, and gives the next call a fresh token', async () => {
    const post = async () => (await stage.get('/c/vaulted/x', { method: 'POST', body: 'x' })).status;
    expect(await post()).toBe(401);
    await expect.poll(post).toBe(200);
    expect(stage.seen.filter(({ url }) => url === '/token')).toHaveLength(1);
  });
});
