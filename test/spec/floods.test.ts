// Tests that strangers cannot fill the store: what begins a sign-in leaves no row, and clients that nobody uses are
// bounded by count. reference: Authorize tickets; Client registration; decision: 020, 023
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { tables } from '../../drivers/sql/tables.ts';
import { UNUSED_CLIENTS_KEPT } from '../../src/oauth/limits.ts';
import { call } from '../support/mcp.ts';
import { authorizeQuery, CALLBACK, register, registered } from '../support/oauth-client.ts';
import { PROVIDERS, useSignIns } from '../support/sign-ins.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

/** Returns how many rows each table has. */
async function countRows(app: TestApp): Promise<Record<string, number>> {
  const engine = openSqlite(`${app.folder}/service.db`);
  const counts: Record<string, number> = {};
  for (const table of Object.keys(tables)) {
    const { rows } = await engine.run(CompiledQuery.raw(`select count(*) as rows from ${table}`));
    counts[table] = Number(Object.values(rows[0] ?? {})[0]);
  }
  await engine.close();
  return counts;
}

describe('what a person begins and never finishes', () => {
  const TIMES = 130;
  let app: TestApp;
  let ana: TestUser;
  beforeAll(async () => {
    app = await createTestApp({
      env: { VAULTED_CLIENT_ID: 'id', VAULTED_CLIENT_SECRET: 'secret', PERSON_MAX_PENDING: '10' },
    });
    ana = await app.user();
  });
  afterAll(() => app.close());

  const asAna = (method: string, path: string, body?: object) =>
    app.request(path, {
      method,
      headers: { ...ana.keyHeader, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const execute = (tool: string, args: object) =>
    call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool, args }] });

  it.each<[string, number, (at: number) => Promise<unknown>]>([
    ['sign-ins of the portal', 10, () => asAna('GET', '/api/auth/vaulted')],
    [
      'connections of an agent, of any integration',
      10,
      (at) => call(app, ana.keyHeader, 'connect', { integration: at % 2 === 0 ? 'vaulted' : 'jar' }),
    ],
    ['jots', 100, (at) => execute('deploy_jot', { name: `flood-${at % 7}` })],
    ['files', 100, () => execute('upload_file', { name: 'a.txt' })],
  ])('leaves a bounded number of rows: %s', async (_, most, begin) => {
    const { flows: before = 0 } = await countRows(app);
    for (let at = 0; at < TIMES; at += 10)
      await Promise.all(Array.from({ length: 10 }, (__, each) => begin(at + each)));
    expect((await countRows(app))['flows']).toBe(before + most);
  });
});

describe('what begins a sign-in', () => {
  const { stand, back, begin, open } = useSignIns();

  it('leaves no row, however often it begins', async () => {
    const app = stand.app;
    const client = await registered(app);
    const before = await countRows(app);
    for (let count = 0; count < 50; count++) {
      for (const name of PROVIDERS) expect((await app.request(`/api/auth/${name}`)).status).toBe(200);
      expect((await app.request(authorizeQuery(client))).status).toBe(302);
      expect((await app.request(authorizeQuery(client, { state: 'x'.repeat(2_048) }))).status).toBe(302);
    }
    expect(await countRows(app)).toEqual(before);
  });

  it('leaves no row when a person is asked for consent', async () => {
    const asking = await open({ OAUTH_CONSENT: 'always' });
    const client = await registered(asking);
    const before = await countRows(asking);
    for (let count = 0; count < 50; count++)
      expect((await asking.request(authorizeQuery(client))).status).toBe(200);
    expect(await countRows(asking)).toEqual(before);
    await asking.close();
  });

  it('leaves one short row for each state that comes back, and none for states that are not ours', async () => {
    const before = await countRows(stand.app);
    for (const name of PROVIDERS) {
      const state = await begin(name);
      for (let count = 0; count < 10; count++) await back(name, { error: 'access_denied', state });
      for (const state of ['x', 'f'.repeat(64), `${'x'.repeat(200)}.${'y'.repeat(200)}`])
        await back(name, { code: 'code', state });
    }
    expect(await countRows(stand.app)).toEqual({ ...before, leases: (before['leases'] ?? 0) + 2 });
  });

  it('keeps a client that a person has signed in to', async () => {
    const { store } = stand.app.deps;
    const [used, unused] = [await registered(stand.app), await registered(stand.app)];
    const begun = await stand.app.request(authorizeQuery(used));
    const query = new URL(begun.headers.get('location') ?? '').searchParams;
    stand.nonce = query.get('nonce') ?? '';
    const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? '';
    const callback = `/api/auth/hosted/callback?code=x&state=${query.get('state')}`;
    const { headers } = await stand.app.request(callback, { headers: { cookie } });
    expect(headers.get('location')?.startsWith(CALLBACK)).toBe(true);
    await store.clients.trim(0);
    expect([await store.clients.get(used), await store.clients.get(unused)]).toEqual([
      expect.objectContaining({ client_id: used }),
      null,
    ]);
  });

  it('leaves nothing once a state has expired', async () => {
    for (const name of PROVIDERS) await back(name, { error: 'access_denied', state: await begin(name) });
    stand.app.clock.advance(660);
    await stand.app.deps.store.sweep(stand.app.clock.now());
    expect(await countRows(stand.app)).toMatchObject({ flows: 0, leases: 0 });
  });
});

describe('clients that nobody uses', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  /** Registers clients as `/register` does, many at once. */
  async function fill(count: number): Promise<void> {
    const { clock, registrations, store } = app.deps;
    for (let at = 0; at < count; at += 500) {
      const registering = Array.from({ length: Math.min(500, count - at) }, () => {
        const client = {
          client_id: crypto.randomUUID(),
          client_name: null,
          redirect_uris: [CALLBACK],
          created_at: clock.now(),
        };
        return store.clients.register(client, registrations.next().turn);
      });
      await Promise.all(registering);
    }
  }

  it('are at most 10,000; the oldest go first, and a client that a person uses stays', async () => {
    const first = await registered(app);
    const used = await registered(app);
    await app.deps.store.clients.use(used, app.clock.now());
    await fill(UNUSED_CLIENTS_KEPT - 50);
    let last = '';
    let most = 0;
    for (let count = 0; count < 250; count++) {
      last = (await (await register(app, { redirect_uris: [CALLBACK] })).json()).client_id;
      if (count % 5 === 0) most = Math.max(most, (await countRows(app))['oauth_clients'] ?? 0);
    }
    expect(most).toBeGreaterThan(UNUSED_CLIENTS_KEPT);
    expect(most).toBeLessThanOrEqual(10_000);
    const isKnown = async (id: string) => (await app.deps.store.clients.get(id)) !== null;
    expect([await isKnown(first), await isKnown(used), await isKnown(last)]).toEqual([false, true, true]);
  });
});
