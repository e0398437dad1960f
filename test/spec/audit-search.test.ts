// Tests searching, narrowing and grouping audit rows, and how far one request looks. reference: Audit; decision: 040
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AUDIT_FAILED_LOOK,
  AUDIT_FAILURE_GROUPS,
  AUDIT_HISTOGRAM_LOOK,
  AUDIT_LOOK,
  AUDIT_PAGE,
} from '../../src/record/model/limits.ts';
import type { AuditEntry } from '../../src/ports/records.ts';
import { entry as auditEntry } from '../contracts/store/records.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { type Headers, makeKey } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp({ env: PROVIDER });
  ana = await app.user();
});
afterEach(() => app.close());

const NOW = 1_700_000_000;

const entry = (changes: Partial<AuditEntry> = {}): AuditEntry =>
  auditEntry({ user_id: ana.id, created_at: NOW, client_name: null, ...changes });

const failed = (changes: Partial<AuditEntry> = {}) =>
  entry({ success: false, outcome: 'error', error: 'no', ...changes });

const append = (...entries: AuditEntry[]) => app.deps.store.audit.append(entries);
const many = (count: number, changes: Partial<AuditEntry> = {}) =>
  append(...Array.from({ length: count }, () => entry(changes)));

async function ask(query: string, headers: Record<string, string> = ana.keyHeader, path = '/api/audit') {
  const response = await app.request(`${path}${query}`, { headers });
  return { status: response.status, body: await response.json() };
}

const toolsOf = async (query: string, headers?: Record<string, string>) =>
  (await ask(query, headers)).body.entries.map(({ tool }: AuditEntry) => tool);

async function exportedTools(query: string): Promise<string[]> {
  const response = await app.request(`/api/audit/export${query}`, { headers: ana.keyHeader });
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line).tool);
}

describe('a search for words', () => {
  it('finds calls whose facts contain all of them, in the list and in the export', async () => {
    await append(
      entry(),
      entry({ integration: 'slack', tool: 'slack_send', client_name: 'Claude', account: 'Work' }),
      failed({ integration: 'slack', tool: 'slack_read', error: 'The upstream answered 503.' }),
    );
    for (const [query, tools] of [
      ['?q=SLACK', ['slack_read', 'slack_send']],
      ['?q=claude%20%20work', ['slack_send']],
      ['?q=upstream+503&success=false', ['slack_read']],
      ['?q=github&tool=slack_send', []],
      ['?q=%20', ['slack_read', 'slack_send', 'github_list_issues']],
      ['?q=%25', []],
    ] as const) {
      expect(await toolsOf(query), query).toEqual(tools);
      expect(await exportedTools(query), query).toEqual(tools);
    }
  });

  it.each(['q=', `q=${'x'.repeat(201)}`, 'q=%00', 'like=x', 'like=-1'])(
    'answers 400 to %s',
    async (query) => {
      expect((await ask(`?${query}`)).status).toBe(400);
      expect((await ask(`?${query}`, ana.keyHeader, '/api/audit/failures')).status).toBe(400);
      const response = await app.request(`/api/audit/export?${query}`, { headers: ana.keyHeader });
      expect(response.status).toBe(400);
    },
  );
});

describe('a range of time', () => {
  it('is searched below any number of newer calls, and the search ends with the range', async () => {
    await append(
      entry({ tool: 'older', created_at: NOW - 500 }),
      entry({ tool: 'inside', created_at: NOW - 100 }),
    );
    await many(100);
    // It could not be stored at once.
    await append(entry({ tool: 'late', created_at: NOW - 90 }));
    await many(2 * AUDIT_LOOK);
    const range = `?from=${NOW - 200}&to=${NOW - 50}`;
    const found = [{ tool: 'late' }, { tool: 'inside' }].map((each) => expect.objectContaining(each));
    expect((await ask(range)).body).toEqual({ entries: found });
    expect(await exportedTools(range)).toEqual(['late', 'inside']);
    expect(await toolsOf(`?from=${NOW - 500}&to=${NOW - 500}`)).toEqual(['older']);
    expect((await ask(`?from=${NOW + 1}`)).body).toEqual({ entries: [] });
    expect((await ask(`?to=${NOW - 501}`)).body).toEqual({ entries: [] });
    const lower = await ask(`?from=${NOW - 100}&tool=none`);
    expect(lower.body).toEqual({ entries: [], nextCursor: expect.any(String), searchedUntil: NOW });
  });
});

