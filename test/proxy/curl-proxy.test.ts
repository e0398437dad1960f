// spec: Curl proxy; design: P1, M11
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import { call } from '../support/mcp.ts';
import { openStage, type Stage } from '../support/proxy-stage.ts';
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

type Ask = Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; duplex?: 'half' };
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
const get = (path: string, init: Ask = {}) =>
  fetch(`${stage.base}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { ...bearer(token), ...init.headers },
  });
const raw = (target: string, method = 'GET') =>
  sendRaw(
    stage.port,
    `${method} ${target} HTTP/1.1\r\nHost: gate\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
  );

describe('the error table, in its order', () => {
  it.each([
    ['no token', {}, 401, 'Bearer curl-session token required'],
    ['another scheme', { authorization: 'Basic eDp5' }, 401, 'Bearer curl-session token required'],
    ['a token of nobody', bearer('nope'), 401, 'invalid or expired curl session token'],
  ])('%s', async (_, headers, status, error) => {
    const response = await fetch(`${stage.base}/c/nope/x`, { headers });
    expect([response.status, await response.json()]).toEqual([status, { error }]);
  });

  it('a portal session, an API key and an access token are none', async () => {
    const { session, apiKey, id } = stage.ana;
    const access = await stage.app.deps.accessTokens.issue({ userId: id, clientId: 'c', scope: 'mcp' });
    for (const other of [session, apiKey, access])
      expect((await get('/c/vaulted/x', { headers: bearer(other) })).status).toBe(401);
    // And it is none of theirs.
    expect((await fetch(`${stage.base}/rest`, { headers: bearer(token) })).status).toBe(401);
    expect((await fetch(`${stage.base}/api/auth/me`, { headers: bearer(token) })).status).toBe(401);
  });

  it.each([
    ['/c/echo/x', {}, 403, 'integration is not in this curl session'],
    ['/c/nope/x', {}, 403, 'integration is not in this curl session'],
    ['/c/echo/x', { integrations: ['echo'] }, 400, 'integration does not support curl proxy'],
    ['/c/gone/x', { integrations: ['gone'] }, 400, 'integration does not support curl proxy'],
    ['/c/vaulted/x', { methods: ['POST'] }, 403, 'this curl session does not allow that method or path'],
    [
      '/c/vaulted/reposx',
      { pathPrefix: '/repos' },
      403,
      'this curl session does not allow that method or path',
    ],
    [
      '/c/vaulted/%72epos',
      { pathPrefix: '/repos' },
      403,
      'this curl session does not allow that method or path',
    ],
  ])('%s with %j', async (path, session, status, error) => {
    const response = await get(path, { headers: bearer(await stage.token(session)) });
    expect([response.status, await response.json()]).toEqual([status, { error }]);
    expect(stage.seen).toEqual([]);
  });

  it('lets through what the limits of a session allow', async () => {
    const headers = bearer(await stage.token({ methods: ['GET'], pathPrefix: '/repos' }));
    for (const path of ['/repos', '/repos/', '/repos/a'])
      expect((await get(`/c/vaulted${path}`, { headers })).status).toBe(200);
  });

  it('does not let a session that may only read write by another name', async () => {
    const headers = {
      ...bearer(await stage.token({ methods: ['GET'] })),
      'x-http-method-override': 'DELETE',
    };
    await get('/c/vaulted/x', { headers });
    expect(stage.seen[0]?.headers).not.toHaveProperty('x-http-method-override');
  });

  it('is 409 for a connection that is gone, and 502 for one without an address', async () => {
    const bea = await stage.app.user('bea@example.com');
    const hers = await stage.token({ userId: bea.id });
    const gone = await get('/c/vaulted/x', { headers: bearer(hers) });
    expect([gone.status, await gone.json()]).toMatchObject([
      409,
      { error: 'NOT_CONNECTED', integration: 'vaulted' },
    ]);
    await stage.app.deps.vault.save(bea.id, 'keyed', { accessToken: '{"apiKey":"k"}' });
    const lost = await get('/c/keyed/x', { headers: bearer(hers) });
    expect([lost.status, (await lost.json()).error]).toEqual([
      502,
      expect.stringMatching(/^cannot resolve proxy base URL: .*region/),
    ]);
  });

  it('is 409 from the very next call on when a connection is taken away', async () => {
    const dan = await stage.app.user('dan@example.com');
    await stage.app.deps.vault.save(dan.id, 'vaulted', { accessToken: 'of-dan' });
    const headers = bearer(await stage.token({ userId: dan.id }));
    expect((await get('/c/vaulted/x', { headers })).status).toBe(200);
    await stage.app.request('/api/connections/vaulted', { method: 'DELETE', headers: dan.keyHeader });
    expect((await get('/c/vaulted/x', { headers })).status).toBe(409);
  });

  it('is 502 when the upstream breaks off before it answers', async () => {
    stage.answer((incoming) => incoming.socket.destroy());
    const response = await get('/c/vaulted/x');
    expect([response.status, (await response.json()).error]).toEqual([
      502,
      expect.stringMatching(/^upstream request failed: /),
    ]);
  });

  it('expires, and TRACE is 405', async () => {
    expect((await raw('/c/vaulted/x', 'TRACE')).status).toBe(405);
    const old = await stage.token();
    stage.app.clock.advance(901);
    const response = await get('/c/vaulted/x', { headers: bearer(old) });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'invalid or expired curl session token' },
    ]);
    token = await stage.token();
  });
});

