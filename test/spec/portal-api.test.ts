// Tests the portal API, metrics, and the portal's files. reference: Portal API; Health and metrics; Portal files
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Asset } from '../../src/ports/assets.ts';
import { smallWorld } from '../support/fixtures.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

const asset = (text: string, contentType: string, immutable = false): Asset => ({
  body: new TextEncoder().encode(text),
  contentType,
  immutable,
});
const files: Record<string, Asset> = {
  'index.html': asset('<!doctype html>portal', 'text/html; charset=utf-8'),
  'pages.json': asset(
    '[["/integrations/:name","pages/integration.html"],["/tools","pages/tools.html"]]',
    'application/json',
  ),
  'pages/integration.html': asset('<!doctype html>portal, one integration', 'text/html; charset=utf-8'),
  'assets/app-1a2b.js': {
    ...asset('export {}', 'text/javascript', true),
    gzip: new TextEncoder().encode('packed'),
  },
};

beforeAll(async () => {
  app = await createTestApp({
    env: { VAULTED_CLIENT_ID: 'id' },
    ports: { integrations: smallWorld, assets: { get: async (path) => files[path] ?? null } },
  });
  ana = await app.user();
});
afterAll(() => app.close());

async function api(path: string, method = 'GET', headers: Record<string, string> = ana.sessionHeader) {
  const response = await app.request(path, { method, headers });
  return { status: response.status, body: await response.json() };
}

describe('the catalogue', () => {
  it('describes every integration', async () => {
    const { body } = await api('/api/integrations');
    expect(body.integrations[2]).toEqual({
      name: 'vaulted',
      version: '1.2.3',
      displayName: 'Vaulted',
      description: 'A fixture',
      categories: ['test'],
      logo: '/api/integrations/vaulted/logo',
      authType: 'oauth2',
      instance: {
        required: false,
        default: 'https://vaulted.example',
        example: 'https://vaulted.corp.example',
      },
      toolCount: 3,
      configured: true,
    });
  });

  it('reports oauth2 as configured only with a client id, and all others always', async () => {
    const other = await createTestApp({ ports: { integrations: smallWorld } });
    const response = await other.request('/api/integrations', {
      headers: (await other.user()).sessionHeader,
    });
    const { integrations } = await response.json();
    expect(
      integrations.map(({ name, configured }: { name: string; configured: boolean }) => [name, configured]),
    ).toEqual([
      ['time', true],
      ['echo', true],
      ['vaulted', false],
      ['keyed', true],
      ['jar', true],
      ['jots', true],
      ['events', true],
      ['files', true],
    ]);
    await other.close();
  });

  it('describes one integration with its tools', async () => {
    const { body } = await api('/api/integrations/vaulted');
    expect(body).not.toHaveProperty('toolCount');
    expect(body).not.toHaveProperty('configured');
    expect(body.tools).toEqual([
      { name: 'vaulted_whoami', description: 'Who you are at Vaulted' },
      { name: 'vaulted_get', description: 'Reads a path' },
      { name: 'vaulted_request', description: expect.stringContaining('Vaulted') },
    ]);
    expect((await api('/api/integrations/nope')).status).toBe(404);
  });

  it('serves a logo without a credential, cached for a day', async () => {
    const response = await app.request('/api/integrations/echo/logo');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(await response.text()).toMatch(/^<svg/);
  });

  it.each(['vaulted', 'nope', '..%2F..%2Fetc%2Fpasswd', '%00', '__proto__'])(
    'answers 404 No logo for %s',
    async (name) => {
      expect(await api(`/api/integrations/${name}/logo`, 'GET', {})).toEqual({
        status: 404,
        body: { error: 'No logo' },
      });
    },
  );

  it('reduces the name of a logo to its basename', async () => {
    expect((await app.request('/api/integrations/..%2Fx%2Fecho/logo')).status).toBe(200);
  });

  it('lists all tools, or those that contain a text', async () => {
    const { body } = await api('/api/tools?q=WHOAMI');
    expect(body.tools.map(({ name }: { name: string }) => name)).toEqual([
      'vaulted_whoami',
      'keyed_whoami',
      'jar_whoami',
    ]);
    expect(body.tools[0]).toEqual({
      name: 'vaulted_whoami',
      description: 'Who you are at Vaulted',
      access: 'read',
      integration: 'vaulted',
    });
    expect((await api('/api/tools')).body.tools).toHaveLength(app.deps.registry.tools.length);
  });

  it('ranks tools for a sentence with a typing error, and lists at most what was asked for', async () => {
    const { body } = await api('/api/tools?q=shuot%20something&limit=3');
    expect(body.tools[0]).toMatchObject({ name: 'shout', integration: 'echo', access: 'read' });
    expect((await api('/api/tools?q=who&limit=2')).body.tools).toHaveLength(2);
    for (const limit of ['0', '51', 'x', ''])
      expect((await api(`/api/tools?q=who&limit=${limit}`)).status).toBe(400);
  });
});

