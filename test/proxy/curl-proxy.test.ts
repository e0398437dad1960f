// Tests who may call what through the proxy: tokens, limits and paths, and what is recorded about a call.
// reference: Curl proxy; decision: 034
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import { UNAVAILABLE } from '../../src/http/errors.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { call } from '../support/mcp.ts';
import { bearer, openStage, type Stage } from '../support/proxy-stage.ts';
import { sendRaw } from '../support/raw-http.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
beforeEach(() => {
  stage.seen.length = 0;
  stage.answer((_, outgoing) => outgoing.end('ok'));
});
afterAll(() => stage.close());

describe('curl proxy errors, in their order', () => {
  it.each([
    ['no token', {}, 401, 'Bearer curl-session token required'],
    ['another scheme', { authorization: 'Basic eDp5' }, 401, 'Bearer curl-session token required'],
    ['a token of nobody', bearer('nope'), 401, 'invalid or expired curl session token'],
  ])('refuses %s', async (_, headers, status, error) => {
    const response = await fetch(`${stage.base}/c/nope/x`, { headers });
    expect([response.status, await response.json()]).toEqual([status, { error }]);
  });

  it('refuses a portal session, an API key and an access token', async () => {
    const { session, apiKey, id } = stage.ana;
    const access = stage.app.deps.accessTokens.issue({ userId: id, clientId: 'c', scope: 'mcp' });
    for (const other of [session, apiKey, access])
      expect((await stage.get('/c/vaulted/x', { headers: bearer(other) })).status).toBe(401);
    // A curl session token opens none of the other surfaces either.
    const token = await stage.token();
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
  ])('answers %s with %j', async (path, session, status, error) => {
    const response = await stage.get(path, { headers: bearer(await stage.token(session)) });
    expect([response.status, await response.json()]).toEqual([status, { error }]);
    expect(stage.seen).toEqual([]);
  });

  it('reports only the first check that fails', async () => {
    const told = async (target: string, session: object) => {
      const response = await stage.get(target, { headers: bearer(await stage.token(session)) });
      return (await response.json()).error;
    };
    const [elsewhere, held] = [{ integrations: ['jar'] }, { methods: ['POST'] }];
    expect(await told('/c/echo/a%00', elsewhere)).toBe('integration is not in this curl session');
    const echo = { ...held, integrations: ['echo'] };
    expect(await told('/c/echo/a%00', echo)).toBe('integration does not support curl proxy');
    expect(await told('/c/vaulted/a%00', held)).toBe('invalid path');
  });

  const twiceEncoded = [
    '/repos/%252e%252e/admin',
    '/repos/%252E%252E%252Fadmin',
    '/repos/a%252fb/..%252f..%252fadmin',
    '/repos/..%252fadmin',
    '/repos/..%255cadmin',
    '/repos/%25%32%65%25%32%65/admin',
    '/repos/%25252e%25252e/admin',
    '/repos/%2525%2532%2565/admin',
    '/repos/a%2500b',
    '/repos/a%252eb',
    '/repos/%252525252525252f',
  ];
  it.each(twiceEncoded)(
    'refuses %s below a prefix, because an upstream may decode it twice',
    async (path) => {
      const headers = bearer(await stage.token({ pathPrefix: '/repos' }));
      expect(await stage.get(`/c/vaulted${path}`, { headers }).then(({ status }) => status)).toBe(400);
      expect(stage.seen).toEqual([]);
      // Without a prefix the bytes are forwarded.
      expect((await stage.get(`/c/vaulted${path}`)).status).toBe(200);
      expect(stage.seen).toMatchObject([{ url: `/api${path}` }]);
    },
  );

  it.each(['/repos/a%2Fb', '/repos/a.b/.c', '/repos/feature%252Fname', '/repos/100%25', '/repos/50%25ab'])(
    'allows %s below a prefix',
    async (path) => {
      const headers = bearer(await stage.token({ pathPrefix: '/repos' }));
      expect((await stage.get(`/c/vaulted${path}`, { headers })).status).toBe(200);
      expect(stage.seen).toMatchObject([{ url: `/api${path}` }]);
    },
  );

  it.each(['/repos', '/repos/'])('allows what the limits of a session allow: %s', async (pathPrefix) => {
    const headers = bearer(await stage.token({ methods: ['GET'], pathPrefix }));
    for (const path of ['/repos', '/repos/', '/repos/a'])
      expect((await stage.get(`/c/vaulted${path}`, { headers })).status, path).toBe(200);
    for (const path of ['/reposx', '/repo', '/x/repos/a', '/', ''])
      expect((await stage.get(`/c/vaulted${path}`, { headers })).status, path).toBe(403);
  });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])('passes %s on', async (method) => {
    const headers = bearer(await stage.token({ methods: [method] }));
    expect((await stage.get('/c/vaulted/x', { method, headers })).status).toBe(200);
    expect(stage.seen).toMatchObject([{ method, url: '/api/x' }]);
  });

  it.each([
    'x-http-method',
    'x-http-method-override',
    'x-method-override',
    'X_HTTP_Method',
    'X_HTTP_Method_Override',
    'X-Method_Override',
    'X-Original-Method',
    'X-Request-Method',
    'X-HTTP-Verb-Override',
    'HTTP-Method-Override',
  ])('does not let a read-only session write through a method override: %s', async (name) => {
    const held = { ...bearer(await stage.token({ methods: ['GET'] })), [name]: 'DELETE' };
    expect((await stage.get('/c/vaulted/x', { headers: held })).status).toBe(200);
    expect((await stage.get('/c/vaulted/x', { headers: { [name]: 'DELETE' } })).status).toBe(200);
    const lower = name.toLowerCase();
    expect(stage.seen.map(({ headers }) => headers[lower])).toEqual([undefined, 'DELETE']);
  });

  it.each([
    'X-Original-URL',
    'X-Rewrite-URL',
    'X_Original_URL',
    'X-Original-URI',
    'X-Original-Path',
    'X-Override-URL',
    'X-Request-URI',
    'X-Real-URL',
    'X-Proxy-URL',
    'X-HTTP-DestinationURL',
    'X-Envoy-Original-Path',
    'X-MS-Original-URL',
    'X-WAWS-Unencoded-URL',
    'X-Matched-Path',
    'X-Middleware-Rewrite',
    'X-Script-Name',
    'X-Original-Host',
    'X-HTTP-Method-Override',
  ])(
    'does not let a session that is held to a path or methods reach another path through %s',
    async (name) => {
      const limits = [{ pathPrefix: '/repos' }, { methods: ['GET'] }, {}];
      for (const limit of limits) {
        const headers = { ...bearer(await stage.token(limit)), [name]: '/admin' };
        expect((await stage.get('/c/vaulted/repos', { headers })).status).toBe(200);
      }
      const lower = name.toLowerCase();
      expect(stage.seen.map(({ headers }) => headers[lower])).toEqual([undefined, undefined, '/admin']);
    },
  );

  it('answers 409 for a missing connection, and 502 for a connection without an address', async () => {
    const bea = await stage.app.user('bea@example.com');
    const hers = await stage.token({ userId: bea.id });
    const gone = await stage.get('/c/vaulted/x', { headers: bearer(hers) });
    expect([gone.status, await gone.json()]).toMatchObject([
      409,
      { error: 'NOT_CONNECTED', integration: 'vaulted' },
    ]);
    await stage.app.deps.vault.save(bea.id, 'keyed', { accessToken: '{"apiKey":"k"}' });
    const lost = await stage.get('/c/keyed/x', { headers: bearer(hers) });
    expect([lost.status, (await lost.json()).error]).toEqual([
      502,
      expect.stringMatching(/^cannot resolve proxy base URL: .*region/),
    ]);
  });

  it('answers 409 from the next call on after a disconnect', async () => {
    const dan = await stage.app.user('dan@example.com');
    await stage.app.deps.vault.save(dan.id, 'vaulted', { accessToken: 'of-dan' });
    const headers = bearer(await stage.token({ userId: dan.id }));
    expect((await stage.get('/c/vaulted/x', { headers })).status).toBe(200);
    await stage.app.request('/api/connections/vaulted', { method: 'DELETE', headers: dan.keyHeader });
    expect((await stage.get('/c/vaulted/x', { headers })).status).toBe(409);
  });

  it('answers 409 for an expired cookie session, and does not call the upstream', async () => {
    const { app } = stage;
    const eve = await app.user('eve@example.com');
    const ofAna = await app.deps.store.connections.get(stage.ana.id, 'jar', '');
    const expires = app.clock.now() + 60;
    const cookie = { name: 'sid', value: 'c', domain: '127.0.0.1', path: '/', secure: false, httpOnly: true };
    await app.deps.vault.save(eve.id, 'jar', {
      accessToken: 'cookie-auth',
      cookies: JSON.stringify({ v: 1, cookies: [{ ...cookie, expires }], capturedAt: 1 }),
      config: JSON.parse(ofAna?.config ?? ''),
    });
    const headers = bearer(await stage.token({ userId: eve.id }));
    expect((await stage.get('/c/jar/x', { headers })).status).toBe(200);
    app.clock.advance(60);
    const response = await stage.get('/c/jar/x', { headers });
    expect([response.status, await response.json()]).toMatchObject([
      409,
      { error: 'NOT_CONNECTED', integration: 'jar' },
    ]);
    expect(stage.seen).toHaveLength(1);
  });

  it('says that a call may have run when the upstream breaks off before it responds', async () => {
    stage.answer((incoming) => incoming.socket.destroy());
    const response = await stage.get('/c/vaulted/x');
    expect([response.status, (await response.json()).error]).toEqual([
      502,
      expect.stringMatching(
        /^upstream request failed: \S+ closed the connection before it answered\. The call may have run$/,
      ),
    ]);
  });

  it('answers 502 for an expired token without a refresh token, and does not call the upstream', async () => {
    const { app } = stage;
    const fay = await app.user('fay@example.com');
    await app.deps.vault.save(fay.id, 'vaulted', { accessToken: 'old', expiresAt: app.clock.now() - 1 });
    const headers = bearer(await stage.token({ userId: fay.id }));
    const response = await stage.get('/c/vaulted/x', { headers });
    expect([response.status, await response.json()]).toEqual([
      502,
      { error: 'upstream request failed: Token expired and no refresh_token stored' },
    ]);
    expect(stage.seen).toEqual([]);
  });

  it('answers 502 for an instance at a forbidden address', async () => {
    const { app } = stage;
    const gil = await app.user('gil@example.com');
    const domain = '169.254.169.254';
    const cookie = { name: 'sid', value: 'c', domain, path: '/', expires: -1, secure: false, httpOnly: true };
    await app.deps.vault.save(gil.id, 'jar', {
      accessToken: 'cookie-auth',
      cookies: JSON.stringify({ v: 1, cookies: [cookie], capturedAt: 1 }),
      config: { instanceUrl: `http://${domain}` },
    });
    const response = await stage.get('/c/jar/x', { headers: bearer(await stage.token({ userId: gil.id })) });
    expect([response.status, await response.json()]).toEqual([
      502,
      {
        error:
          'upstream request failed: Connecting to 169.254.169.254 is not allowed: its address is not public',
      },
    ]);
  });

  it('answers 405 to TRACE', async () => {
    const { status, head } = await stage.raw('/c/vaulted/x', 'TRACE');
    expect(status).toBe(405);
    expect(head).toMatch(/^allow: GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS\r$/im);
  });

  it('answers 401 for an expired session', async () => {
    const old = await stage.token();
    stage.app.clock.advance(899);
    expect((await stage.get('/c/vaulted/x', { headers: bearer(old) })).status).toBe(200);
    stage.app.clock.advance(1);
    const response = await stage.get('/c/vaulted/x', { headers: bearer(old) });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'invalid or expired curl session token' },
    ]);
  });
});

