// Starts this version on a database that 0.1 filled, and uses everything in it. decision: 005
// test/fixtures/store-0.1 is what 0.1 stored: rows in every table, sealed and signed with the secret of the test app.
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMemoryBlobs } from '../support/memory-blobs.ts';
import { createSqlPending } from '../../drivers/pending/sql.ts';
import { openD1 } from '../../drivers/sql/d1.ts';
import { createSchema } from '../../drivers/sql/engine.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { counter, tables } from '../../drivers/sql/tables.ts';
import { startD1 } from '../support/d1/harness.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { call, rpc } from '../support/mcp.ts';
import { connected, refresh, registered, token } from '../support/oauth-client.ts';
import { done, publish } from '../support/jots.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { fill, readFixture, statements } from './store/filled.ts';
import { openAt } from './store/open-at.ts';
import { type OpenEngine, postgresPlace, sqlitePlace } from './store/open.ts';

// On D1 each statement passes through two processes.
vi.setConfig({ testTimeout: 120_000 });

const known = JSON.parse(await readFixture('known.json'));
const key = { 'x-service-api-key': known.user.apiKey };

async function openFilled(url: string, remove: () => Promise<void>): Promise<OpenEngine> {
  const engine = openAt(url);
  await fill(engine);
  // The app closes the engine.
  return { engine, close: remove };
}

function upgrade(name: string, open: () => Promise<OpenEngine>): void {
  describe(`a database of 0.1 on ${name}`, () => {
    let opened: OpenEngine;
    let app: TestApp;
    beforeAll(async () => {
      opened = await open();
      await createSchema(opened.engine);
      const clock = createFakeClock(known.now);
      const blobs = createMemoryBlobs();
      for (const [blob, bytes] of Object.entries<string>(known.blobs))
        await blobs.put(blob, new Uint8Array(Buffer.from(bytes, 'base64')));
      app = await createTestApp({
        ports: {
          blobs,
          clock,
          pending: createSqlPending(opened.engine, clock),
          store: createSqlStore(opened.engine),
        },
      });
    });
    afterAll(async () => {
      await app.close();
      await opened.close();
    });

    it('knows the API keys, also one that is stored by its bcrypt hash only', async () => {
      const { body } = await rpc(app, key, 'tools/list');
      expect(body.result?.['tools']).toHaveLength(9);
      const legacy = await app.request('/rest', { headers: { 'x-service-api-key': known.legacyKey } });
      expect(legacy.status).toBe(200);
      expect((await app.request('/rest', { headers: { 'x-service-api-key': 'ab'.repeat(32) } })).status).toBe(
        401,
      );
    });

    it('knows people by their subjects, and adds new ones', async () => {
      const { users } = app.deps.store;
      expect(
        await users.bySubject({
          provider: 'hosted',
          issuer: 'https://accounts.google.com',
          subject: 'hosted-subject-of-ana',
        }),
      ).toMatchObject({
        id: known.user.id,
        email: known.user.email,
      });
      expect(
        await users.bySubject({
          provider: 'idp',
          issuer: 'https://id.example',
          subject: 'idp-subject-of-ben',
        }),
      ).toMatchObject({ email: 'ben@example.com' });
      const cem = await app.user('cem@example.com');
      expect(await users.byEmail('cem@example.com')).toMatchObject({ id: cem.id });
    });

    it('opens every credential', async () => {
      const { store, vault } = app.deps;
      const open = async (integration: string, column: 'access_token' | 'refresh_token' | 'cookies') => {
        const row = await store.connections.get(known.user.id, integration, '');
        return row === null ? 'no row' : vault.open(row, column);
      };
      expect(await open('github', 'access_token')).toBe('gho_the_access_token');
      expect(await open('github', 'refresh_token')).toBe('ghr_the_refresh_token');
      expect(await open('resend', 'access_token')).toBe('{"apiKey":"re_the_key"}');
      expect(await open('discourse', 'cookies')).toBe('[{"name":"_t","value":"the session"}]');
      const { integrations } = await call(app, key, 'list_integrations');
      const linked = integrations.filter(({ connected }: { connected: boolean }) => connected);
      expect(linked.map((each: { name: string }) => each.name)).toEqual(
        expect.arrayContaining(['github', 'resend']),
      );
    });

    it('rotates the refresh token, redeems the code, and begins anew with the client', async () => {
      const rotated = await refresh(app, known.clientId, known.refreshToken);
      expect(rotated.status).toBe(200);
      expect((await refresh(app, known.clientId, rotated.body.refresh_token)).status).toBe(200);
      const form = { grant_type: 'authorization_code', ...known.code };
      const given = await token(app, form);
      expect(given.status).toBe(200);
      expect((await token(app, form)).body.error).toBe('invalid_grant');
      const ended = await refresh(app, known.code.client_id, given.body.refresh_token);
      expect(ended.body.error).toBe('invalid_grant');
      await connected(app, { id: known.user.id }, await registered(app));
    });

    it('takes the flow once, and finds the pending connection', async () => {
      expect(await app.deps.store.flows.take(known.flow.state)).toMatchObject(known.flow);
      expect(await app.deps.store.flows.take(known.flow.state)).toBeNull();
      expect(await app.deps.pending.get(known.connectionId)).toMatchObject({ status: 'PENDING' });
      expect(await app.deps.pending.connect(known.user.id, 'slack')).toBe(true);
    });

    it('serves the jot and publishes over it', async () => {
      const text = async (path: string) => (await app.request(path)).text();
      expect(await text('/j/report/a.txt')).toBe('a file of 0.1');
      expect(await app.deps.store.jots.get('report')).toMatchObject({ cors: false, cors_chosen: false });
      await publish(app, { keyHeader: key }, 'report', { 'a.txt': 'a file of this version' });
      expect(await text('/j/report/a.txt')).toBe('a file of this version');
      expect(await done(app, { keyHeader: key }, 'list_jots', {})).toMatchObject({
        jots: [{ name: 'report' }],
      });
    });

    it('lists the audit rows, and numbers new ones after them', async () => {
      const session = await app.deps.sessions.issue(known.user);
      await app.deps.audit.flush();
      const listed = await app.request('/api/audit', { headers: { authorization: `Bearer ${session}` } });
      const { entries } = await listed.json();
      expect(entries.slice(-2)).toMatchObject([
        { id: 2, tool: 'time_now' },
        { id: 1, tool: 'deploy_jot' },
      ]);
      expect(entries.length).toBeGreaterThan(2);
    });

    it('does not know who made the calls of 0.1 nor how they ended, and knows both of new ones', async () => {
      await call(app, key, 'execute_tools', { executions: [{ tool: 'time_now', args: {} }] });
      const { audit } = app.deps.store;
      const old = await audit.list({ user_id: known.user.id, before: 3, limit: 9 });
      expect(old.map(({ id, actor, outcome }) => [id, actor, outcome])).toEqual([
        [2, null, null],
        [1, null, null],
      ]);
      const [latest] = await audit.list({ user_id: known.user.id, limit: 1 });
      expect(latest).toMatchObject({ tool: 'time_now', actor: 'key', outcome: 'ok', access: 'read' });
      expect(latest?.request_id).toMatch(/^[\da-f]{8}-\w+$/);
      for (const row of old)
        expect(row).toMatchObject({ client_name: null, access: null, request_id: null, approval: null });
    });

    it('asks before a call, and knows a named key', async () => {
      const { agentKeys, clock, store } = app.deps;
      const limits = { rules: [{ tool: 'time_now', decision: 'ask' as const }] };
      const made = await agentKeys.mint(known.user.id, { name: 'an agent', limits, expiresAt: null });
      const header = { 'x-service-api-key': made?.key ?? '' };
      const executions = [{ tool: 'time_now', args: {} }];
      const execute = async () => (await call(app, header, 'execute_tools', { executions })).results[0];
      const asked = await execute();
      expect(asked).toMatchObject({ error: 'APPROVAL_REQUIRED' });
      const row = await store.approvals.get(known.user.id, asked.approval.id);
      if (row === null) throw new Error('there is no question');
      const yes = { state: 'approved', covers: 'once', expires_at: clock.now() + 60 } as const;
      expect(await store.approvals.move(row, yes)).toBe(true);
      expect(await execute()).toMatchObject({ result: {} });
    });

    it('respects the lease until it expires', async () => {
      const { leases } = app.deps.store;
      expect(await leases.acquire('a job', 'another', known.now, known.now + 9)).toBe(false);
      expect(await leases.acquire('a job', 'another', known.now + 60, known.now + 99)).toBe(true);
    });

    it('keeps a process of 0.1 working, which writes rows without the new columns', async () => {
      const insert = statements(await readFixture('sqlite.sql')).find((line) =>
        line.startsWith('INSERT INTO flows'),
      );
      const row = `insert into audit (user_id, integration, tool, action, success, error, duration_ms, created_at) values ('${known.user.id}', 'time', 'of_0_1', 'EXECUTE', 1, null, 0, ${known.now})`;
      for (const statement of [insert?.replace(known.flow.state, 'of-0-1') ?? '', row])
        await opened.engine.run(CompiledQuery.raw(statement));
      const [latest] = await app.deps.store.audit.list({ user_id: known.user.id, limit: 1 });
      expect(latest).toMatchObject({ tool: 'of_0_1', actor: null, outcome: null });
      expect(await app.deps.store.flows.take('of-0-1')).toMatchObject({ ...known.flow, state: 'of-0-1' });
    });
  });
}

