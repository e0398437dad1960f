// Tests a store that fails while a tool runs: what the caller gets, and what is logged.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { Store } from '../../src/ports/store.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { smallWorld } from '../support/fixtures.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp({ ports: { integrations: smallWorld } });
  ana = await app.user();
});
afterAll(() => app.close());

describe('a store that fails inside a tool', () => {
  const reason = '[postgres] select "name": connect ECONNREFUSED 10.1.2.3:5432';

  /** The same users and rows, in a store that fails on demand. */
  async function opened(broken: Partial<Store>): Promise<TestApp> {
    const store = { ...app.deps.store, ...broken, close: async () => {} };
    return createTestApp({ ports: { integrations: smallWorld, store } });
  }
  const failing = (failure: Error) =>
    opened({ jots: { ...app.deps.store.jots, list: () => Promise.reject(failure) } });
  const send = (other: TestApp, integration: string, body: object) =>
    other.request(`/rest/${integration}`, {
      method: 'POST',
      headers: { ...ana.sessionHeader, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const newest = async (limit: number) =>
    (await app.deps.store.audit.list({ user_id: ana.id, limit })).map(({ tool, error }) => [tool, error]);
  const SENTENCE = 'A service that this gateway depends on cannot be reached. Try again shortly.';

  it('answers 503 when it is unreachable, and logs the reason', async () => {
    const other = await failing(new Unavailable(reason));
    const response = await send(other, 'jots', { tool: 'list_jots' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toEqual({ error: SENTENCE });
    expect(await newest(1)).toEqual([['list_jots', SENTENCE]]);
    expect(other.lines).toContainEqual(
      expect.objectContaining({ level: 'error', error: expect.stringContaining('10.1.2.3') }),
    );
    await other.close();
  });

  it('answers no details when it is broken', async () => {
    const other = await failing(new DriverFailure(reason));
    const response = await send(other, 'jots', { tool: 'list_jots' });
    const sentence = 'The gateway itself failed. Its log says why.';
    expect([response.status, await response.json()]).toEqual([
      502,
      { error: sentence, integration: 'jots', tool: 'list_jots' },
    ]);
    expect(await newest(1)).toEqual([['list_jots', sentence]]);
    expect(other.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        event: 'tool failed',
        requestId: expect.any(String),
        integration: 'jots',
        tool: 'list_jots',
        error: expect.stringContaining('10.1.2.3'),
      }),
    );
    await other.close();
  });

  it('fails one item of a batch, not the whole batch', async () => {
    await app.deps.vault.save(ana.id, 'vaulted', { accessToken: 'token' });
    let looks = 0;
    const { connections } = app.deps.store;
    const of: typeof connections.of = (userId, integration) =>
      ++looks === 4 ? Promise.reject(new Unavailable(reason)) : connections.of(userId, integration);
    const other = await opened({ connections: { ...connections, of } });
    const executions = Array.from({ length: 10 }, () => ({ tool: 'whoami', args: {} }));
    const response = await send(other, 'vaulted', { executions });
    const { results } = await response.json();
    expect(response.status).toBe(200);
    expect(results).toHaveLength(10);
    expect(results.filter((item: object) => 'result' in item)).toHaveLength(9);
    expect(results).toContainEqual({ error: SENTENCE, integration: 'vaulted' });
    const rows = await newest(10);
    expect(rows.every(([tool]) => tool === 'vaulted_whoami')).toBe(true);
    expect(rows.filter(([, error]) => error !== null)).toEqual([['vaulted_whoami', SENTENCE]]);
    await app.deps.store.connections.delete(ana.id, 'vaulted', '');
    await other.close();
  });
});