describe('failures of the gateway itself', () => {
  it.each([
    [new Unavailable('[sqlite] away'), 503, '5', UNAVAILABLE],
    [new Error('[sqlite] broken'), 500, null, 'Internal error'],
  ])('hides the details from the caller and logs them: %s', async (failure, status, retryAfter, error) => {
    const { app } = stage;
    const prepareRow = () => Promise.reject(failure);
    const proxy = createCurlProxy({ ...app.deps, tokens: { ...app.deps.tokens, prepareRow } });
    const server = await serve(app.fetch, { ...NO_HANDLERS, proxy }, 0);
    const headers = bearer(await stage.token());
    const response = await fetch(`http://127.0.0.1:${server.port}/c/vaulted/x`, { headers });
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
      status,
      retryAfter,
      { error },
    ]);
    expect(app.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        event: 'request failed',
        requestId: expect.any(String),
        route: '/c/:integration/*',
        error: expect.stringContaining(failure.message),
      }),
    );
    await server.stop();
    await proxy.close();
  });
});

describe('a request without body headers', () => {
  it.each([
    ['POST', '/mcp', 401],
    ['POST', '/token', 400],
    ['POST', '/register', 400],
    ['POST', '/rest/echo', 401],
    ['DELETE', '/mcp', 405],
    ['GET', '/api/auth/providers', 200],
    ['HEAD', '/api/auth/providers', 200],
  ])('is answered at once: %s %s', async (method, target, status) => {
    const text = `${method} ${target} HTTP/1.1\r\nHost: gate\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(stage.port, text)).status).toBe(status);
  });

  it('passes through the proxy', async () => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await stage.raw('/c/vaulted/x', method)).toMatchObject({ status: 200, body: 'ok' });
  });
});

describe('proxy paths', () => {
  it("do not exist at the jots' own origin", async () => {
    const head = 'GET /c/vaulted/x HTTP/1.1\r\nHost: jots.localhost\r\nConnection: close';
    const text = `${head}\r\nAuthorization: Bearer ${await stage.token()}\r\n\r\n`;
    expect((await sendRaw(stage.port, text)).status).toBe(404);
    expect(stage.seen).toEqual([]);
  });

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
    '/c/vaulted/a?x#b',
    '/c/vaulted/%2e',
    '/c/vaulted/a%2f%2e%2fb',
    '/c/vaulted/.;/x',
    '/c/vaulted/a%1fb',
    '/c/vaulted/..;/x',
    '/c/vaulted/a/%2e%2e;b/c',
    '/c/vaulted/a#b',
    'http://evil.example/c/vaulted/x',
    'https://vaulted.example/c/vaulted/x',
  ])('are refused with 400 for %s, and nothing is sent', async (target) => {
    const { status, body } = await stage.raw(target);
    expect([status, body]).toEqual([400, '{"error":"invalid path"}']);
    expect(stage.seen).toEqual([]);
  });

  it.each([
    ['/c/vaulted', '/api/'],
    ['/c/vaulted/', '/api/'],
    ['/c/vaulted/group%2Frepo', '/api/group%2Frepo'],
    ['/c/vaulted/a%20b/%ff/c;d=1', '/api/a%20b/%ff/c;d=1'],
    ['/c/vaulted/a//b', '/api/a//b'],
    ['/c/vaulted/%C3%9f/%2520', '/api/%C3%9f/%2520'],
    ['/c/vaulted/a..;b/.x', '/api/a..;b/.x'],
    ['/c/vaulted/http:', '/api/http:'],
    ['/c/vaulted/@evil.example', '/api/@evil.example'],
    ['/c/vaulted/...', '/api/...'],
    ['/c/vaulted/x?q=a%2Fb&q=c+d&../..', '/api/x?q=a%2Fb&q=c+d&../..'],
    ['/c/vaulted?a=1', '/api/?a=1'],
    ['/c/keyed/x', '/x'],
  ])('forward %s as %s', async (target, url) => {
    expect((await stage.raw(target)).status).toBe(200);
    expect(stage.seen.map((each) => each.url)).toEqual([url]);
  });
});

describe('records of a proxy call', () => {
  it('are an audit row with method and path pattern, never query or body, and a metric under the route', async () => {
    await (await stage.get('/c/vaulted/repos/acme/issues/42?secret=s', { method: 'POST', body: 'b' })).text();
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

describe('the outcome in an audit row', () => {
  it.each([
    [302, true, null],
    [399, true, null],
    [400, false, 'HTTP 400'],
    [503, false, 'HTTP 503'],
    [null, false, 'failed'],
  ])('records an upstream that answers %s', async (status, success, error) => {
    stage.answer((_, outgoing) => (status === null ? outgoing.destroy() : outgoing.writeHead(status).end()));
    const hal = await stage.app.user(`hal-${status}@example.com`);
    await stage.app.deps.vault.save(hal.id, 'vaulted', { accessToken: 'of-hal' });
    await stage.get('/c/vaulted/x', { headers: bearer(await stage.token({ userId: hal.id })) });
    await expect
      .poll(async () => {
        await stage.app.deps.audit.flush();
        return stage.app.deps.store.audit.list({ user_id: hal.id, limit: 9 });
      })
      .toMatchObject([{ tool: 'GET /x', action: 'CURL', success, error, duration_ms: 0 }]);
  });
});

describe('paths that only resemble the proxy', () => {
  it.each([
    '/j/site/c/x',
    '/x/c/vaulted/x',
    '/oauth/callback?next=http://x/c/y',
    '/cx',
    'http://gate/x?y=/c/z',
    '//x/c/vaulted/x',
  ])('are not proxied: %s', async (target) => {
    const routed = () => stage.app.lines.filter(({ route }) => route === '/c/:integration/*').length;
    const before = routed();
    const { body } = await stage.raw(target);
    expect(body).not.toContain('invalid path');
    expect(routed()).toBe(before);
    expect(stage.seen).toEqual([]);
  });
});

describe('the log lines of a proxy call', () => {
  it('name the request in each line, and never its path', async () => {
    stage.answer((_, outgoing) => outgoing.destroy());
    const headers = bearer(await stage.token());
    const linesOf = () => stage.app.lines.filter(({ route }) => route === '/c/:integration/*');
    const before = linesOf().length;
    await stage.get('/c/vaulted/private', { headers });
    await stage.get('/c/vaulted/private', { headers });
    await expect.poll(() => linesOf().length).toBe(before + 2);
    const [first, second] = linesOf().slice(before);
    expect(first?.['requestId']).toEqual(expect.stringMatching(/^[0-9a-f]{8}-[0-9a-z]+$/));
    expect(second?.['requestId']).not.toBe(first?.['requestId']);
    expect(JSON.stringify(linesOf())).not.toContain('private');
  });
});

describe('the path pattern of an audit row', () => {
  it.each([
    ['/c/vaulted', 'GET /'],
    ['/c/vaulted/', 'GET /'],
    ['/c/vaulted/a/b', 'GET /a/b'],
    ['/c/vaulted/v1/group%2Frepo/x', 'GET /:id/:id/x'],
    [`/c/vaulted/${'a'.repeat(32)}/${'b'.repeat(33)}`, `GET /${'a'.repeat(32)}/:id`],
    ['/c/vaulted/a/b/c/d/e/f/g/h/i/j', 'GET /a/b/c/d/e/f/g/h'],
  ])('turns %s into %s', async (target, tool) => {
    await stage.raw(target);
    await expect
      .poll(async () => {
        await stage.app.deps.audit.flush();
        return (await stage.app.deps.store.audit.list({ user_id: stage.ana.id, limit: 1 }))[0]?.tool;
      })
      .toBe(tool);
  });
});

describe('curl_session', () => {
  it('returns a token, addresses and a command that runs unchanged', async () => {
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
      example: `curl -H "Authorization: Bearer $TOKEN" 'http://localhost:3000/c/vaulted/'`,
    });
    expect((await stage.get('/c/vaulted/x', { headers: bearer(session.token) })).status).toBe(200);
  });

  it.each([
    [{ methods: ['POST', 'DELETE'] }, 'POST', '/api/'],
    [{ methods: ['HEAD'] }, 'HEAD', '/api/'],
    [{ methods: ['POST', 'GET'] }, 'GET', '/api/'],
    [{ pathPrefix: '/projects/acme%2Fapp/@v:1' }, 'GET', '/api/projects/acme%2Fapp/@v:1'],
  ])('shows a command that the session allows: %j', async (limits, method, url) => {
    const asked = { integrations: ['vaulted'], ...limits };
    const { example, token } = await call(stage.app, stage.ana.keyHeader, 'curl_session', asked);
    expect(example).not.toContain(token);
    const line = example.replace('http://localhost:3000', stage.base).replace('curl', 'curl --fail --silent');
    await promisify(execFile)('sh', ['-c', line], { env: { ...process.env, TOKEN: token } });
    expect(stage.seen.at(-1)).toMatchObject({ method, url });
  });

  it.each([
    ['nope', 'Integration not found'],
    ['echo', 'integration does not support curl proxy'],
    ['keyed', 'NOT_CONNECTED'],
  ])('explains why %s is refused', async (name, error) => {
    const cem = await stage.app.user('cem@example.com');
    expect(await call(stage.app, cem.keyHeader, 'curl_session', { integrations: [name] })).toMatchObject({
      error,
      integration: name,
    });
  });
});