describe('a rare filter', () => {
  it('looks at 5,000 calls, says until when it has searched, and goes on from there', async () => {
    await append(entry({ tool: 'rare', created_at: NOW - 9 }));
    await many(AUDIT_LOOK);
    const newest = await ask('?tool=rare');
    expect(newest.body).toEqual({ entries: [], nextCursor: expect.any(String), searchedUntil: NOW });
    const rest = await ask(`?tool=rare&cursor=${newest.body.nextCursor}`);
    expect(rest.body).toEqual({ entries: [expect.objectContaining({ tool: 'rare' })] });
  });

  it('finds failed calls at once below any number of calls that succeeded', async () => {
    await append(failed({ tool: 'rare' }), failed({ tool: 'blocked', outcome: 'blocked' }));
    await many(AUDIT_LOOK + 10);
    expect((await ask('?success=false')).body.entries).toHaveLength(2);
    expect((await ask('?outcome=blocked')).body).toEqual({
      entries: [expect.objectContaining({ tool: 'blocked' })],
    });
    expect((await ask('?outcome=error&tool=rare')).body).not.toHaveProperty('searchedUntil');
  });
});

describe('GET /api/audit/histogram', () => {
  const count = (query: string, headers?: Headers, path = '/api/audit/histogram') =>
    ask(query, headers, path);

  it('counts the calls that the filters choose, in spans that fit the time', async () => {
    const now = app.clock.now();
    const hour = now - (now % 3_600);
    await append(
      entry({ created_at: hour - 7_200 }),
      failed({ created_at: hour - 7_200, tool: 'slack_send' }),
      entry({ created_at: hour }),
    );
    const { body } = await count(`?from=${hour - 86_400}&to=${hour}`);
    expect(body).toMatchObject({ from: hour - 86_400, until: hour, bucketSeconds: 1_800 });
    expect(body.buckets).toEqual([
      { at: hour - 7_200, calls: 2, failed: 1 },
      { at: hour, calls: 1, failed: 0 },
    ]);
    expect((await count(`?from=${hour - 3_600}&to=${hour}`)).body.bucketSeconds).toBe(60);
    expect((await count('?tool=slack_send')).body.buckets).toMatchObject([{ calls: 1, failed: 1 }]);
    expect((await count('?q=nothing')).body.buckets).toEqual([]);
  });

  it('begins at the oldest call, at least a day ago, and on the days of the caller', async () => {
    const now = app.clock.now();
    expect((await count('')).body).toMatchObject({ until: now, bucketSeconds: 3_600, buckets: [] });
    await append(entry({ created_at: now - 60 * 86_400 }));
    const { body } = await count('?offset=120');
    expect(body.bucketSeconds).toBe(86_400);
    expect((body.from + 7_200) % 86_400).toBe(0);
    expect(body.buckets).toEqual([{ at: body.from, calls: 1, failed: 0 }]);
  });

  it('says how far it has counted', async () => {
    await many(AUDIT_HISTOGRAM_LOOK + 1);
    const { body } = await count('');
    expect(body.searchedUntil).toBe(NOW);
    expect(body.buckets).toMatchObject([{ calls: AUDIT_HISTOGRAM_LOOK }]);
  });

  it('counts the calls of others only for administrators, and refuses what is no filter', async () => {
    const bea = await app.user('bea@example.com');
    await append(entry());
    expect((await count('', bea.keyHeader)).body.buckets).toEqual([]);
    const path = '/api/admin/audit/histogram';
    expect((await count('', bea.keyHeader, path)).status).toBe(403);
    const admin = await userWithRole(app, 'admin@example.com', 'administrator');
    expect((await count('', admin.keyHeader, path)).body.buckets).toMatchObject([{ calls: 1 }]);
    expect((await count(`?person=${bea.id}`, admin.keyHeader, path)).body.buckets).toEqual([]);
    expect((await count('?offset=900')).status).toBe(400);
    expect((await count('?from=soon')).status).toBe(400);
  });
});