describe('responses about a person', () => {
  it.each([
    '/api/auth/me',
    '/api/auth/echo',
    '/api/keys',
    '/api/connections',
    '/api/agents',
    '/api/audit',
    '/api/jots',
    '/rest',
    '/rest/echo',
  ])('are not stored by any cache, even when an API key is accepted in any header: %s', async (path) => {
    const { status, headers } = await app.request(path, { headers: ana.keyHeader });
    expect({ status, caching: headers.get('cache-control') }).toEqual({ status: 200, caching: 'no-store' });
  });
});

describe('the list of connections', () => {
  it('says what is connected', async () => {
    const { body } = await api('/api/connections');
    expect(body.connections).toContainEqual({ name: 'time', connected: true });
    expect(body.connections).toContainEqual({ name: 'keyed', connected: false });
  });

  it('disconnects, and answers the same a second time', async () => {
    await app.deps.vault.save(ana.id, 'keyed', { accessToken: 'k' });
    expect((await api('/api/connections')).body.connections).toContainEqual(
      expect.objectContaining({ name: 'keyed', connected: true, health: 'ok' }),
    );
    for (let time = 0; time < 2; time++) {
      expect(await api('/api/connections/keyed', 'DELETE')).toEqual({ status: 200, body: { success: true } });
      expect((await api('/api/connections')).body.connections).toContainEqual({
        name: 'keyed',
        connected: false,
      });
    }
  });

  it('refuses what cannot be disconnected', async () => {
    expect((await api('/api/connections/nope', 'DELETE')).status).toBe(404);
    expect(await api('/api/connections/time', 'DELETE')).toEqual({
      status: 400,
      body: { error: 'Built-in integration cannot be disconnected' },
    });
  });
});

