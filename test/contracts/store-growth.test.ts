// Tests that requests do not slow down as the database grows: every statement finds its rows by an index.
// `npm run bench growth` measures the cost itself. reference: Growth; decision: 012
import { CompiledQuery } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { createSqlPending } from '../../drivers/pending/sql.ts';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { tables } from '../../drivers/sql/tables.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { FEW, grow } from '../support/growth.ts';
import { call, rpc } from '../support/mcp.ts';
import { connected, refresh, registered } from '../support/oauth-client.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';
import { openAt } from './store/open-at.ts';
import { type Place, postgresPlace, sqlitePlace } from './store/open.ts';
import { entry, executionKey } from './store/records.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Records every statement by its text. */
function recording(engine: Engine): { engine: Engine; seen: Map<string, CompiledQuery> } {
  const seen = new Map<string, CompiledQuery>();
  const note = (query: CompiledQuery) => void seen.set(query.sql, query);
  return {
    seen,
    engine: {
      ...engine,
      run: (query) => (note(query), engine.run(query)),
      batch: (queries) => (queries.forEach(note), engine.batch(queries)),
    },
  };
}

/**
 * Returns the steps of a query plan that read rows without an index. The tables `provider_clients`, `team_connections` and
 * `team_groups` may be read whole: they have a few rows for each integration. So may the index of paused clients, which has
 * no others, and those of tasks that wait, of scripts that wait for an administrator and of people who are being deleted. A
 * scan of a subquery, of `first`, `newest`, or `next_name` and its alias `n` goes through rows that a search has found, and
 * one of `item` through what the statement brings.
 */
