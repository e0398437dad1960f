// Tests that large lists are compressed and downloaded only when they have changed. reference: Portal API
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let ben: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
  ben = await app.user('ben@example.com');
});
afterAll(() => app.close());

const KEPT = ['/api/integrations', '/api/integrations/github', '/api/tools', '/api/imports/catalogue'];
const LISTS = [...KEPT, '/openapi.json', '/rest/github', '/rest/github/openapi.json'];

const get = (path: string, headers: Record<string, string> = {}, of = ana) =>
  app.request(path, { headers: { ...of.sessionHeader, ...headers } });

const POLLED = [
  '/api/approvals',
  '/api/connections',
  '/api/imports',
  '/api/agents',
  '/api/agent-keys',
  '/api/jots',
  '/api/usage/agents',
  '/api/audit',
];

describe('a list that the portal asks for again and again', () => {
  it.each(POLLED)('%s is not sent again to a caller who has it, and no browser stores it', async (path) => {
    const first = await get(path);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const tag = first.headers.get('etag') ?? '';
    const again = await get(path, { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('cache-control')).toBe('no-store');
    expect((await app.request(path, { headers: { 'if-none-match': tag } })).status).toBe(401);
  });
});

describe('a list that seldom changes', () => {
  it.each([...KEPT, '/openapi.json'])('%s is not sent again to a caller who has it', async (path) => {
    const first = await get(path);
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"\w+"$/);
    const again = await get(path, { 'if-none-match': `W/${tag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(tag);
    expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
    expect((await get(path, { 'if-none-match': '"another"' })).status).toBe(200);
  });

  it.each(KEPT)('%s is kept by its caller alone, who asks before each use', async (path) => {
    expect((await get(path)).headers.get('cache-control')).toBe('private, no-cache');
    const refused = await app.request(path);
    expect([refused.status, refused.headers.get('etag')]).toEqual([401, null]);
    expect((await app.request(path, { headers: { 'if-none-match': '*' } })).status).toBe(401);
  });

  it('is sent again once the rules of the person change it, and stays the same for others', async () => {
    const tagOf = async (of: TestUser) => (await get('/api/tools', {}, of)).headers.get('etag') ?? '';
    const [before, bens] = [await tagOf(ana), await tagOf(ben)];
    const rules = [{ integration: 'github', decision: 'block' }];
    const put = (body: unknown) =>
      app.request('/api/policy', {
        method: 'PUT',
        headers: { ...ana.sessionHeader, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await put({ rules })).status).toBe(200);
    const changed = await get('/api/tools', { 'if-none-match': before });
    expect(changed.status).toBe(200);
    expect((await get('/api/tools', { 'if-none-match': bens }, ben)).status).toBe(304);
    await put({ rules: [] });
  });
});

describe('on a runtime without compression of its own', () => {
  const ask = (path: string, encoding: string | null) =>
    createApp(app.deps, { compresses: true }).request(new URL(path, app.deps.config.SERVER_PUBLIC_URL), {
      headers: { ...ana.sessionHeader, ...(encoding === null ? {} : { 'accept-encoding': encoding }) },
    });

  it.each(LISTS)('%s is compressed for a caller who takes gzip', async (path) => {
    const packed = await ask(path, 'br, gzip');
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toMatch(/accept-encoding/i);
    const body = Buffer.from(await packed.arrayBuffer());
    const plain = await ask(path, null);
    expect(plain.headers.get('content-encoding')).toBeNull();
    const whole = await plain.text();
    expect(gunzipSync(body).toString()).toBe(whole);
    expect(body.length).toBeLessThan(whole.length / 2);
    const refused = await ask(path, 'gzip;q=0');
    expect(refused.headers.get('content-encoding')).toBeNull();
    await refused.body?.cancel();
  });

  it('sends a compressed list again only when it has changed', async () => {
    const packed = await ask('/api/tools', 'gzip');
    const again = await createApp(app.deps, { compresses: true }).request(
      new URL('/api/tools', app.deps.config.SERVER_PUBLIC_URL),
      {
        headers: {
          ...ana.sessionHeader,
          'accept-encoding': 'gzip',
          'if-none-match': packed.headers.get('etag') ?? '',
        },
      },
    );
    expect([again.status, again.headers.get('content-encoding')]).toEqual([304, null]);
    await packed.body?.cancel();
  });

  it('compresses nothing that may hold a credential beside the text of somebody else', async () => {
    const paths = ['/api/keys', '/api/audit', '/api/auth/me', '/api/connections', '/api/policy', '/api/jots'];
    for (const path of paths) {
      const { headers, body } = await ask(path, 'gzip');
      expect([path, headers.get('content-encoding')]).toEqual([path, null]);
      await body?.cancel();
    }
  });
});

it('is left uncompressed where the platform compresses it', async () => {
  const { headers } = await get('/api/tools', { 'accept-encoding': 'gzip' });
  expect(headers.get('content-encoding')).toBeNull();
});
