// Tests the maintenance of the sealed audit log in the whole application: its heads, its routes, and a deleted person.
// reference: Audit segments; decision: 039
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createFsBlobs } from '../../drivers/blobs/fs.ts';
import { readGivenHeads } from '../../src/record/sealing/given-heads.ts';
import { verifyAudit } from '../../src/record/sealing/verify.ts';
import { warnOfNoSealing } from '../../src/record/sealing/sealing.ts';
import { AUDIT_SEGMENTS_PAGE } from '../../src/record/model/limits.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import type { Network } from '../../src/ports/network.ts';
import { entry } from '../contracts/store/records.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { send } from '../support/policy.ts';
import { createTestApp, type Options, type TestApp } from '../support/test-app.ts';

let app: TestApp;
const start = async (options: Options = {}) => (app = await createTestApp(options));
afterEach(() => app.close());

async function sealRows(count: number): Promise<void> {
  const { clock, store } = app.deps;
  await store.audit.append(Array.from({ length: count }, () => entry({ created_at: clock.now() })));
  app.clock.advance(601);
  await maintainOnce(app.deps);
}

const check = async (heads: readonly string[] = []) => {
  const key = await app.deps.sealing.readKey();
  const keys = key === null ? [] : [key];
  return verifyAudit(app.deps, keys, await readGivenHeads(heads, keys, app.deps.digest));
};

const loggedHeads = () => app.lines.filter(({ event }) => event === 'audit segment sealed');