upgrade('sqlite', async () => {
  const { url, remove } = await sqlitePlace();
  return openFilled(url, remove);
});
await describeService('a database of 0.1', postgresUrl(), () =>
  upgrade('postgres', async () => {
    const { url, remove } = await postgresPlace();
    return openFilled(url, remove);
  }),
);
upgrade('d1', async () => {
  const { database, close } = await startD1();
  const engine = openD1(database);
  await fill(engine);
  return { engine, close };
});

describe('a column that 0.1 lacks', () => {
  it('may be null or has a default, and can be added by every engine', async () => {
    const dump = await readFixture('sqlite.sql');
    const old = new Map(
      [...dump.matchAll(/^CREATE TABLE (\w+) \((.+)\);$/gm)].map(([, table = '', columns = '']) => [
        table,
        columns,
      ]),
    );
    expect(old.size).toBe(11);
    const isThere = (columns: string, column: string) => new RegExp(`(?:^|, )${column} `).test(columns);
    const wrong = Object.entries(tables).flatMap(([table, { columns }]) => {
      const before = old.get(table);
      if (before === undefined) return [];
      return Object.entries(columns)
        .filter(([column]) => !isThere(before, column))
        .filter(
          ([, type]) =>
            type === counter ||
            / unique| primary key/.test(type) ||
            (type.includes('not null') && !type.includes('default ')),
        )
        .map(([column]) => `${table}.${column}`);
    });
    expect(wrong).toEqual([]);
  });
});