describe('a list of new calls', () => {
  it('has the calls after the one that the caller knows', async () => {
    await many(AUDIT_PAGE + 2);
    const { entries } = (await ask('')).body;
    const [newest, second] = entries;
    expect((await ask(`?after=${newest.id}`)).body).toEqual({ entries: [] });
    expect((await ask(`?after=${second.id}`)).body).toEqual({ entries: [newest] });
    const all = (await ask('?after=0')).body;
    expect(all.nextCursor).toBe(String(all.entries.at(-1).id));
    expect((await ask(`?after=0&cursor=${all.nextCursor}`)).body.entries).toHaveLength(2);
    expect((await ask('?after=x')).status).toBe(400);
  });
});

describe('GET /api/audit/failures', () => {
  const groupsOf = async (query = '', headers: Headers = ana.keyHeader, path = '/api/audit/failures') =>
    (await ask(query, headers, path)).body;

  it('groups calls of the same tool and error, and `like` lists those of a group', async () => {
    await append(failed({ created_at: NOW - 60 }), entry(), failed({ error: 'other' }), failed());
    await append(failed({ tool: 'slack_send', integration: 'slack' }));
    const bea = await app.user('bea@example.com');
    await append(failed({ user_id: bea.id }));
    const { groups, ...rest } = await groupsOf('?integration=github');
    expect(rest).toEqual({ isCut: false });
    const common = { integration: 'github', tool: 'github_list_issues', outcome: 'error', last: NOW };
    expect(groups).toEqual([
      { ...common, id: expect.any(Number), error: 'no', calls: 2, first: NOW - 60 },
      { ...common, id: expect.any(Number), error: 'other', calls: 1, first: NOW },
    ]);
    const like = `?like=${groups[0].id}`;
    expect((await ask(like)).body.entries).toMatchObject([{ id: groups[0].id }, { created_at: NOW - 60 }]);
    expect((await ask(`${like}&from=${NOW}`)).body.entries).toHaveLength(1);
    expect(await exportedTools(like)).toHaveLength(2);
    expect((await ask('?like=999999')).body).toEqual({ entries: [] });
    // Nobody learns anything from the call of somebody else.
    expect((await ask(like, bea.keyHeader)).body).toEqual({ entries: [] });
    expect((await ask(like, bea.keyHeader, '/api/audit/failures')).body).toEqual({
      groups: [],
      isCut: false,
    });
  });

  it('goes on where it has stopped, and says when there are more groups than it lists', async () => {
    await append(failed({ error: 'oldest', created_at: NOW - 9 }));
    await append(
      ...Array.from({ length: AUDIT_FAILED_LOOK }, (_, at) => failed({ error: `no ${at % 300}` })),
    );
    const newest = await groupsOf();
    expect(newest).toMatchObject({ isCut: true, searchedUntil: NOW });
    expect(newest.groups).toHaveLength(AUDIT_FAILURE_GROUPS);
    const rest = await groupsOf(`?cursor=${newest.nextCursor}`);
    expect(rest).toEqual({ groups: [expect.objectContaining({ error: 'oldest' })], isCut: false });
  });

  it('shows a named key its own calls alone, and administrators those of everybody or of one person', async () => {
    const made = await makeKey(app, ana, {});
    await append(failed(), failed({ actor: `key:${made.id}`, error: 'mine' }));
    const own = await groupsOf('', { 'x-service-api-key': made.key });
    expect(own.groups).toMatchObject([{ error: 'mine' }]);
    const notIts = (await groupsOf()).groups.find(({ error }: AuditEntry) => error === 'no');
    expect((await ask(`?like=${notIts.id}`, { 'x-service-api-key': made.key })).body.entries).toEqual([]);

    const admin = await userWithRole(app, 'admin@example.com', 'administrator');
    const path = '/api/admin/audit/failures';
    expect((await groupsOf('', admin.sessionHeader, path)).groups).toHaveLength(2);
    expect((await groupsOf(`?person=${admin.id}`, admin.sessionHeader, path)).groups).toEqual([]);
    expect((await ask('', ana.sessionHeader, path)).status).toBe(403);
  });
});
