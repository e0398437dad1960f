// Tests bad input of every kind: it gets the documented response, never a 500.
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSessions } from '../../src/auth/session.ts';
import { importSigningKey } from '../../src/crypto/signing-key.ts';
import { call, post, rpc } from '../support/mcp.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterAll(async () => {
  expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await app.close();
});

const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('POST /mcp with an invalid body', () => {
  it.each(['', ' ', '{', '{"jsonrpc":"2.0","id":1,', 'null!', '\u0000', "{'a':1}", 'NaN', '{"a":1}}'])(
    'answers 400 and -32700 to %j',
    async (body) => {
      const answer = await post(app, ana.keyHeader, body);
      expect([answer.status, answer.body.error?.code, answer.body.id]).toEqual([400, -32700, null]);
    },
  );

  it.each(['gzip', 'br'])(
    'answers a body encoded as %s with the advice to send it uncompressed',
    async (encoding) => {
      const answer = await post(app, { ...ana.keyHeader, 'content-encoding': encoding }, '\u001f\ufffd');
      expect([answer.status, answer.body.error]).toEqual([
        400,
        {
          code: -32700,
          message: `Parse error: the body is not JSON: send it uncompressed, without Content-Encoding`,
        },
      ]);
    },
  );

  const notObject = 'a JSON-RPC request must be one JSON object';
  const notVersion2 = 'jsonrpc must be "2.0"';
  const badId = 'id must be a string or a number';

  it.each([
    ['null', notObject],
    ['1', notObject],
    ['"x"', notObject],
    ['true', notObject],
    ['[]', notObject],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', notObject],
    ['{}', notVersion2],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', notVersion2],
    ['{"jsonrpc":2,"id":1,"method":"ping"}', notVersion2],
    ['{"jsonrpc":"2.0","id":1,"method":5}', 'method must be a string'],
    ['{"jsonrpc":"2.0","id":1}', 'method must be a string'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', badId],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', badId],
    ['{"jsonrpc":"2.0","id":[1],"method":"ping"}', badId],
    ['{"jsonrpc":"2.0","id":true,"method":"ping"}', badId],
  ])('answers 400 and -32600 to %s', async (body, reason) => {
    const answer = await post(app, ana.keyHeader, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: `Invalid Request: ${reason}` },
    });
  });

  it.each(['[]', '"x"', '5', 'null'])('answers 400 and -32602 to params %s', async (params) => {
    const answer = await post(
      app,
      ana.keyHeader,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${params}}`,
    );
    expect([answer.status, answer.body.error?.code, answer.body.id]).toEqual([400, -32602, 1]);
  });

  it('checks the credential before it reports what is wrong', async () => {
    for (const body of ['{', '[]', '{"jsonrpc":"2.0","id":5,"method":"nope"}']) {
      const answer = await post(app, {}, body);
      expect([answer.status, answer.body.error?.code]).toEqual([401, -32001]);
    }
  });

  it('refuses JSON that is nested 10,000 levels deep, wherever it occurs', async () => {
    const bodies = [
      deep(10_000),
      `{"jsonrpc":"2.0","id":${deep(10_000)},"method":"ping"}`,
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${deep(10_000)}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_tools","arguments":{"executions":[{"tool":"shout","args":{"text":${deep(10_000)}}}]}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_tools","arguments":{"query":${deep(10_000)}}}}`,
    ];
    for (const text of bodies) {
      const { status, body } = await post(app, ana.keyHeader, text);
      expect([status, body.error?.code]).toEqual([400, -32700]);
    }
  });

  it.each([
    '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{"admin":true}}',
    '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_tools","arguments":{"__proto__":{"query":"x"}}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_tools","arguments":{"query":"x","constructor":{"prototype":{}}}}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"search_tools"}}}',
  ])('reads no property from a prototype: %s', async (body) => {
    const answer = await post(app, ana.keyHeader, body);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body.result ?? {}).not.toHaveProperty('content');
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false);
  });

  it.each([
    [4 * 1024 * 1024, 200],
    [4 * 1024 * 1024 + 1, 413],
  ])('answers a body of %i bytes with %i, with and without an announced length', async (bytes, status) => {
    const padded = (message: object) => JSON.stringify(message).padEnd(bytes);
    const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
    const announced = { ...headers, 'content-length': String(bytes) };
    const [ping, shout] = [
      padded({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      padded({ tool: 'echo_text', args: { length: 1 } }),
    ];
    const stream = { method: 'POST', headers, body: new Blob([ping]).stream(), duplex: 'half' };
    const answers = await Promise.all([
      app.request('/mcp', { method: 'POST', headers: announced, body: ping }),
      app.request('/mcp', stream as RequestInit),
      app.request('/rest/echo', { method: 'POST', headers: announced, body: shout }),
      app.request('/rest/echo', { method: 'POST', headers, body: shout }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status, status]);
  });

  it.each([
    ['/mcp', {}],
    ['/mcp', { 'content-length': '500' }],
    ['/rest/echo', { 'content-type': 'application/json', 'content-length': '500' }],
    ['/token', {}],
  ])('logs no error when a caller leaves during the body of %s', async (path, headers) => {
    const seen = app.lines.length;
    const pieces = [new TextEncoder().encode('{"jsonrpc":')];
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(new Error('aborted'));
        else controller.enqueue(piece);
      },
    });
    const init = { method: 'POST', headers: { ...ana.keyHeader, ...headers }, body, duplex: 'half' };
    expect((await app.request(path, init as RequestInit)).status).toBe(400);
    expect(app.lines.slice(seen)).toMatchObject([{ level: 'info', event: 'request', status: 400 }]);
  });
});