async function scans(engine: Engine, query: CompiledQuery): Promise<string[]> {
  const explain = engine.dialect === 'postgres' ? 'explain' : 'explain query plan';
  const { rows } = await engine.run({ ...query, sql: `${explain} ${query.sql}` });
  const lines = rows.map((row) => String(Object.values(row as object).at(-1)));
  if (engine.dialect === 'sqlite')
    return lines.filter((line) =>
      /^SCAN (?!CONSTANT|\d+-ROW VALUES|provider_clients|team_connections|team_groups|agent_grants USING INDEX agent_grants_paused|tasks USING INDEX tasks_open|scripts USING INDEX scripts_pending|item VIRTUAL|\(subquery-|(?:first|newest|next_name|n)$)/.test(
        line,
      ),
    );
  return lines.filter((line, at) => {
    if (/Seq Scan/.test(line)) return true;
    // A full scan of this index is fine: it holds only old keys, which are few and never increase.
    if (line.includes('users_legacy_key')) return false;
    if (
      /provider_clients_pkey|team_connections_pkey|team_groups_pkey|agent_grants_paused|tasks_open|scripts_pending|users_deleted/.test(
        line,
      )
    )
      return false;
    return /Index (Only )?Scan/.test(line) && !/Index Cond/.test(lines[at + 1] ?? '');
  });
}

const FAILED_ROW = entry({
  user_id: 'user-1',
  tool: 'a_tool',
  success: false,
  outcome: 'error',
  error: 'no',
  access: 'read',
});

const requests: Record<string, (app: TestApp, ana: TestUser) => Promise<unknown>> = {
  'tools/list': (app, ana) => rpc(app, ana.keyHeader, 'tools/list'),
  execute_tools: (app, ana) =>
    call(app, ana.keyHeader, 'execute_tools', {
      executions: [
        { tool: 'time_now', args: {} },
        { tool: 'resend_list_domains', args: {} },
      ],
    }),
  list_integrations: (app, ana) => call(app, ana.keyHeader, 'list_integrations'),
  'the groups that a rule can name': (app) => app.deps.store.groups.known(10),
  '/api/connections': (app, ana) => app.request('/api/connections', { headers: ana.sessionHeader }),
  '/api/audit': (app, ana) => app.request('/api/audit', { headers: ana.sessionHeader }),
  'a page of /api/audit': (app, ana) =>
    app.request('/api/audit?cursor=5000&tool=a_tool&success=true&integration=github', {
      headers: ana.sessionHeader,
    }),
  'each filter of /api/audit': async (app, ana) => {
    const headers = ana.sessionHeader;
    await app.deps.store.audit.append([FAILED_ROW, { ...FAILED_ROW, user_id: ana.id }]);
    const [row] = await app.deps.store.audit.list({ user_id: ana.id, success: false, limit: 1 });
    for (const filter of [
      'success=false',
      'outcome=blocked',
      'outcome=ok',
      'integration=github',
      'tool=a_tool',
      'client=key',
      'account=a',
      'q=a_tool%20github',
      'from=4000',
      'to=4000',
      'from=4000&to=4100&tool=a_tool&success=false&cursor=5001',
      `like=${row?.id}`,
    ])
      for (const path of ['', '/failures']) {
        const query = path === '' ? filter : filter.replace('success=false', 'access=read');
        const answer = await app.request(`/api/audit${path}?${query}`, { headers });
        expect(answer.status, query).toBe(200);
      }
    // The same of everybody, for administrators.
    const { audit } = app.deps.store;
    for (const query of [{ success: false }, { tool: 'a_tool' }, { success: false, tool: 'a_tool' }])
      await audit.list({ user_id: null, from: 1, before: 9_000, ...query, limit: 1 });
    for (const success of [false, undefined]) await audit.down(1, { user_id: null, before: 9_000, success });
    await audit.failures({ user_id: null, from: 1, before: 9_000, limit: 9 });
  },
  '/api/audit/export': async (app, ana) => {
    const filter = 'tool=a_tool&outcome=ok&access=read&client=key&account=a&from=1&to=9999999999';
    const ask = (query: string) => app.request(`/api/audit/export?${query}`, { headers: ana.sessionHeader });
    await (await ask(filter)).text();
    await (await ask('format=csv')).text();
  },
  '/api/usage': async (app, ana) => {
    const headers = ana.sessionHeader;
    await app.request('/api/usage?range=30d', { headers });
    await app.request('/api/usage?range=7d&integration=github&actor=key', { headers });
    return app.request('/api/admin/usage', { headers });
  },
  '/api/agents': (app, ana) => app.request('/api/agents', { headers: ana.sessionHeader }),
  '/api/jots': (app, ana) => app.request('/api/jots', { headers: ana.sessionHeader }),
  'views of jots': ({ deps: { store } }, { id }) =>
    store.jots
      .addViews({ name: 'x', created_at: 1, views: 1, until: 2 })
      .then(() => store.jots.delete('x', id)),
  'an unknown key': (app) => rpc(app, { 'x-service-api-key': 'ab'.repeat(32) }, 'tools/list'),
  'signing in and refreshing': async (app, ana) => {
    const client = await registered(app);
    const { refresh_token } = await connected(app, ana, client);
    return refresh(app, client, refresh_token);
  },
  connecting: async (app, ana) => {
    const { connectionId } = await call(app, ana.keyHeader, 'connect', { integration: 'github' });
    await app.deps.pending.connect(ana.id, 'github');
    return call(app, ana.keyHeader, 'wait_for_connection', { connectionId });
  },
  'a call with a key': async (app, { id }) => {
    const { executionKeys } = app.deps.store;
    const row = executionKey({ user_id: id });
    const { run } = row;
    for (let n = 0; n < 2; n++) await executionKeys.claim(row, 9);
    await executionKeys.keepRunning(row.id, run, row.created_at);
    await executionKeys.move(row, { run, state: 'done', running_until: null, sealed: 'x' });
    await executionKeys.trim(id, 0);
    await executionKeys.list(id, 0, null, 9);
    return executionKeys.release(row.id, run);
  },
  'a named key': async (app, { id }) => {
    const { agentKeys } = app.deps;
    const made = await agentKeys.mint(id, { name: 'an agent', limits: {}, expiresAt: null });
    if (made === null) throw new Error('there is no key');
    await rpc(app, { 'x-service-api-key': made.key }, 'tools/list');
    await agentKeys.list(id);
    return agentKeys.remove(id, made.record.id);
  },
  'a call that needs a yes': async (app, ana) => {
    const { clock, store } = app.deps;
    const [owner, now] = [ana.id, clock.now()];
    const rules = JSON.stringify([{ tool: 'time_now', decision: 'ask' }]);
    await store.policies.putRules({ owner, rules, revision: 'r', updated_at: now });
    const execute = () =>
      call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool: 'time_now', args: {} }] });
    const [asked] = (await execute()).results;
    const row = await store.approvals.get(owner, asked.approval.id);
    if (row === null) throw new Error('there is no question');
    await store.approvals.move(row, { state: 'approved', covers: 'once', expires_at: now + 60 });
    expect((await execute()).results).toMatchObject([{ result: {} }]);
    await store.approvals.keepRunning(row.id, 'a run', now);
    await store.approvals.list({ user_id: owner, states: ['pending', 'done'], limit: 9 });
    await store.approvals.end(owner, 'time');
    await app.deps.settleApprovals.ofPerson(owner);
    await store.approvals.due(now, 9);
  },
  'the limits of a client': async ({ deps: { clock, store } }, { id }) => {
    const grant = { user_id: id, client_id: 'c', limits: '{}', expires_at: null, revision: 'r' };
    const noted = { ...grant, updated_at: clock.now(), last_used_at: clock.now(), paused_at: null };
    await store.policies.putGrant(noted);
    await store.policies.noteUse(noted);
    await store.policies.pause(noted);
    await store.policies.paused();
    await store.policies.read(id, 'c');
    return store.policies.grants(id);
  },
};