describe('paths', () => {
  it.each([
    '/c/vaulted//host/x',
    '/c/vaulted/a\\b',
    '/c/vaulted/a%5cb',
    '/c/vaulted/a%5Cb',
    '/c/vaulted/..',
    '/c/vaulted/../x',
    '/c/vaulted/a/..',
    '/c/vaulted/./a',
    '/c/vaulted/a/.',
    '/c/vaulted/..%2fx',
    '/c/vaulted/%2e%2e',
    '/c/vaulted/%2E%2e/x',
    '/c/vaulted/.%2e/x',
    '/c/vaulted/a%2f..%2fb',
    '/c/vaulted/a%0d%0aX:y',
    '/c/vaulted/a%00',
    '/c/vaulted/a%7f',
    '/c/vaulted/a%',
    '/c/vaulted/a%zz',
    '/c/vaulted/a%2',
    '/c/vaulted/a?x=%zz',
    '/c/vaulted/..;/x',
    '/c/vaulted/a/%2e%2e;b/c',
    '/c/vaulted/a#b',
    'http://evil.example/c/vaulted/x',
    'https://vaulted.example/c/vaulted/x',
  ])('400 for %s, and nothing is sent', async (target) => {
    const { status, body } = await raw(target);
    expect([status, body]).toEqual([400, '{"error":"invalid path"}']);
    expect(stage.seen).toEqual([]);
  });

  it.each([
    ['/c/vaulted', '/api/'],
    ['/c/vaulted/', '/api/'],
    ['/c/vaulted/group%2Frepo', '/api/group%2Frepo'],
    ['/c/vaulted/a%20b/%ff/c;d=1', '/api/a%20b/%ff/c;d=1'],
    ['/c/vaulted/a//b', '/api/a//b'],
    ['/c/vaulted/http:', '/api/http:'],
    ['/c/vaulted/@evil.example', '/api/@evil.example'],
    ['/c/vaulted/...', '/api/...'],
    ['/c/vaulted/x?q=a%2Fb&q=c+d&../..', '/api/x?q=a%2Fb&q=c+d&../..'],
    ['/c/vaulted?a=1', '/api/?a=1'],
    ['/c/keyed/x', '/x'],
  ])('%s arrives as %s', async (target, url) => {
    expect((await raw(target)).status).toBe(200);
    expect(stage.seen.map((each) => each.url)).toEqual([url]);
  });
});