describe('a body that arrives in pieces', () => {
  it('is read completely, even when a piece ends within a character', async () => {
    const bytes = new TextEncoder().encode('{"tool":"shout","args":{"text":"\u{1F600} \u00e9"}}');
    let at = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (at === bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, ++at));
      },
    });
    const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body, duplex: 'half' };
    const response = await app.request('/rest/echo', init as RequestInit);
    expect([response.status, (await response.json()).result]).toEqual([200, '\u{1F600} \u00c9']);
  });
});

describe('more executions than a batch may have', () => {
  const batch = (length: number) => ({ executions: Array.from({ length }, () => 5) });

  it('are refused as a whole over REST, and one fewer is accepted', async () => {
    const ask = (length: number) =>
      app.request('/rest/echo', {
        method: 'POST',
        headers: { ...ana.keyHeader, 'content-type': 'application/json' },
        body: JSON.stringify(batch(length)),
      });
    expect([(await ask(10_001)).status, (await ask(10_000)).status]).toEqual([400, 200]);
  });

  it('are refused over MCP before any is read', async () => {
    const { body } = await rpc(app, ana.keyHeader, 'tools/call', {
      name: 'execute_tools',
      arguments: batch(100_000),
    });
    expect(body.error).toEqual({
      code: -32602,
      message: 'Invalid arguments: executions: at most 10000 at a time',
    });
  });
});

describe('the text of an error', () => {
  const long = 'ä'.repeat(1_000_000);
  const args = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`ü${at}`, at]));
  const bytes = (text: string) => Buffer.byteLength(text);
  const held = (start: string) => expect.stringMatching(new RegExp(`^${start}[^\\uFFFD]*$`));

  it('is at most 2 KiB over REST, whatever was sent', async () => {
    const rest = async (body: object) => {
      const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
      const response = await app.request('/rest/echo', {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const text = await response.text();
      expect(bytes(text)).toBeLessThan(8_000);
      return JSON.parse(text);
    };
    const unknown = await rest({ tool: 'shout', args });
    expect(unknown.error).toEqual(held('Invalid arguments for shout: '));
    const missing = await rest({ tool: long });
    expect(missing.error).toEqual(held('Tool not found: ä'));
    for (const { error } of [unknown, missing]) expect(bytes(error)).toBeLessThanOrEqual(2048);
    const { results } = await rest({ executions: [{ tool: long }, { tool: 'shout', args }] });
    for (const { message } of results) expect(bytes(message)).toBeLessThanOrEqual(2048);
    const rows = await app.deps.store.audit.list({ user_id: ana.id, tool: 'shout', limit: 2 });
    for (const { error } of rows) {
      expect(error).toEqual(held('Invalid arguments: '));
      expect(bytes(error ?? '')).toBeLessThanOrEqual(2048);
    }
    expect(rows).toHaveLength(2);
  });

  it('is at most 2 KiB over MCP, whatever was sent', async () => {
    const errors = await Promise.all([
      rpc(app, ana.keyHeader, long),
      rpc(app, ana.keyHeader, 'tools/call', { name: long }),
      rpc(app, ana.keyHeader, 'tools/call', { name: 'search_tools', arguments: args }),
    ]);
    for (const { body } of errors) {
      expect(body.error?.message).toEqual(held('(Method not found|Tool not found|Invalid arguments): '));
      expect(bytes(body.error?.message ?? '')).toBeLessThanOrEqual(2048);
    }
    const executions = [{ tool: long }, { tool: 'shout', args }];
    const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions });
    for (const { message } of results) expect(bytes(message)).toBeLessThanOrEqual(2048);
  });
});