/** What programs poll, and what a call of an actor, a script, a task or an event asks the store, with made-up ids. */
const statementsOf03: typeof requests = {
  'each list of the API': async (app, ana) => {
    const { paths } = await (await app.request('/openapi.json')).json();
    for (const [path, operations] of Object.entries<object>(paths))
      if ('get' in operations && path.startsWith('/api/') && !/[{]|hosted|idp|health/.test(path))
        await app.request(path, { headers: ana.sessionHeader });
  },
  tasks: async ({ deps: { store } }, { id }) => {
    const { tasks } = store;
    const seen = { id: 'x', version: 'v', user_id: id, expires_at: 9, answered: '' };
    const next = { version: 'w', updated_at: 1, sealed: '', running_until: 9 };
    await tasks.bySlot(id, 'slot');
    await tasks.get(id, 'x');
    await tasks.list(id, 9);
    await tasks.ofApproval(id, 'x');
    await tasks.claim(seen, next);
    await tasks.keep(seen, 9);
    await tasks.release(seen, { ...next, state: 'ended' }, { ended: ['x'], begun: ['y'] });
    await tasks.cancel(id, 'x', 1);
    await tasks.due(1, 9);
  },
  scripts: async ({ deps: { store } }, { id }) => {
    const { scripts, scriptRuns } = store;
    const seen = { id: 'x', version: 'v' };
    const next = { version: 'w', updated_at: 1, sealed: '' };
    await scripts.list(id);
    await scripts.versions(id, 'a script');
    await scripts.pending(9);
    await scriptRuns.get(id, 'x');
    await scriptRuns.list(id, 9);
    await scriptRuns.open(id, 'slot', 1);
    await scriptRuns.claim(seen, { ...next, running_until: 9 });
    await scriptRuns.keep(seen, 9);
    const call = { run_id: 'x', position: 0, place: 0, user_id: id, expires_at: 9, sealed: '' };
    await scriptRuns.append(seen, call, 1);
    await scriptRuns.release(seen, { ...next, state: 'done' });
    await scriptRuns.calls(id, 'x');
    await scriptRuns.used(id);
  },
  events: async ({ deps: { store } }, { id }) => {
    const { events } = store;
    await events.byAddress('an address');
    await events.get(id, 'x');
    await events.list(id);
    await events.pollers(id);
    await events.poller('x');
    await events.known(['x']);
    await events.after(id, 0, 9);
    await events.after(id, 0, 9, 'x');
    await events.before(id, 9, 9, null);
    await events.before(id, 9, 9, 'x');
    await events.event(id, 'x');
    await events.streams([id]);
    await events.count(id);
    await events.due(1, 1, 9);
    await events.claim('x', 'a process', 1, 9);
    await events.expire(1);
    await events.remove(id, 'x');
  },
  actors: async ({ deps: { store } }, { id }) => {
    const { actorLinks, serviceActors: actors, serviceKeys } = store;
    await serviceKeys.bySha('service-sha', 'external-7');
    await serviceKeys.acting('service-key', 'actor-7');
    await serviceKeys.noteUse('service-key', 1);
    await actors.get('service-key', 'external-7');
    await actors.page({ keyId: 'service-key', limit: 9 });
    await actors.page({ keyId: 'service-key', after: 'actor-7', limit: 9 });
    await actors.page({ keyId: 'service-key', contains: 'tor-7', limit: 9 });
    await actors.countErasing();
    await actors.ofUser(id);
    await actorLinks.byToken('sha');
    await actorLinks.get('x');
    await actorLinks.open('x', 'binding', { now: 1, until: 9 });
    await actorLinks.finish('x', 1);
    await actorLinks.due(1, 9);
  },
  notices: async ({ deps: { store } }, { id }) => {
    const { deliveries, destinations } = store.outbox;
    await destinations.list(id);
    await destinations.get(id, 'x');
    await deliveries.get(id, 'x');
    await deliveries.count(id);
    await deliveries.countSince(id, 'kind', 1);
    await deliveries.due(1, true, 9);
    await deliveries.dueOf('x', 1, 9);
    await deliveries.claim('x', 'a run', 1, 9);
    await deliveries.drop(id, 'about', 1);
  },
  'sets and content from outside': async ({ deps: { store } }, { id }) => {
    await store.sets.find(id, 'a set');
    await store.sets.list(id);
    await store.sets.uses('x', id, 9);
  },
};

/** The tables that the growth has left out. */
async function emptyTables(engine: Engine): Promise<string[]> {
  const empty: string[] = [];
  for (const table of Object.keys(tables)) {
    if (FEW.has(table)) continue;
    const { rows } = await engine.run(CompiledQuery.raw(`select 1 from ${table} limit 1`));
    if (rows.length === 0) empty.push(table);
  }
  return empty;
}

function growth(name: string, makePlace: () => Promise<Place>): void {
  describe(`a large store on ${name}`, () => {
    it('answers every request with indexed queries only', async () => {
      const place = await makePlace();
      const plain = openAt(place.url);
      await createSchema(plain);
      await grow(plain, { users: 3_000, connectionsEach: 3, auditRows: 9_000 });
      expect(await emptyTables(plain)).toEqual([]);
      const { engine, seen } = recording(plain);
      const clock = createSystemClock(setImmediate);
      const app = await createTestApp({
        env: { GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' },
        ports: { store: createSqlStore(engine), pending: createSqlPending(engine, clock), clock },
      });
      const ana = await app.user();
      const wrong: Record<string, unknown> = {};
      let statements = 0;
      for (const [what, ask] of Object.entries({ ...requests, ...statementsOf03 })) {
        seen.clear();
        await ask(app, ana);
        for (const query of seen.values()) {
          statements++;
          const found = await scans(plain, query);
          if (found.length > 0) wrong[`${what}: ${query.sql}`] = found;
        }
      }
      expect(wrong).toEqual({});
      expect(statements).toBeGreaterThan(20);
      await app.close();
      await place.remove();
    });
  });
}

growth('sqlite', sqlitePlace);
await describeService('growth', postgresUrl(), () =>
  growth('postgres', async () => {
    const { url, remove } = await postgresPlace();
    // PostgreSQL prefers to scan a small table. Without sequential scans the plan shows whether an index
    // fits.
    const choosy = new URL(url);
    choosy.searchParams.set('enable_seqscan', 'off');
    return { url: choosy.href, remove };
  }),
);