describe('headers', () => {
  it('carry the stored credential and nothing of the gateway’s', async () => {
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
    for (const name of [
      'cookie',
      'x-service-api-key',
      'x-forwarded-for',
      'forwarded',
      'x-mine',
      'te',
      'proxy-authorization',
    ]) {
      expect(request?.headers).not.toHaveProperty(name);
    }
    expect(JSON.stringify(request)).not.toContain(token);
  });

  it('carry API keys and cookies as the manifest has them, whatever the caller sends', async () => {
    await get('/c/keyed/x', { headers: { 'x-key': 'mine' } });
    await get('/c/jar/x', { headers: { cookie: 'sid=mine' } });
    expect(stage.seen.map(({ headers }) => [headers['x-key'], headers.cookie])).toEqual([
      ['k', undefined],
      [undefined, 'sid=c'],
    ]);
  });

  it('come back with duplicates, without hop-by-hop ones', async () => {
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
      ]);
      outgoing.end('x');
    });
    const { status, head } = await raw('/c/vaulted/x');
    expect(status).toBe(201);
    expect(head).toMatch(/^HTTP\/1\.1 201 Made/);
    expect(head.match(/set-cookie: /gi)).toHaveLength(2);
    expect(head).not.toMatch(/x-hop|timeout=9/i);
  });

  it('a cookie session’s own cookies stay with the gateway, and the session goes on with them', async () => {
    stage.answer((_, outgoing) => outgoing.setHeader('set-cookie', 'sid=next; Path=/').end('x'));
    const response = await get('/c/jar/x');
    expect(response.headers.getSetCookie()).toEqual([]);
    await response.text();
    await expect
      .poll(async () => {
        await get('/c/jar/x');
        return stage.seen.at(-1)?.headers.cookie;
      })
      .toBe('sid=next');
  });
});

describe('cookies that cannot be kept', () => {
  it('cut no answer, also where the caller reads slowly', async () => {
    const { store } = stage.app.deps;
    const failed = Promise.withResolvers<void>();
    const swap = async () => {
      failed.resolve();
      throw new Error('[sqlite] disk full');
    };
    const connections = { ...store.connections, swap };
    const proxy = createCurlProxy({ ...stage.app.deps, store: { ...store, connections } });
    let waits = () => false;
    const takes: typeof proxy.takes = (incoming, outgoing, continues) => {
      waits = () => outgoing.writableLength > 0;
      return proxy.takes(incoming, outgoing, continues);
    };
    const server = await serve(() => new Response(), { ...proxy, takes }, 0);
    let written = 0;
    // It ends when the sockets are full, with some of it still in the gateway.
    stage.answer(async (_, outgoing) => {
      outgoing.setHeader('set-cookie', 'sid=lost; Path=/');
      for (; !waits(); written += 8_192) {
        outgoing.write(Buffer.alloc(8_192));
        await stage.app.clock.turn();
      }
      outgoing.end();
    });
    const response = await fetch(`http://127.0.0.1:${server.port}/c/jar/x`, { headers: bearer(token) });
    await failed.promise;
    await stage.app.clock.turn();
    expect((await response.arrayBuffer()).byteLength).toBe(written);
    expect(stage.app.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'cookies were not kept', integration: 'jar' }),
    );
    await server.stop();
    await proxy.close();
  });
});

