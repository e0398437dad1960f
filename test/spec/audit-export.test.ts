// Tests the download of audit rows. reference: Audit; decision: 036
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUDIT_EXPORT_ROWS } from '../../src/record/model/limits.ts';
import type { AuditEntry } from '../../src/ports/records.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { makeKey, run } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp({ env: PROVIDER });
  ana = await app.user();
});
afterEach(() => app.close());

const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  user_id: ana.id,
  integration: 'echo',
  tool: 'shout',
  action: 'EXECUTE',
  success: true,
  error: null,
  duration_ms: 1,
  created_at: 1_700_000_000,
  actor: 'key',
  outcome: 'ok',
  account: null,
  owner: null,
  client_name: null,
  access: 'read',
  request_id: 'r-1',
  approval: null,
  status: null,
  details: null,
  script: null,
  ...changes,
});

const download = (
  query: string,
  headers: Record<string, string> = ana.keyHeader,
  path = '/api/audit/export',
) => app.request(`${path}${query}`, { headers });

async function rowsOf(query: string, headers?: Record<string, string>, path?: string) {
  const text = await (await download(query, headers, path)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('GET /api/audit/export', () => {
  it('sends every member of every row as NDJSON, newest first', async () => {
    await app.deps.store.audit.append([entry(), entry({ tool: 'time_now', client_name: 'An agent' })]);
    await app.deps.store.audit.append([entry({ user_id: 'somebody else' })]);
    const response = await download('');
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="audit.ndjson"',
      'cache-control': 'no-store',
    });
    const text = await response.text();
    expect(text.endsWith('}\n')).toBe(true);
    const [first, second, ...more] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(more).toEqual([]);
    const { id, ...rest } = second;
    const { details: _, ...shown } = entry();
    expect(rest).toEqual({ ...shown, time: '2023-11-14T22:13:20.000Z' });
    expect(first).toMatchObject({ tool: 'time_now', client_name: 'An agent', id: id + 1 });
  });

  it('writes CSV that a spreadsheet reads as text', async () => {
    const errors = ['=1+1', '+1', '-1', '@a', '\ta', '\rb', 'says "no", and\r\nleaves', 'plain'];
    await app.deps.store.audit.append(errors.map((error) => entry({ error })));
    const response = await download('?format=csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    const text = await response.text();
    const [header = ''] = text.split('\r\n');
    const names = header.split(',');
    expect(names).toEqual(expect.arrayContaining(['id', 'time', 'user_id', 'client_name', 'request_id']));
    const at = names.indexOf('error');
    expect(
      readCsv(text)
        .slice(1)
        .map((cells) => cells[at]),
    ).toEqual(
      ["'=1+1", "'+1", "'-1", "'@a", "'\ta", "'\rb", 'says "no", and\r\nleaves', 'plain'].toReversed(),
    );
    expect(readCsv(text).every((cells) => cells.length === names.length)).toBe(true);
  });

  it('has a header row without any other row, and no line of NDJSON', async () => {
    expect(await (await download('?format=csv')).text()).toMatch(/^id,[\w,]+\r\n$/);
    expect(await (await download('')).text()).toBe('');
  });

  it('sends rows of many parts once, also when rows are appended meanwhile', async () => {
    const count = 2 * AUDIT_EXPORT_ROWS + 7;
    await app.deps.store.audit.append(Array.from({ length: count }, () => entry()));
    const reader = (await download('')).body?.getReader();
    let text = '';
    for (;;) {
      const part = await reader?.read();
      if (part?.value === undefined) break;
      text += new TextDecoder().decode(part.value);
      await app.deps.store.audit.append([entry({ tool: 'late' })]);
    }
    const rows = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(count);
    expect(rows.filter(({ tool }) => tool === 'late')).toEqual([]);
  });

  it('reads no further than its caller', async () => {
    await app.deps.store.audit.append(Array.from({ length: 5 * AUDIT_EXPORT_ROWS }, () => entry()));
    const { audit } = app.deps.store;
    const list = audit.list.bind(audit);
    let reads = 0;
    audit.list = (query) => (reads++, list(query));
    const reader = (await download('')).body?.getReader();
    await reader?.read();
    await reader?.read();
    expect(reads).toBe(2);
    await reader?.cancel();
    expect(reads).toBe(2);
  });

  it('finds what a filter chooses below many rows that it does not', async () => {
    const blocked = (changes: Partial<AuditEntry>) =>
      entry({ outcome: 'blocked', success: false, ...changes });
    await app.deps.store.audit.append([blocked({ created_at: 1_600_000_000 })]);
    await app.deps.store.audit.append(Array.from({ length: 3 * AUDIT_EXPORT_ROWS }, () => entry()));
    await app.deps.store.audit.append([blocked({ access: 'write', account: 'Work' })]);
    expect(await rowsOf('?outcome=blocked')).toHaveLength(2);
    expect(await rowsOf('?to=1600000000')).toMatchObject([{ created_at: 1_600_000_000 }]);
    expect(await rowsOf('?access=write')).toMatchObject([{ account: 'Work' }]);
    expect(await rowsOf('?account=Work&outcome=ok')).toEqual([]);
  });

  it('gives a named key its own rows alone', async () => {
    const { id, header } = await makeKey(app, ana);
    await run(app, ana.keyHeader, 'shout', { text: 'a' });
    await run(app, header, 'shout', { text: 'b' });
    expect(await rowsOf('', header)).toMatchObject([{ actor: `key:${id}`, client_name: 'An agent' }]);
    expect(await rowsOf('?client=key', header)).toEqual([]);
    expect(await rowsOf('?client=key')).toMatchObject([{ actor: 'key' }]);
  });

  it.each(['?format=xml', '?outcome=x', '?access=all', '?from=-1', '?to=soon', '?client=', '?account=%00'])(
    'answers 400 to %s',
    async (query) => {
      expect((await download(query)).status).toBe(400);
      if (!query.includes('format'))
        expect((await app.request(`/api/audit${query}`, { headers: ana.keyHeader })).status).toBe(400);
    },
  );
});

describe('GET /api/admin/audit/export', () => {
  const PATH = '/api/admin/audit/export';

  it('gives administrators the rows of everybody or of one person, with their addresses', async () => {
    const admin = await userWithRole(app, 'admin@example.com', 'administrator');
    await app.deps.store.audit.append([entry(), entry({ user_id: 'deleted-1' })]);
    expect(await rowsOf('', admin.sessionHeader, PATH)).toMatchObject([
      { user_id: 'deleted-1', user_email: null },
      { user_id: ana.id, user_email: ana.email },
    ]);
    expect(await rowsOf(`?person=${ana.id}`, admin.sessionHeader, PATH)).toHaveLength(1);
    const csv = await (await download('?format=csv', admin.sessionHeader, PATH)).text();
    expect(csv).toMatch(/^id,.*,user_email\r\n/);
    const line = app.lines.find(({ event }) => event === 'audit rows of others were exported');
    expect(line).toMatchObject({ user: admin.id, person: null });
  });

  it('is closed to others', async () => {
    expect((await download('', ana.sessionHeader, PATH)).status).toBe(403);
    expect((await download('', {}, PATH)).status).toBe(401);
    expect((await download('', (await makeKey(app, ana)).header, PATH)).status).toBe(403);
  });
});

/** Reads CSV with quoted cells. RFC 4180 */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
