// Tests that an export has everything of the person and nothing of others or secret. reference: Exporting a person
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createExportPerson } from '../../src/people/export.ts';
import { runRecord } from '../contracts/store/scripts.ts';
import * as records from '../contracts/store/records.ts';
import { publish } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterEach(() => app.close());

async function exportOf({ id }: TestUser) {
  const user = await app.deps.store.users.byId(id);
  if (user === null) throw new Error('the person is gone');
  const chunks: Uint8Array[] = [];
  for await (const chunk of createExportPerson(app.deps)(user)) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

async function* bytes(text: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(text);
}

it('is one JSON object with an empty list for what the person does not have', async () => {
  expect(JSON.parse(await exportOf(ana))).toEqual({
    exportedAt: app.clock.now(),
    person: {
      id: ana.id,
      email: ana.email,
      role: 'member',
      created_at: app.clock.now(),
      invited_at: null,
      signed_in_at: null,
    },
    events: [],
    executionKeys: [],
    rules: [],
    connections: [],
    directory: [],
    groups: [],
    namedKeys: [],
    clients: [],
    machineClients: [],
    trustedRules: [],
    approvals: [],
    subscriptions: [],
    tasks: [],
    imports: [],
    jots: [],
    files: [],
    sets: [],
    scripts: [],
    scriptRuns: [],
    noticeChannels: [],
    noticeSettings: [],
    deliveries: [],
    calls: [],
  });
});

it('has everything of the person, every page of it, and nothing of others', async () => {
  const { store, files, vault } = app.deps;
  const other = await app.user('other@example.com');
  for (const { id } of [ana, other]) {
    await vault.save(id, 'github', { accessToken: `secret-of-${id}` });
    await store.agentKeys.add(records.agentKey({ user_id: id, name: `laptop of ${id}` }), 5);
    await store.imports.create(records.importRecord({ owner: id, name: `own_${id}` }), [], 5);
    await store.sets.create(records.toolSet({ owner: id, title: `set of ${id}` }), 5);
    await store.policies.putRules(records.rules({ owner: id }));
    await store.audit.append(
      Array.from({ length: 1_100 }, (_, at) => records.entry({ user_id: id, duration_ms: at })),
    );
    await store.executionKeys.claim(records.executionKey({ user_id: id, tool: `of ${id}` }), 5);
    const saved = { id: randomUUID(), owner: id, name: 'sum', description: '', code: `return '${id}'` };
    const plain = { args: null, digest: records.hash(), shared: null, reviewed_by: null, created_at: 1 };
    await store.scripts.save({ ...saved, ...plain, created_by: id }, { scripts: 5, versions: 5 });
    const run = runRecord({ user_id: id, script: `of_${id}`, state: 'waiting', running_until: null });
    await store.scriptRuns.add(run, { runs: 5, characters: 10_000 });
    await files.save(id, bytes('cv'), { name: `cv of ${id}.txt`, mimeTypes: ['text/plain'] });
  }
  await publish(app, ana, 'report', { 'notes/a.txt': 'a' });
  const text = await exportOf(ana);
  const whole = JSON.parse(text);
  expect(
    whole.calls.filter(({ integration }: { integration: string }) => integration === 'github'),
  ).toHaveLength(1_100);
  expect(new Set(whole.calls.map(({ id }: { id: number }) => id)).size).toBe(whole.calls.length);
  expect(whole).toMatchObject({
    executionKeys: [{ tool: `of ${ana.id}`, state: 'running' }],
    rules: [{ decision: 'ask' }],
    connections: [{ integration: 'github' }],
    namedKeys: [{ name: `laptop of ${ana.id}` }],
    imports: [{ name: `own_${ana.id}` }],
    scripts: [{ name: 'sum', version: 1, code: `return '${ana.id}'` }],
    scriptRuns: [{ script: `of_${ana.id}`, state: 'waiting', calls: 0 }],
    jots: [{ name: 'report', paths: expect.arrayContaining(['index.html', 'notes/a.txt']) }],
    files: [{ name: `cv of ${ana.id}.txt` }],
    sets: [{ title: `set of ${ana.id}`, tools: ['github_list_issues', 'time_now'] }],
  });
  for (const secret of [other.id, other.email, 'secret-of', 'key_sha', 'v1.key.', ana.apiKey])
    expect(text).not.toContain(secret);
});