describe('answers', () => {
  it.each([301, 302, 304, 400, 404, 418, 500, 599])('status %i passes as it is', async (status) => {
    stage.answer((_, outgoing) =>
      outgoing.writeHead(status, { location: 'https://elsewhere.example/' }).end(),
    );
    const response = await get('/c/vaulted/x');
    expect([response.status, response.headers.get('location')]).toEqual([
      status,
      'https://elsewhere.example/',
    ]);
  });

  it.each(['099', '600', '999'])('status %s becomes 502', async (status) => {
    stage.answer((incoming) => incoming.socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`));
    expect((await get('/c/vaulted/x')).status).toBe(502);
  });

  it('compressed bytes pass untouched', async () => {
    const bytes = Buffer.from('1f8b0800000000000003cb48cdc9c9070086a6103605000000', 'hex');
    stage.answer((_, outgoing) => outgoing.setHeader('content-encoding', 'gzip').end(bytes));
    const { head, body } = await raw('/c/vaulted/x');
    expect(head).toMatch(/content-encoding: gzip/i);
    expect(body).toContain(bytes.toString('latin1').slice(0, 10));
  });

  it('HEAD, 204 and OPTIONS work', async () => {
    stage.answer((incoming, outgoing) =>
      outgoing
        .writeHead(incoming.method === 'OPTIONS' ? 204 : 200, {
          'x-len': '1',
          ...(incoming.method === 'HEAD' ? { 'content-length': '5' } : {}),
        })
        .end(),
    );
    const head = await get('/c/vaulted/x', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '5']);
    expect((await get('/c/vaulted/x', { method: 'OPTIONS' })).status).toBe(204);
  });

  it('trailers are dropped, and the body ends cleanly', async () => {
    stage.answer(({ socket }) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n',
      ),
    );
    const { head, body } = await raw('/c/vaulted/x');
    expect(head).not.toMatch(/trailer/i);
    expect(body).toBe('2\r\nok\r\n0\r\n\r\n');
  });

  it('a thousand informational answers do no harm', async () => {
    stage.answer((incoming) => {
      incoming.socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000));
      incoming.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    expect(await (await get('/c/vaulted/x')).text()).toBe('ok');
  });

  it('events are seen at once', async () => {
    const held = Promise.withResolvers<void>();
    stage.answer(async (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: one\n\n');
      await held.promise;
      outgoing.end('data: two\n\n');
    });
    const response = await get('/c/vaulted/x');
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: one\n\n');
    held.resolve();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: two\n\n');
  });

  it('an answer that breaks off breaks off for the caller', async () => {
    stage.answer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => outgoing.destroy());
    });
    await expect(get('/c/vaulted/x').then((response) => response.text())).rejects.toThrow();
  });
});

describe('bodies', () => {
  it('arrive byte for byte, announced or chunked', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
    const digest = createHash('sha256').update(bytes).digest('hex');
    stage.answer(async (incoming, outgoing) => {
      const hash = createHash('sha256');
      for await (const chunk of incoming) hash.update(chunk);
      outgoing.end(`${hash.digest('hex')} ${incoming.headers['content-length'] ?? 'chunked'}`);
    });
    const announced = await get('/c/vaulted/x', { method: 'POST', body: bytes });
    expect(await announced.text()).toBe(`${digest} 300000`);
    const stream = new Blob([bytes]).stream();
    const chunked = await get('/c/vaulted/x', { method: 'PUT', body: stream, duplex: 'half' });
    expect(await chunked.text()).toBe(`${digest} chunked`);
  });

  it('wait for the go-ahead: a bad token is refused before a byte is sent', async () => {
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

  it('a caller that leaves ends the call upstream', async () => {
    const aborted = Promise.withResolvers<void>();
    stage.answer((incoming, outgoing) => {
      outgoing.writeHead(200).write('x');
      incoming.socket.once('close', () => aborted.resolve());
    });
    const leaving = new AbortController();
    const response = await get('/c/vaulted/x', { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await aborted.promise;
  });
});

describe('a caller that has gone before its call could go', () => {
  it('leaves nothing open upstream', async () => {
    const { tokens } = stage.app.deps;
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const slow = {
      usable: async (...question: Parameters<typeof tokens.usable>) => {
        asked.resolve();
        await go.promise;
        return tokens.usable(...question);
      },
    };
    const proxy = createCurlProxy({ ...stage.app.deps, tokens: slow });
    const left = Promise.withResolvers<void>();
    const takes: typeof proxy.takes = (incoming, outgoing, continues) => {
      outgoing.once('close', () => left.resolve());
      return proxy.takes(incoming, outgoing, continues);
    };
    const server = await serve(() => new Response(), { ...proxy, takes }, 0);
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

describe('a token the upstream turns down', () => {
  it('is refreshed, and a call without a body is made again', async () => {
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
    expect((await get('/c/vaulted/x')).status).toBe(200);
    expect(stage.seen.map(({ url }) => url)).toEqual(['/api/x', '/token', '/api/x']);
  });

  it('a call with a body gets the 401', async () => {
    stage.answer((_, outgoing) => outgoing.writeHead(401).end('x'));
    expect((await get('/c/vaulted/x', { method: 'POST', body: 'x' })).status).toBe(401);
  });
});

describe('what is kept of a call', () => {
  it('an audit row with method and path pattern, never query or body; a metric under the route', async () => {
    await (await get('/c/vaulted/repos/acme/issues/42?secret=s', { method: 'POST', body: 'b' })).text();
    await stage.app.deps.audit.flush();
    await expect
      .poll(async () => (await stage.app.deps.store.audit.list({ user_id: stage.ana.id, limit: 1 }))[0])
      .toMatchObject({
        integration: 'vaulted',
        tool: 'POST /repos/acme/issues/:id',
        action: 'CURL',
        success: true,
        error: null,
      });
    expect((await stage.app.deps.metrics.expose()).text).toMatch(
      /service_http_requests_total\{method="POST",route="\/c\/:integration\/\*",status="200"\}/,
    );
    expect(JSON.stringify(stage.app.lines)).not.toMatch(/secret=s|acme/);
  });
});

describe('curl_session', () => {
  it('hands out a token, addresses and a line that runs as it is', async () => {
    const session = await call(stage.app, stage.ana.keyHeader, 'curl_session', {
      integrations: ['vaulted', 'keyed'],
      ttlSeconds: 60,
    });
    expect(session).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expiresIn: 60,
      expiresAt: stage.app.clock.now() + 60,
      integrations: [
        { name: 'vaulted', url: 'http://localhost:3000/c/vaulted' },
        { name: 'keyed', url: 'http://localhost:3000/c/keyed' },
      ],
      example: `curl -H 'Authorization: Bearer ${session.token}' 'http://localhost:3000/c/vaulted/'`,
    });
    expect((await get('/c/vaulted/x', { headers: bearer(session.token) })).status).toBe(200);
  });

  it.each([
    [{ methods: ['POST', 'DELETE'] }, 'POST', '/api/'],
    [{ methods: ['HEAD'] }, 'HEAD', '/api/'],
    [{ methods: ['POST', 'GET'] }, 'GET', '/api/'],
    [{ pathPrefix: '/projects/acme%2Fapp/@v:1' }, 'GET', '/api/projects/acme%2Fapp/@v:1'],
  ])('shows a line that the session allows: %j', async (limits, method, url) => {
    const asked = { integrations: ['vaulted'], ...limits };
    const { example } = await call(stage.app, stage.ana.keyHeader, 'curl_session', asked);
    const line = example.replace('http://localhost:3000', stage.base).replace('curl', 'curl --fail --silent');
    await promisify(execFile)('sh', ['-c', line]);
    expect(stage.seen.at(-1)).toMatchObject({ method, url });
  });

  it.each([
    ['nope', 'Integration not found'],
    ['echo', 'integration does not support curl proxy'],
    ['keyed', 'NOT_CONNECTED'],
  ])('says why not for %s', async (name, error) => {
    const cem = await stage.app.user('cem@example.com');
    expect(await call(stage.app, cem.keyHeader, 'curl_session', { integrations: [name] })).toMatchObject({
      error,
      integration: name,
    });
  });
});
