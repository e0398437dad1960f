// Tests the OAuth metadata documents and registration. reference: OAuth metadata; Client registration; decision: 020, 031
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { register } from '../support/oauth-client.ts';
import { BASE, createTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const json = async (path: string) => (await app.request(path)).json();

describe('OAuth metadata', () => {
  it('describes the protected resource at two addresses', async () => {
    const expected = {
      resource: `${BASE}/mcp`,
      authorization_servers: [BASE],
      bearer_methods_supported: ['header'],
      scopes_supported: ['mcp'],
    };
    expect(await json('/.well-known/oauth-protected-resource')).toEqual(expected);
    expect(await json('/.well-known/oauth-protected-resource/mcp')).toEqual(expected);
  });

  const server = {
    issuer: BASE,
    authorization_endpoint: `${BASE}/authorize`,
    token_endpoint: `${BASE}/token`,
    registration_endpoint: `${BASE}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['mcp'],
  };

  it('describes the authorization server with exactly the documented keys', async () => {
    expect(await json('/.well-known/oauth-authorization-server')).toEqual(server);
  });

  it('has one more key where client documents are accepted', async () => {
    const other = await createTestApp({ env: { OAUTH_CIMD: 'on' } });
    const response = await other.request('/.well-known/oauth-authorization-server');
    expect(await response.json()).toEqual({ ...server, client_id_metadata_document_supported: true });
    await other.close();
  });

  it('names the grant of identity assertions where the idp is set', async () => {
    const other = await createTestApp({
      env: { IDP_ISSUER_URL: 'https://idp.example', IDP_CLIENT_ID: 'id', IDP_CLIENT_SECRET: 'secret' },
    });
    const response = await other.request('/.well-known/oauth-authorization-server');
    expect(await response.json()).toEqual({
      ...server,
      grant_types_supported: [...server.grant_types_supported, 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    });
    await other.close();
  });

  it('says not a byte more where only the hosted provider is set', async () => {
    const other = await createTestApp({
      env: { HOSTED_CLIENT_ID: 'id', HOSTED_CLIENT_SECRET: 'secret', IDP_ISSUER_URL: 'https://idp.example' },
    });
    const response = await other.request('/.well-known/oauth-authorization-server');
    expect(await response.text()).toBe(JSON.stringify(server));
    await other.close();
  });

  it.each([
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/oauth-protected-resource/other',
    '/.well-known/x',
  ])('answers a JSON 404 for %s', async (path) => {
    const response = await app.request(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: 'Not found' });
  });
});

describe('CORS of the OAuth endpoints', () => {
  const ORIGIN = 'https://inspector.example';
  const OPEN = ['/.well-known/oauth-protected-resource', '/.well-known/x', '/register', '/token'];

  it.each(OPEN)('answers a preflight for %s with 204 and echoes the requested headers', async (path) => {
    const response = await app.request(path, {
      method: 'OPTIONS',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-one, mcp-protocol-version',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-allow-headers')).toMatch(/x-one, ?mcp-protocol-version/);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(OPEN)('lets pages read the responses of %s, errors and 404s too', async (path) => {
    const method = path.startsWith('/.well-known') ? 'GET' : 'POST';
    const response = await app.request(path, { method, headers: { origin: ORIGIN } });
    expect(response.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'WWW-Authenticate,X-Request-Id,Idempotent-Replayed',
    );
  });

  it('excludes /authorize', async () => {
    const response = await app.request('/authorize', { headers: { origin: ORIGIN } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('/register', () => {
  it('echoes the registration, and says that the client is public', async () => {
    const redirect_uris = ['http://127.0.0.1/callback', 'com.example.app:/done'];
    const response = await register(app, { client_name: 'Ünï', redirect_uris });
    expect(response.status).toBe(201);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      client_id_issued_at: app.clock.now(),
      client_name: 'Ünï',
      redirect_uris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
  });

  it('ignores unknown fields, and leaves out a missing name', async () => {
    const response = await register(app, {
      redirect_uris: ['http://localhost:1/cb'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['implicit'],
      scope: 'everything',
      logo_uri: 42,
      client_secret: 'x',
    });
    expect(response.status).toBe(201);
    const body = await response.json();
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(Object.keys(body)).not.toContain('client_name');
    expect(Object.keys(body)).not.toContain('client_secret');
  });

  const uri = 'https://client.example/';
  it.each([
    ['no body', ''],
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no redirect_uris', {}],
    ['an empty list', { redirect_uris: [] }],
    ['a text for a list', { redirect_uris: uri }],
    ['a number in the list', { redirect_uris: [uri, 1] }],
    ['21 of them', { redirect_uris: Array.from({ length: 21 }, (_, at) => `${uri}${at}`) }],
    ['one of 2,049 characters', { redirect_uris: [uri.padEnd(2_049, 'x')] }],
    ['one bad among good', { redirect_uris: [uri, 'javascript:alert(1)'] }],
    ['a name of 201 characters', { redirect_uris: [uri], client_name: 'x'.repeat(201) }],
    ['a name that is no text', { redirect_uris: [uri], client_name: {} }],
  ])('answers %s with 400 invalid_client_metadata, and stores nothing', async (_, body) => {
    const response = await register(app, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'invalid_client_metadata',
      error_description: expect.any(String),
    });
  });

  it('keeps at most 4 KiB of addresses and name together', async () => {
    const body = { redirect_uris: [uri.padEnd(2_048, 'x'), uri], client_name: 'ü'.repeat(100) };
    const room = 4_096 - new TextEncoder().encode(JSON.stringify(body)).byteLength;
    const fits = { ...body, redirect_uris: [body.redirect_uris[0], uri.padEnd(uri.length + room, 'y')] };
    expect((await register(app, fits)).status).toBe(201);
    const refused = await register(app, { ...fits, client_name: `${body.client_name}x` });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      error: 'invalid_client_metadata',
      error_description: expect.stringContaining('4096 bytes'),
    });
  });

  it('accepts 20 addresses, one of 2,048 characters and a name of 200, and no body above 64 KiB', async () => {
    const redirect_uris = Array.from({ length: 20 }, (_, at) => `${uri}${at}/`);
    redirect_uris[0] = uri.padEnd(2_048, 'x');
    const body = { redirect_uris, client_name: 'x'.repeat(200), padding: '' };
    const room = 64 * 1024 - JSON.stringify(body).length;
    expect((await register(app, { ...body, padding: 'x'.repeat(room) })).status).toBe(201);
    expect((await register(app, { ...body, padding: 'x'.repeat(room + 1) })).status).toBe(413);
  });
});