describe('invalid credentials', () => {
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const now = () => app.clock.now();

  async function jwt(
    claims: object,
    { alg = 'HS256', secret = app.deps.config.SESSION_SECRET } = {},
  ): Promise<string> {
    return new SignJWT({
      sub: ana.id,
      email: ana.email,
      iss: 'service',
      aud: 'service',
      iat: now(),
      exp: now() + 60,
      ...claims,
    })
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(secret));
  }

  async function bearers(): Promise<Record<string, string>> {
    const access = {
      iss: BASE,
      aud: `${BASE}/mcp`,
      scope: 'mcp',
      client_id: 'c',
      token_type: 'oauth',
    };
    const [head, body] = ana.session.split('.');
    const none = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${body}.`;
    return {
      nothing: '',
      nonsense: 'nonsense',
      'no algorithm': none,
      'no signature': `${head}.${body}.`,
      'another secret': await jwt({}, { secret: 'x'.repeat(40) }),
      'another algorithm': await jwt({}, { alg: 'HS512', secret: app.deps.config.SESSION_SECRET }),
      'past its time': await jwt({ iat: now() - 100, exp: now() - 6 }),
      'another audience': await jwt({ aud: 'other' }),
      'another issuer': await jwt({ iss: BASE }),
      'no subject': await jwt({ sub: undefined }),
      'no expiry': await jwt({ exp: undefined }),
      'no time of issue': await jwt({ iat: undefined }),
      'no e-mail': await jwt({ email: undefined }),
      'a number for an e-mail': await jwt({ email: 5 }),
      'an access token without its type': await jwt({ ...access, token_type: undefined }),
      'an access token without a client': await jwt({ ...access, client_id: undefined }),
      'an access token without a scope': await jwt({ ...access, scope: undefined }),
      'an access token past its time': await jwt({ ...access, exp: now() - 1 }),
      'an access token of another issuer': await jwt({ ...access, iss: 'https://other.example' }),
      'an access token for another audience': await jwt({ ...access, aud: `${BASE}/rest` }),
      'an access token whose subject is no text': await jwt({ ...access, sub: 5 }),
    };
  }

  it('are refused with 401 as a Bearer, on every surface', async () => {
    for (const [name, token] of Object.entries(await bearers())) {
      const headers = { authorization: `Bearer ${token}` };
      expect([name, (await post(app, headers, list)).status]).toEqual([name, 401]);
      expect([name, (await app.request('/rest', { headers })).status]).toEqual([name, 401]);
      expect([name, (await app.request('/api/auth/me', { headers })).status]).toEqual([name, 401]);
    }
  });

  it.each(['f'.repeat(64), `agk_${'f'.repeat(64)}`, 'agk_', 'agk_x.y.z'])(
    'are refused with 401 as a Bearer in the form of an API key, and never tried as another credential: %s',
    async (key) => {
      const headers = { authorization: `Bearer ${key}` };
      expect((await post(app, headers, list)).status).toBe(401);
      expect((await app.request('/rest', { headers })).status).toBe(401);
      expect((await app.request('/api/auth/me', { headers })).status).toBe(401);
    },
  );

  it.each([
    '',
    'x',
    'F'.repeat(64),
    'f'.repeat(63),
    'f'.repeat(65),
    'f'.repeat(64),
    "' or 1=1 --",
    'f'.repeat(10_000),
  ])('are refused with 401 as an API key, even beside a valid Bearer: %s', async (key) => {
    const headers = { 'x-service-api-key': key, ...ana.sessionHeader };
    expect((await post(app, headers, list)).status).toBe(401);
    expect((await app.request('/rest', { headers })).status).toBe(401);
    expect((await app.request('/api/auth/me', { headers })).status).toBe(401);
  });

  it('include a session that expired more than five seconds ago', async () => {
    const signingKey = await importSigningKey(app.deps.config.SESSION_SECRET);
    const sessions = createSessions({ clock: app.clock, signingKey });
    const token = await sessions.issue(ana);
    app.clock.advance(24 * 3_600 + 4);
    expect(await sessions.verify(token)).toMatchObject({ userId: ana.id });
    app.clock.advance(1);
    expect(await sessions.verify(token)).toBeNull();
  });
});

describe('unknown paths', () => {
  it.each(['/api', '/api/', '/api/nope', '/mcp/nope', '/.well-known/nope', '/rest/a/b'])(
    'answer a JSON 404: %s',
    async (path) => {
      const response = await app.request(path);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: 'Not found' });
    },
  );
});
