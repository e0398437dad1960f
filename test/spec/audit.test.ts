// Tests the audit rows of executions and how they are stored and listed. reference: Audit; decision: 036
import { afterEach, describe, expect, it } from 'vitest';
import { AUDIT_LOOK } from '../../src/record/model/limits.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createAuditRecorder } from '../../src/record/model/recorder.ts';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import type { AuditEntry } from '../../src/ports/records.ts';
import { call } from '../support/mcp.ts';
import { connected, refresh, registered } from '../support/oauth-client.ts';
import { createTestApp, type Options, type TestApp } from '../support/test-app.ts';

const apps: TestApp[] = [];
async function open(options?: Options): Promise<TestApp> {
  const app = await createTestApp(options);
  apps.push(app);
  return app;
}
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

const json = { 'content-type': 'application/json' };

async function page(app: TestApp, headers: Record<string, string>, query = '') {
  const response = await app.request(`/api/audit${query}`, { headers });
  return { status: response.status, body: await response.json() };
}

describe('the audit row of an execution', () => {
  it('is the same over MCP and REST, stored and counted; a tool that does not exist has neither', async () => {
    const app = await open();
    const ana = await app.user();
    const run = (tool: string, args: object) =>
      call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool, args }] });
    const rest = (integration: string, body: object) =>
      app.request(`/rest/${integration}`, {
        method: 'POST',
        headers: { ...ana.keyHeader, ...json },
        body: JSON.stringify(body),
      });

    await run('shout', { text: 'a' });
    await run('echo_fail', {});
    await run('vaulted_whoami', {});
    await run('shout', {});
    await run('nope', {});
    await rest('echo', { tool: 'shout', text: 'a' });
    await rest('echo', { tool: 'fail' });
    await rest('vaulted', { tool: 'whoami' });
    await rest('echo', { tool: 'shout' });
    await rest('echo', { tool: 'nope' });

    const { body } = await page(app, ana.keyHeader);
    const ids = body.entries.map(({ request_id }: { request_id: string }) => request_id);
    expect(new Set(ids).size).toBe(8);
    const entries = body.entries
      .toReversed()
      .map(({ id: _, request_id: __, ...entry }: { id: number; request_id: string }) => entry);
    expect(entries).toHaveLength(8);
    expect(entries.slice(4)).toEqual(entries.slice(0, 4));
    const common = {
      user_id: ana.id,
      action: 'EXECUTE',
      duration_ms: 0,
      created_at: app.clock.now(),
      actor: 'key',
      client_name: null,
      access: 'read',
      approval: null,
      status: null,
    };
    expect(entries.slice(0, 4)).toEqual([
      { ...common, integration: 'echo', tool: 'shout', success: true, error: null, outcome: 'ok' },
      {
        ...common,
        integration: 'echo',
        tool: 'echo_fail',
        success: false,
        error: 'upstream said no',
        outcome: 'error',
      },
      {
        ...common,
        integration: 'vaulted',
        tool: 'vaulted_whoami',
        success: false,
        error: 'NOT_CONNECTED',
        outcome: 'error',
      },
      {
        ...common,
        integration: 'echo',
        tool: 'shout',
        success: false,
        error: expect.stringMatching(/^Invalid arguments: text/),
        outcome: 'error',
      },
    ]);
    const { text } = await app.deps.metrics.expose();
    const counted = text.split('\n').filter((line) => line.startsWith('service_executions_total{'));
    expect(counted.toSorted()).toEqual([
      'service_executions_total{integration="echo",success="false"} 4',
      'service_executions_total{integration="echo",success="true"} 2',
      'service_executions_total{integration="vaulted",success="false"} 2',
    ]);
  });
});

describe('the caller in an audit row', () => {
  it('has the name that a named key and an OAuth client had, also when they are gone', async () => {
    const app = await open();
    const ana = await app.user();
    const { agentKeys, store } = app.deps;
    const made = await agentKeys.mint(ana.id, { name: 'My key', limits: {}, expiresAt: null });
    const clientId = await registered(app);
    const first = await connected(app, ana, clientId);
    const { access_token } = (await refresh(app, clientId, first.refresh_token)).body;
    const shout = (headers: Record<string, string>) =>
      call(app, headers, 'execute_tools', { executions: [{ tool: 'shout', args: { text: 'a' } }] });
    await shout({ 'x-service-api-key': made?.key ?? '' });
    await shout({ authorization: `Bearer ${access_token}` });
    await shout({ authorization: `Bearer ${first.access_token}` });
    await store.clients.delete(clientId);
    await agentKeys.remove(ana.id, made?.record.id ?? '');
    const client = { actor: `client:${clientId}`, client_name: 'A client' };
    expect((await page(app, ana.keyHeader)).body.entries).toMatchObject([
      client,
      client,
      { actor: `key:${made?.record.id}`, client_name: 'My key' },
    ]);
    expect((await page(app, ana.keyHeader, `?client=client:${clientId}`)).body.entries).toHaveLength(2);
  });
});