describe("the portal's files", () => {
  it('are served at /, uncached and under a strict policy', async () => {
    const response = await app.request('/');
    expect(await response.text()).toContain('portal');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('answer every other GET with the page, except below /api, /mcp and /.well-known', async () => {
    for (const path of ['/signin', '/integrations/github', '/deep/er', '/apis', '/c/x']) {
      const response = await app.request(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
    }
    for (const path of ['/api/x', '/mcp/x', '/.well-known/x']) {
      expect(await api(path, 'GET', {})).toEqual({ status: 404, body: { error: 'Not found' } });
    }
    expect((await app.request('/signin', { method: 'POST' })).status).toBe(404);
  });

  it('answer a page that the build knows with its own document, under the same policy', async () => {
    const plain = await app.request('/nowhere');
    const response = await app.request('/integrations/github');
    expect(await response.text()).toContain('one integration');
    for (const name of ['cache-control', 'content-security-policy', 'referrer-policy'])
      expect(response.headers.get(name)).toBe(plain.headers.get(name));
    for (const path of ['/integrations', '/integrations/github/more', '/Tools'])
      expect(await (await app.request(path)).text()).toBe('<!doctype html>portal');
    // The document of this page is not there.
    expect(await (await app.request('/tools')).text()).toBe('<!doctype html>portal');
  });

  it('are cached forever when their name has a hash', async () => {
    const response = await app.request('/assets/app-1a2b.js');
    expect(response.headers.get('cache-control')).toContain('immutable');
  });

  it.each([
    ['gzip', 'packed', 'gzip'],
    ['br, gzip;q=0.5', 'packed', 'gzip'],
    ['br, gzip;q=0', 'export {}', null],
    ['br, xgzip', 'export {}', null],
    ['', 'export {}', null],
  ])('are compressed for clients that accept it: %j', async (accepted, body, encoding) => {
    const response = await app.request('/assets/app-1a2b.js', { headers: { 'accept-encoding': accepted } });
    expect(await response.text()).toBe(body);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
  });

  it('have no fallback without a build', async () => {
    const other = await createTestApp({ ports: { integrations: smallWorld } });
    expect((await other.request('/signin')).status).toBe(404);
    await other.close();
  });
});

describe('metrics', () => {
  it('label requests with method, route pattern and status, and unmatched ones with one word', async () => {
    const other = await createTestApp({ ports: { integrations: smallWorld } });
    const user = await other.user();
    await other.request('/rest/time', { headers: user.keyHeader });
    await other.request('/rest/secret-path', { headers: user.keyHeader });
    for (const path of ['/nope', '/api/nope', '/wp-login.php']) await other.request(path);
    await other.request('/nope', { method: 'POST' });
    await other.request('/metrics');
    const text = await (await other.request('/metrics')).text();
    const requests = text.split('\n').filter((line) => line.startsWith('service_http_requests_total{'));
    expect(requests.toSorted()).toEqual([
      'service_http_requests_total{method="GET",route="/rest/:integration",status="200"} 1',
      'service_http_requests_total{method="GET",route="/rest/:integration",status="404"} 1',
      'service_http_requests_total{method="GET",route="unmatched",status="404"} 3',
      'service_http_requests_total{method="POST",route="unmatched",status="404"} 1',
    ]);
    expect(text).toContain('service_http_request_duration_seconds_bucket');
    await other.close();
  });

  it('are open, unless the operator sets a token', async () => {
    expect((await app.request('/metrics')).status).toBe(200);
    const other = await createTestApp({ env: { METRICS_TOKEN: 'let-me-in' } });
    const status = async (authorization?: string) =>
      (await other.request('/metrics', authorization === undefined ? {} : { headers: { authorization } }))
        .status;
    expect(await status()).toBe(401);
    expect(await status('Bearer nope')).toBe(401);
    expect(await status('Bearer let-me-in')).toBe(200);
    await other.close();
  });

  it.each(['/health', '/healthz', '/readyz'])('do not exist at %s', async (path) => {
    const other = await createTestApp({ ports: { integrations: smallWorld } });
    expect((await other.request(path)).status).toBe(404);
    await other.close();
  });
});

describe('an unreachable store', () => {
  it('answers 503 with a sentence, and logs the reason', async () => {
    const { Unavailable } = await import('../../src/ports/unavailable.ts');
    const byKeySha = () => Promise.reject(new Unavailable('[postgres] connection refused at 10.1.2.3'));
    const store = { ...app.deps.store, users: { ...app.deps.store.users, byKeySha }, close: async () => {} };
    const other = await createTestApp({ ports: { store } });
    const response = await other.request('/rest', { headers: { 'x-service-api-key': 'a'.repeat(64) } });
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('10.1.2.3');
    expect(JSON.stringify(other.lines)).toContain('10.1.2.3');
    const headers = { 'x-service-api-key': 'a'.repeat(64), accept: 'text/html,*/*' };
    const page = await other.request('/api/auth/me', { headers });
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await page.text()).toMatch(/<h1>That did not work<\/h1>.*Try again shortly/s);
    await other.close();
  });
});
