// Tests the Worker alone, on D1 and R2: its files, its timer, and its errors when it is not set up.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Bindings } from '../../adapters/workers/bindings.ts';
import edge from '../../adapters/workers/worker.ts';
import { type D1Database, openD1 } from '../../drivers/sql/d1.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createTestApp } from '../support/test-app.ts';
import { startHarness } from '../support/worker.ts';

const SECRETS = {
  SESSION_SECRET: '0123456789abcdef'.repeat(4),
  ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4),
};

const messages = ({ harness }: Awaited<ReturnType<typeof startHarness>>) =>
  harness.getLogs().map(({ message }) => message);

describe('a Worker', () => {
  let worker: Awaited<ReturnType<typeof startHarness>>;
  beforeAll(async () => {
    worker = await startHarness({ vars: SECRETS });
  }, 180_000);
  afterAll(() => worker.close());

  it('serves the portal with its policy, and caches hashed files forever', async () => {
    for (const path of ['/', '/index.html', '/clients', '/integrations/github']) {
      const page = await worker.request(path);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await page.text()).toContain('<title>Portal</title>');
    }
    const file = await worker.request('/assets/app-1.js');
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(await file.text()).toBe('export {};');
  });

  it.each([
    ['GET', '/c/github/user', 'The curl proxy'],
    ['POST', '/api/browser-session/cdp/attach', 'The live view'],
    ['POST', '/api/browser-session/reset', 'The live view'],
    ['GET', '/api/auth/cookie/mediawiki/cdp/events', 'The live view'],
    ['POST', '/api/auth/cookie/mediawiki/capture', 'The live view'],
    ['POST', '/api/connect/capture', 'The live view'],
  ])('answers %s %s with a clear 501 when there is no Node gateway', async (method, path, what) => {
    const response = await worker.request(path, { method });
    expect([response.status, await response.json()]).toEqual([
      501,
      { error: `${what} needs a Node gateway. This one runs at the edge, and NODE_ORIGIN is not set.` },
    ]);
  });

  it('describes its routes as Node does', async () => {
    const node = await createTestApp();
    const [atNode, atEdge] = await Promise.all(
      [node, worker].map(async (gateway) => (await gateway.request('/openapi.json')).json()),
    );
    const { paths, tags, components } = atNode as Record<string, object>;
    expect(Object.keys(paths ?? {}).length).toBeGreaterThan(100);
    expect(atEdge).toMatchObject({ paths, tags, components });
    await node.close();
  });

  it('notices a wrong encryption key when its timer first fires', async () => {
    // The first request to the database creates the tables.
    await worker.request('/j/nobody/');
    const { DB } = await worker.harness.getWorker<{ DB: D1Database }>().getEnv();
    const { keyCheck } = createSqlStore(openD1(DB));
    expect(await keyCheck.read()).toBeNull();
    await keyCheck.swap(null, 'v1.00000000.sealed-under-another-key');
    for (let times = 0; times < 2; times++)
      await worker.harness.getWorker().scheduled({ cron: '*/10 * * * *' });
    const lines = () => messages(worker).filter((message) => message.includes('ENCRYPTION_KEY'));
    await expect.poll(lines).toHaveLength(1);
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({
      level: 'error',
      cure: expect.stringContaining('ENCRYPTION_KEY_PREVIOUS'),
    });
  });

  it('deletes expired rows when its timer fires', async () => {
    // The first request to the database creates the tables.
    await worker.request('/j/nobody/');
    const { DB } = await worker.harness.getWorker<{ DB: D1Database }>().getEnv();
    const store = createSqlStore(openD1(DB));
    const state = randomUUID();
    const flow = { user_id: null, integration: 'x', session_data: null, code_verifier: null, config: null };
    await store.flows.put({ ...flow, state, expires_at: 1 });
    await store.flows.put({ ...flow, state: `${state}-lives`, expires_at: 2 ** 33 });
    expect(await worker.harness.getWorker().scheduled({ cron: '*/10 * * * *' })).toMatchObject({
      outcome: 'ok',
    });
    expect(await store.flows.take(state)).toBeNull();
    expect(await store.flows.take(`${state}-lives`)).not.toBeNull();
  });

  it('logs one line of JSON per request, without its path', async () => {
    // This is the only HEAD request here, because log lines arrive some time after their responses, also
    // those of other tests.
    await worker.request('/j/a-secret-name/', { method: 'HEAD' });
    const lines = () => messages(worker).filter((message) => message.includes('"HEAD"'));
    await expect.poll(lines).toHaveLength(1);
    const [line = ''] = lines();
    expect(JSON.parse(line)).toMatchObject({ event: 'request', route: '/j/:name/*', status: 404 });
    expect(line).not.toContain('a-secret-name');
  });
});

it('reports missing bindings', async () => {
  const told: string[] = [];
  const log = vi.spyOn(console, 'error').mockImplementation((line: string) => void told.push(line));
  // The bindings of a Worker whose configuration names no database and no bucket.
  const response = await edge.fetch(new Request('http://localhost/'), {} as Bindings, {
    waitUntil: () => {},
  });
  log.mockRestore();
  expect(response.status).toBe(500);
  expect(told.join()).toMatch(/DB must be a D1 database.*\n.*BLOBS must be an R2 bucket/);
});

it('says that it is misconfigured, and logs which values are wrong', async () => {
  const worker = await startHarness({
    vars: {
      ...SECRETS,
      OAUTH_CONSENT: 'perhaps',
      SERVER_PUBLIC_URL: 'https://gate.example',
      SESSION_SECRET: 'short',
    },
  });
  const response = await worker.request('/api/auth/providers');
  const text = await response.text();
  expect([response.status, JSON.parse(text)]).toEqual([
    500,
    { error: 'This gateway is not configured correctly. Its log says why.' },
  ]);
  const told = () => messages(worker).join('\n');
  await expect.poll(told).toContain('OAUTH_CONSENT must be one of: untrusted, always, never');
  expect(told()).toContain('SESSION_SECRET must be at least 32 random characters');
  await worker.close();
}, 180_000);