describe('a failed tool', () => {
  it('has the id of the person in the log, and nothing more of them', async () => {
    const app = await open();
    const ana = await app.user();
    await call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool: 'echo_fail' }] });
    expect(app.lines.find(({ event }) => event === 'tool failed')).toMatchObject({ user: ana.id });
    expect(app.lines.find(({ route }) => route === '/mcp')).toMatchObject({ user: ana.id });
    expect(JSON.stringify(app.lines)).not.toContain(ana.email);
  });
});

describe('the duration of an execution', () => {
  it('is stored in whole milliseconds', async () => {
    const nap = tool(
      'slow_nap',
      'Takes its time',
      () => ({}),
      (_args, { clock }) => clock.sleep(1_234.6),
    );
    const about = { version: '1', displayName: 'Slow', description: '', categories: [], logo: null };
    const slow = defineIntegration({ ...about, name: 'slow', auth: { type: 'none' }, tools: [nap] });
    const app = await open({ ports: { integrations: [slow] } });
    const ana = await app.user();
    await call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool: 'slow_nap' }] });
    expect((await page(app, ana.keyHeader)).body.entries).toMatchObject([{ duration_ms: 1_235 }]);
  });
});

describe('GET /api/audit', () => {
  it("shows only the person's own rows, newest first, 50 per page", async () => {
    const app = await open();
    const ana = await app.user();
    const bea = await app.user('bea@example.com');
    await call(app, bea.keyHeader, 'execute_tools', { executions: [{ tool: 'shout', args: { text: 'b' } }] });
    const executions = Array.from({ length: 120 }, () => ({ tool: 'echo_nothing' }));
    await call(app, ana.keyHeader, 'execute_tools', { executions });

    const ids: number[] = [];
    let query = '';
    for (const size of [50, 50, 20]) {
      const { body } = await page(app, ana.keyHeader, query);
      expect(body.entries).toHaveLength(size);
      ids.push(...body.entries.map(({ id }: { id: number }) => id));
      query = `?cursor=${body.nextCursor}`;
      expect('nextCursor' in body).toBe(size === 50);
    }
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect((await page(app, bea.keyHeader)).body.entries).toHaveLength(1);
  });

  it('filters by integration, tool and success', async () => {
    const app = await open();
    const ana = await app.user();
    const executions = [{ tool: 'time_now' }, { tool: 'echo_fail' }, { tool: 'echo_nothing' }];
    await call(app, ana.keyHeader, 'execute_tools', { executions });
    const tools = async (query: string) =>
      (await page(app, ana.keyHeader, query)).body.entries
        .map(({ tool }: { tool: string }) => tool)
        .toSorted();
    expect(await tools('?integration=echo')).toEqual(['echo_fail', 'echo_nothing']);
    expect(await tools('?tool=time_now')).toEqual(['time_now']);
    expect(await tools('?success=false')).toEqual(['echo_fail']);
    expect(await tools('?success=true&integration=echo')).toEqual(['echo_nothing']);
  });

  it('searches a limited number of rows for a filter, and says where to continue', async () => {
    const app = await open();
    const ana = await app.user();
    const common = {
      user_id: ana.id,
      integration: 'echo',
      error: null,
      duration_ms: 1,
      created_at: 1,
      actor: 'key',
      owner: null,
      outcome: null,
      account: null,
      client_name: null,
      access: null,
      request_id: null,
      approval: null,
      status: null,
      details: null,
      script: null,
    };
    const row = (tool: string, success: boolean) => ({
      ...common,
      tool,
      success,
      action: 'EXECUTE' as const,
    });
    await app.deps.store.audit.append([row('first', false), row('second', true)]);
    await app.deps.store.audit.append(Array.from({ length: AUDIT_LOOK }, () => row('late', true)));
    const newest = await page(app, ana.keyHeader, '?tool=first');
    expect(newest.body.entries).toEqual([]);
    const older = await page(app, ana.keyHeader, `?tool=first&cursor=${newest.body.nextCursor}`);
    expect(older.body).toEqual({ entries: [expect.objectContaining({ tool: 'first' })] });
    expect((await page(app, ana.keyHeader)).body.entries).toHaveLength(50);
  });

  it.each(['?cursor=x', '?cursor=-1', '?success=maybe', '?cursor=99999999999999999999'])(
    'answers 400 to %s',
    async (query) => {
      const app = await open();
      const { status, body } = await page(app, (await app.user()).keyHeader, query);
      expect([status, typeof body.error]).toEqual([400, 'string']);
    },
  );
});

describe('AUDIT_LOG_DEST', () => {
  it.each([
    ['database', 1, 0],
    ['stdout', 0, 1],
    ['none', 0, 0],
  ])('with %s stores %i row and logs %i line', async (dest, rows, lines) => {
    const app = await open({ env: { AUDIT_LOG_DEST: dest } });
    const ana = await app.user();
    await call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool: 'echo_nothing' }] });
    expect((await page(app, ana.keyHeader)).body.entries).toHaveLength(rows);
    expect(app.lines.filter(({ event }) => event === 'audit')).toHaveLength(lines);
  });
});