describe('the heads of segments', () => {
  it('go to the log once, and the log is enough to check them', async () => {
    await start();
    await sealRows(3);
    await sealRows(2);
    await maintainOnce(app.deps);
    expect(loggedHeads()).toMatchObject([
      { segment: 1, rows: 3, size: 3 },
      { segment: 2, rows: 2, size: 5 },
    ]);
    const lines = app.lines.map((line) => JSON.stringify({ time: 'now', ...line }));
    expect(await check(lines)).toMatchObject({ heads: 2, rows: 5, problems: [] });
  });

  it('go to a webhook in order, and again after it failed, without keeping others from being sealed', async () => {
    const seen: { url: string; head: { segment: number } }[] = [];
    let status = 500;
    const network: Network = {
      resolve: () => ['127.0.0.1'],
      send: async ({ url, body }) => {
        const head = JSON.parse(await new Response(body).text());
        seen.push({ url: url.href, head });
        return { status, headers: new Headers(), body: null };
      },
      close: () => Promise.resolve(),
    };
    const AUDIT_HEADS = 'http://localhost:9/heads?token=secret-token';
    await start({ env: { AUDIT_HEADS }, ports: { network } });
    await sealRows(1);
    await sealRows(1);
    expect((await check()).segments).toBe(2);
    const failed = app.lines.filter(({ event }) => event.startsWith('audit heads could not'));
    expect(failed.length).toBeGreaterThan(0);
    expect(JSON.stringify(app.lines)).not.toContain('secret-token');
    status = 204;
    for (let round = 0; round < 4; round++) await maintainOnce(app.deps);
    const delivered = seen.slice(-2);
    expect(delivered.map(({ head }) => head.segment)).toEqual([1, 2]);
    expect(delivered[0]?.url).toBe(AUDIT_HEADS);
    const sent = seen.length;
    await maintainOnce(app.deps);
    expect(seen).toHaveLength(sent);
    expect(loggedHeads().map(({ segment }) => segment)).toEqual([1, 2]);
    expect(await check(delivered.map(({ head }) => JSON.stringify(head)))).toMatchObject({
      heads: 2,
      problems: [],
    });
  });

  it('go to a bucket or a folder, a file each', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'heads-'));
    try {
      await start({ env: { AUDIT_HEADS: `fs:${folder}` }, ports: { auditHeads: createFsBlobs(folder) } });
      await sealRows(1);
      await sealRows(1);
      const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json'));
      const heads = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
      expect(await check(heads)).toMatchObject({ heads: 2, problems: [] });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('administrators', () => {
  it('read the segments page by page, and the key', async () => {
    await start({ env: PROVIDER });
    const admin = await userWithRole(app, 'adam@example.com', 'administrator');
    const ask = (path: string) => send(app, admin.sessionHeader, 'GET', path);
    expect((await ask('/api/admin/audit/segments')).body).toEqual({ segments: [] });
    await sealRows(1);
    const { auditSegments } = app.deps.store;
    const first = await auditSegments.newest();
    if (first === null) throw new Error('Nothing was sealed');
    for (let segment = 2; segment <= AUDIT_SEGMENTS_PAGE + 1; segment++)
      await auditSegments.add({ ...first, segment, previous: `${segment}` });
    const page = (await ask('/api/admin/audit/segments')).body;
    expect(page.segments).toHaveLength(AUDIT_SEGMENTS_PAGE);
    const next = (await ask(`/api/admin/audit/segments?cursor=${page.nextCursor}`)).body;
    expect(next).toMatchObject({ segments: [{ segment: 1, rows: 1 }] });
    expect(next).not.toHaveProperty('nextCursor');
    expect(JSON.stringify(next)).not.toMatch(/row_index|salt/);
    const key = await app.deps.sealing.readKey();
    expect((await ask('/api/admin/audit/key')).body).toEqual({ id: key?.id, publicKey: key?.publicKey });
    expect((await ask('/api/admin/audit/segments?cursor=x')).status).toBe(400);
    const member = await app.user();
    for (const path of ['/api/admin/audit/segments', '/api/admin/audit/key'])
      expect((await send(app, member.sessionHeader, 'GET', path)).status).toBe(403);
  });

  it('delete a person whose rows are sealed, and the log still fits', async () => {
    await start();
    const gone = await app.user('gone@example.com');
    await app.deps.store.audit.append([entry({ user_id: gone.id, created_at: app.clock.now() })]);
    await sealRows(1);
    const ending = { person: app.deps.digest.sha256(gone.id), before: app.clock.now(), expires_at: 9e9 };
    expect(await app.deps.store.people.beginDeletion(gone.id, ending)).toBe('done');
    await sealRows(1);
    expect(await app.deps.store.users.byId(gone.id)).toBeNull();
    await sealRows(1);
    expect(await check()).toMatchObject({ erasedRows: 1, unsealedRows: 0, problems: [] });
    const rows = await app.deps.store.audit.list({ user_id: null, limit: 9 });
    expect(JSON.stringify(rows)).not.toContain(gone.id);
    expect(Object.keys(rows[0] ?? {})).not.toContain('salt');
  });
});

describe('a gateway without AUDIT_SIGNING_KEY', () => {
  it('seals nothing, says so at its start, and prunes by time', async () => {
    const base = await createTestApp();
    await base.close();
    const { AUDIT_SIGNING_KEY, ...config } = base.deps.config;
    expect(AUDIT_SIGNING_KEY).toMatch(/^[0-9a-f]{64}$/);
    const none = { ...config, AUDIT_SIGNING_KEY: undefined, AUDIT_KEEP_DAYS: 1 };
    await start({ ports: { config: none } });
    warnOfNoSealing(app.deps);
    expect(app.lines).toMatchObject([{ level: 'warn', event: 'audit rows are not sealed' }]);
    await sealRows(1_200);
    expect(await app.deps.store.auditSegments.newest()).toBeNull();
    app.clock.advance(24 * 3_600);
    await app.deps.store.audit.append([entry({ created_at: app.clock.now() })]);
    await app.deps.sealing.prune();
    expect(await app.deps.store.audit.list({ user_id: null, limit: 9 })).toHaveLength(1);
    const admin = await app.user();
    expect((await send(app, admin.sessionHeader, 'GET', '/api/admin/audit/key')).status).not.toBe(200);
  });
});
