// Tests which credentials open which surface, and the challenge without one. reference: Authentication; Challenge
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post, rpc } from '../support/mcp.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let accessToken: string;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
  accessToken = app.deps.accessTokens.issue({ userId: ana.id, clientId: 'c1', scope: 'mcp' });
});
afterAll(() => app.close());

const METADATA = `${BASE}/.well-known/oauth-protected-resource`;
const CHALLENGE = `Bearer realm="service", resource_metadata="${METADATA}"`;

describe('requests without a credential', () => {
  it('get 401 on /mcp with the challenge, the id of the request and the metadata address', async () => {
    const { status, headers, body } = await rpc(app, {}, 'tools/list');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(CHALLENGE);
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32001, message: 'Unauthorized', data: { resource_metadata: METADATA } },
    });
  });

  it('get the id null on /mcp when the body has none', async () => {
    for (const body of ['', '{', '[]', '{"jsonrpc":"2.0","method":"x"}', '{"id":{}}']) {
      expect((await post(app, {}, body)).body.id).toBeNull();
    }
  });

  it('are searched for their id only in the first 64 KiB on /mcp', async () => {
    const request = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}';
    expect((await post(app, {}, request.padEnd(64 * 1024))).body.id).toBe(7);
    const longer = await post(app, {}, request.padEnd(64 * 1024 + 1));
    expect([longer.status, longer.body.id]).toEqual([401, null]);
  });

  it('get the same header and a body of its own on /rest', async () => {
    for (const [method, path] of [
      ['GET', '/rest'],
      ['GET', '/rest/time'],
      ['POST', '/rest/time'],
      ['POST', '/rest/nope'],
    ] as const) {
      const response = await app.request(path, { method });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(CHALLENGE);
      expect(await response.json()).toEqual({ error: 'Unauthorized', resource_metadata: METADATA });
    }
  });

  it('get a plain 401 on protected /api routes', async () => {
    for (const [path, method] of [
      ['/api/auth/me', 'GET'],
      ['/api/keys', 'GET'],
      ['/api/keys', 'POST'],
      ['/api/keys', 'DELETE'],
      ['/api/keys/reveal', 'GET'],
      ['/api/integrations', 'GET'],
      ['/api/integrations/time', 'GET'],
      ['/api/connections', 'GET'],
      ['/api/connections/vaulted', 'DELETE'],
      ['/api/agents', 'GET'],
      ['/api/agents/some-client', 'DELETE'],
      ['/api/audit', 'GET'],
      ['/api/tools', 'GET'],
    ] as const) {
      const response = await app.request(path, { method });
      expect([method, path, response.status]).toEqual([method, path, 401]);
      expect(await response.json()).toEqual({ error: 'Unauthorized' });
    }
  });
});

describe('requests with a credential', () => {
  const surfaces = async (headers: Record<string, string>) => [
    (await rpc(app, headers, 'ping')).status,
    (await app.request('/rest', { headers })).status,
    (await app.request('/api/auth/me', { headers })).status,
  ];

  it('open all three surfaces with an API key', async () => {
    expect(await surfaces(ana.keyHeader)).toEqual([200, 200, 200]);
  });

  it('open /mcp and /rest with an API key or a named key as a Bearer, and with that key alone', async () => {
    const named = await app.deps.agentKeys.mint(ana.id, { name: 'robot', limits: {}, expiresAt: null });
    for (const key of [ana.keyHeader['x-service-api-key'], named?.key])
      expect(await surfaces({ authorization: `Bearer ${key}` })).toEqual([200, 200, 401]);
    const wrong = { authorization: `Bearer ${'f'.repeat(64)}` };
    expect(await surfaces({ ...wrong, ...ana.keyHeader })).toEqual([200, 200, 200]);
    expect(await surfaces({ ...ana.sessionHeader, 'x-service-api-key': 'f'.repeat(64) })).toEqual([
      401, 401, 401,
    ]);
  });

  it('open all three surfaces with a portal session', async () => {
    expect(await surfaces(ana.sessionHeader)).toEqual([200, 200, 200]);
  });

  it('open only /mcp and /rest with an access token', async () => {
    expect(await surfaces({ authorization: `Bearer ${accessToken}` })).toEqual([200, 200, 401]);
  });

  it('are refused from the second on in which the access token expires, used before or not', async () => {
    const grant = { userId: ana.id, clientId: 'c1', scope: 'mcp' };
    const used = app.deps.accessTokens.issue(grant);
    const kept = app.deps.accessTokens.issue({ ...grant, clientId: 'c2' });
    const ping = async (token: string) =>
      (await rpc(app, { authorization: `Bearer ${token}` }, 'ping')).status;
    app.clock.advance(app.deps.config.OAUTH_ACCESS_TOKEN_TTL_SECONDS - 1);
    expect(await ping(used)).toBe(200);
    app.clock.advance(1);
    expect([await ping(used), await ping(kept)]).toEqual([401, 401]);
  });

  it('use the API key before the Bearer', async () => {
    const bea = await app.user('bea@example.com');
    const response = await app.request('/api/auth/me', {
      headers: { ...ana.keyHeader, ...bea.sessionHeader },
    });
    expect(await response.json()).toEqual({ id: ana.id, email: ana.email });
  });

  it('may write the scheme of a Bearer in any case', async () => {
    expect((await rpc(app, { authorization: `bearer ${ana.session}` }, 'ping')).status).toBe(200);
  });

  it.each([
    ['another scheme', (token: string) => `MacBearer ${token}`],
    ['no space', (token: string) => `Bearer${token}`],
    ['something after it', (token: string) => `Bearer ${token} x`],
  ])('are refused with a session that has %s', async (_, written) => {
    expect(await surfaces({ authorization: written(ana.session) })).toEqual([401, 401, 401]);
  });
});