describe('the audit recorder', () => {
  const entry: AuditEntry = {
    user_id: 'u',
    integration: 'i',
    tool: 't',
    action: 'EXECUTE',
    success: true,
    error: null,
    duration_ms: 1,
    created_at: 1,
    actor: 'key',
    outcome: 'ok',
    account: null,
    client_name: null,
    access: null,
    request_id: null,
    approval: null,
    status: null,
    details: null,
    script: null,
    owner: null,
  };

  /** A store whose first writes fail. */
  function failing(app: TestApp, failures: number) {
    const groups: number[] = [];
    const audit = {
      ...app.deps.store.audit,
      async append(entries: readonly AuditEntry[]) {
        if (failures-- > 0) throw new Error('[sqlite] disk full');
        groups.push(entries.length);
        await app.deps.store.audit.append(entries);
      },
    };
    return { groups, recorder: createAuditRecorder({ ...app.deps, store: { ...app.deps.store, audit } }) };
  }

  it('writes the rows of one turn of the event loop as one group, and resolves when they are stored', async () => {
    const app = await open();
    const { recorder, groups } = failing(app, 0);
    await Promise.all(Array.from({ length: 40 }, () => recorder.record(entry)));
    expect(groups).toEqual([40]);
    expect(await app.deps.store.audit.list({ user_id: 'u', limit: 100 })).toHaveLength(40);
  });

  it('writes rows that nobody waits for after a moment, or when there are many', async () => {
    const app = await open();
    const moment = Promise.withResolvers<void>();
    const clock = { ...app.deps.clock, sleep: () => moment.promise };
    const { recorder, groups } = failing({ ...app, deps: { ...app.deps, clock } }, 0);
    for (let row = 0; row < 999; row++) recorder.recordSoon(entry);
    for (let turn = 0; turn < 20; turn++) await clock.turn();
    expect(groups).toEqual([]);
    recorder.recordSoon(entry);
    await expect.poll(() => groups).toEqual([1_000]);
    recorder.recordSoon(entry);
    moment.resolve();
    await expect.poll(() => groups).toEqual([1_000, 1]);
  });

  it('writes a row that nobody waits for, although it came during the write of another', async () => {
    const app = await open();
    const slow = Promise.withResolvers<void>();
    const groups: number[] = [];
    const audit = {
      ...app.deps.store.audit,
      append: async (entries: readonly AuditEntry[]) => {
        groups.push(entries.length);
        if (groups.length === 1) await slow.promise;
      },
    };
    const recorder = createAuditRecorder({ ...app.deps, store: { ...app.deps.store, audit } });
    recorder.recordSoon(entry);
    await expect.poll(() => groups).toEqual([1]);
    recorder.recordSoon(entry);
    slow.resolve();
    await expect.poll(() => groups).toEqual([1, 1]);
  });

  it('keeps a limited number of rows that nobody waits for while a write hangs, and counts the rest', async () => {
    const app = await open();
    const slow = Promise.withResolvers<void>();
    let writes = 0;
    const audit = {
      ...app.deps.store.audit,
      append: (entries: readonly AuditEntry[]) =>
        writes++ === 0 ? slow.promise : app.deps.store.audit.append(entries),
    };
    const recorder = createAuditRecorder({ ...app.deps, store: { ...app.deps.store, audit } });
    const first = recorder.record(entry);
    await expect.poll(() => writes).toBe(1);
    for (let row = 0; row < 200_000; row++) recorder.recordSoon(entry);
    slow.reject(new Error('[postgres] gone'));
    await first;
    await recorder.record(entry);
    await recorder.flush();
    const { text } = await app.deps.metrics.expose();
    const count = (outcome: string) =>
      Number(new RegExp(`service_audit_rows_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1]);
    expect([count('written'), count('lost')]).toEqual([10_002, 190_000]);
  });

  it('resolves when a write fails, tries again and counts', async () => {
    const app = await open();
    const { recorder } = failing(app, 3);
    await recorder.record(entry);
    await recorder.record({ ...entry, tool: 't2' });
    await recorder.flush();
    const stored = await app.deps.store.audit.list({ user_id: 'u', limit: 100 });
    expect(stored.map(({ tool }) => tool).toSorted()).toEqual(['t', 't2']);
    const { text } = await app.deps.metrics.expose();
    expect(text).toMatch(/service_audit_rows_total\{outcome="retried"\} [1-9]/);
    expect(text).toMatch(/service_audit_rows_total\{outcome="written"\} 2/);
    expect(app.lines.some(({ event }) => event === 'audit write failed')).toBe(true);
  });

  it('never changes the result of the caller', async () => {
    const app = await open();
    const append = () => Promise.reject(new Error('gone'));
    const broken = { ...app.deps.store, audit: { ...app.deps.store.audit, append }, close: async () => {} };
    // This recorder's clock really waits between two tries.
    const other = await open({ ports: { store: broken, clock: createSystemClock(setImmediate) } });
    const ana = await app.user();
    const { results } = await call(other, { 'x-service-api-key': ana.apiKey }, 'execute_tools', {
      executions: [{ tool: 'shout', args: { text: 'x' } }],
    });
    expect(results).toEqual([{ result: 'X' }]);
  });
});
