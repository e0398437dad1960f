// Tests that a deletion leaves nothing of the person: it reads everything that is stored and searches for them.
// reference: Deleting a person
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../drivers/sql/engine.ts';
import { createSqlPending } from '../../drivers/pending/sql.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { tables } from '../../drivers/sql/tables.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import { createJsonPieces } from '../../src/calls/results/json-pieces.ts';
import { SESSION } from '../../src/kit/actor.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { openEmptyD1, openEmptyPostgres, openEmptySqlite, type OpenEngine } from '../contracts/store/open.ts';
import * as records from '../contracts/store/records.ts';
import { runRecord } from '../contracts/store/scripts.ts';
import { MANY_TASKS, taskRecord } from '../contracts/store/tasks.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { publish } from '../support/jots.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const CANARY = 'anastasia';
const FOLDERS = ['jots/', 'files/', 'file-bytes/', 'results/'];

let opened: OpenEngine;
let app: TestApp;
let time: FakeClock;

async function start(open: () => Promise<OpenEngine>): Promise<void> {
  opened = await open();
  time = createFakeClock();
  const clock = time;
  // The database is closed with its place.
  const store = { ...createSqlStore(opened.engine), close: () => Promise.resolve() };
  app = await createTestApp({ ports: { store, clock, pending: createSqlPending(opened.engine, clock) } });
}

/** Fills every table that has something to say about a person, and every folder of blobs. */
async function fill(user: TestUser): Promise<void> {
  const { id: user_id, email } = user;
  const { store, files, pending, results, clock, random, seal } = app.deps;
  const now = clock.now();
  const own = records.importRecord({ owner: user_id, created_by: user_id });
  await store.users.linkSubject(user_id, { ...records.subject('idp'), subject: `sub-${CANARY}` });
  for (const label of ['work', 'private'])
    await store.connections.put(
      records.connection({ user_id, account: label, label: `${CANARY} ${label}`, account_label: email }),
    );
  await store.imports.create(own, [records.importTool(own, 0)], 5);
  const shared = records.importRecord({ owner: EVERYONE, name: `for_all_${now}`, created_by: user_id });
  await store.imports.create(shared, [], 50);
  await store.providerClients.put({
    integration: `import:${own.id}`,
    sealed_client: CANARY,
    updated_at: now,
  });
  await store.agentKeys.add(records.agentKey({ user_id, name: `${CANARY}'s laptop` }), 5);
  const keyed = records.executionKey({ user_id, tool: CANARY });
  await store.executionKeys.claim(keyed, 5);
  await store.policies.putRules(records.rules({ owner: user_id }));
  await store.approvals.ask(records.approval({ user_id, account: email }), records.MANY_QUESTIONS);
  await records.putToken(store, records.token({ user_id, expires_at: now + 1_000 }));
  await store.codes.put(records.code({ user_id, expires_at: now + 1_000 }));
  await store.flows.put(records.flow({ user_id, expires_at: now + 10_000, session_data: CANARY }));
  await store.audit.append([
    records.entry({ user_id, error: `no issue of ${email}`, account: email }),
    ...Array.from({ length: 600 }, () => records.entry({ user_id })),
  ]);
  const [key] = await store.agentKeys.list(user_id);
  const key_id = key?.id ?? '';
  const client = records.machineClient({ user_id, key_id, name: CANARY });
  expect(await store.machines.addClient(client, 5)).toBe(true);
  const rule = records.trustedRule({ user_id, key_id, sub: CANARY });
  const issuer = records.trustedIssuer({ created_by: user_id });
  expect(await store.machines.addIssuer(issuer, [rule], 1_000)).toBe(true);
  const team = { user_id: EVERYONE, account: 'team', integration: `team_${now}` };
  await store.team.save(records.connection(team), { connected_by: user_id, connected_at: now });
  await store.team.change(team.integration, { who: [user_id] }, now);
  const credential = await seal.seal(JSON.stringify({ who: email }), [user_id, 'revocation', 'r1']);
  const due = { attempts: 0, due_at: now + 9_000, expires_at: now + 90_000, created_at: now };
  const row = records.connection({ user_id, integration: 'gitlab' });
  await store.connections.put(row);
  await store.revocations.begin(row, { id: 'r1', user_id, integration: 'gitlab', credential, ...due });
  await pending.put(
    { connection_id: random.uuid(), user_id, integration: 'github', expires_at: now + 600 },
    5,
  );
  await publish(app, user, `${CANARY}-report`);
  await files.save(user_id, oneChunk(`cv of ${CANARY}`), {
    name: `${CANARY}.txt`,
    mimeTypes: ['text/plain'],
  });
  const details = app.deps.callDetails.begin(user_id);
  details?.fill({ args: { who: email } });
  await app.deps.callDetails.flush();
  const task = { user_id, expires_at: now + 10_000, caller: CANARY };
  await store.tasks.add(taskRecord(task), [`approval of ${CANARY}`], MANY_TASKS);
  const saved = {
    id: random.uuid(),
    owner: user_id,
    name: 'own',
    description: CANARY,
    code: `return '${CANARY}'`,
    args: null,
    digest: records.hash(),
    shared: null,
    created_by: user_id,
    reviewed_by: null,
    created_at: now,
  };
  const most = { scripts: 500, versions: 5 };
  await store.scripts.save(saved, most);
  const forTeam = { id: random.uuid(), owner: EVERYONE, name: `s${records.hash().slice(0, 8)}` };
  const read = { description: '', code: 'return 1', shared: 'reviewed', reviewed_by: user_id } as const;
  await store.scripts.save({ ...saved, ...forTeam, ...read }, most);
  const run = runRecord({ user_id, caller: CANARY, script: CANARY, expires_at: now + 90_000 });
  expect(await store.scriptRuns.add(run, { runs: 5, characters: 10_000 })).toBe(true);
  const called = { run_id: run.id, position: 0, place: 0, user_id, expires_at: run.expires_at };
  expect(await store.scriptRuns.append(run, { ...called, sealed: CANARY }, now)).toBe(true);
  await results.save({ userId: user_id, actor: SESSION }, createJsonPieces({ who: CANARY }), []);
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(text);
}

async function readEverything(engine: Engine): Promise<string> {
  const texts: string[] = [];
  for (const table of Object.keys(tables)) {
    const { rows } = await engine.run(CompiledQuery.raw(`select * from ${table}`));
    texts.push(`${table} ${JSON.stringify(rows)}`);
  }
  for (const folder of FOLDERS)
    for await (const key of app.deps.blobs.list(folder)) {
      const blob = await app.deps.blobs.get(key);
      texts.push(`${key} ${await new Response(blob?.body ?? null).text()}`);
    }
  return texts.join('\n');
}

const ending = (id: string, before: number) => ({
  person: app.deps.digest.sha256(id),
  before,
  expires_at: before + 90_000,
});

function deletionSuite(open: () => Promise<OpenEngine>): void {
  beforeEach(() => start(open));
  afterEach(async () => {
    await app.close();
    await opened.close();
  });

  it('leaves nothing of the person but audit rows under a pseudonym', async () => {
    const { clock, store } = app.deps;
    const other = await app.user('others@example.com');
    const gone = await app.user(`${CANARY}@example.com`);
    await fill(gone);
    const [id, before] = [gone.id, await readEverything(opened.engine)];
    expect(before).toContain(id);
    const loggedBefore = app.lines.length;
    expect(await store.people.beginDeletion(id, ending(id, clock.now()))).toBe('done');
    await maintainOnce(app.deps);
    // Other processes may still end what they hold of the person, so the rows are there.
    expect(await store.users.byId(id)).toMatchObject({ deleted_at: expect.any(Number) });
    time.advance(151);
    await maintainOnce(app.deps);
    const left = await readEverything(opened.engine);
    for (const trace of [id, CANARY, gone.email, `sub-${CANARY}`]) {
      // A whole database in a message helps nobody.
      expect(left.includes(trace), trace).toBe(false);
      // The log knows people by their random ids alone.
      expect(JSON.stringify(trace === id ? app.lines.slice(loggedBefore) : app.lines)).not.toContain(trace);
    }
    const rows = await store.audit.list({ user_id: null, limit: 1_000 });
    const theirs = rows.filter(({ user_id }) => user_id.startsWith('deleted-'));
    // The jot has a row too, the question that the deletion ended, and each portion of the erasure.
    expect(theirs).toHaveLength(605);
    expect(new Set(theirs.map(({ user_id }) => user_id)).size).toBe(1);
    expect(theirs.every(({ error, account }) => error === null && account === null)).toBe(true);
    expect(await store.users.byId(other.id)).toMatchObject({ email: other.email });
    // What the provider has not ended yet goes on under the pseudonym, and opens.
    const [revocation] = await store.revocations.due(clock.now() + 90_000, 5);
    const { user_id = '', credential = '' } = revocation ?? {};
    expect(user_id).toBe(theirs[0]?.user_id);
    expect(await app.deps.seal.open(credential, [user_id, 'revocation', 'r1'])).toContain('who');
  });

  it('keeps everything of other people, byte for byte', async () => {
    const { clock, store } = app.deps;
    const [stays, gone] = [await app.user('stays@example.com'), await app.user('gone@example.com')];
    await fill(stays);
    // The details of a call are written after its answer.
    await app.deps.callDetails.flush();
    const dump = async () =>
      (await readEverything(opened.engine)).split('\n').filter((line) => line.includes(stays.id));
    const rowsOf = async (table: string, column: string) =>
      (await opened.engine.run(CompiledQuery.raw(`select * from ${table} where ${column} = '${stays.id}'`)))
        .rows;
    const owned = [
      'connections',
      'agent_keys',
      'machine_clients',
      'trusted_rules',
      'jots',
      'refresh_tokens',
      'approvals',
      'tasks',
      'task_approvals',
      'script_runs',
      'script_calls',
      'call_details',
      'pending_connections',
    ] as const;
    const before = await Promise.all(owned.map((table) => rowsOf(table, 'user_id')));
    await store.people.beginDeletion(gone.id, ending(gone.id, clock.now()));
    time.advance(151);
    await app.deps.erasures.goOn();
    expect(await store.users.byId(gone.id)).toBeNull();
    expect(await Promise.all(owned.map((table) => rowsOf(table, 'user_id')))).toEqual(before);
    expect((await dump()).length).toBeGreaterThan(0);
    const page = await app.request(`/j/${CANARY}-report/`);
    expect(page.status).toBe(200);
  });

  it('goes on where a process stopped, and is done by one of several', async () => {
    const { clock, jots, store } = app.deps;
    const gone = await app.user('gone@example.com');
    await fill(gone);
    await store.people.beginDeletion(gone.id, ending(gone.id, clock.now()));
    time.advance(151);
    const fails = { ...jots, deleteAll: () => Promise.reject(new Error('[blobs] away')) };
    const { createErasures } = await import('../../src/people/erasures.ts');
    await createErasures({ ...app.deps, jots: fails }).goOn();
    expect(app.lines).toContainEqual(
      expect.objectContaining({ level: 'error', error: expect.stringContaining('away') }),
    );
    expect(await store.users.byId(gone.id)).not.toBeNull();
    await Promise.all(Array.from({ length: 5 }, () => app.deps.erasures.goOn()));
    expect(await store.users.byId(gone.id)).toBeNull();
    expect(await store.people.deleting()).toEqual([]);
    expect(app.lines.filter(({ event }) => event === 'a person was deleted')).toHaveLength(1);
  });

  it('cannot be undone, and does not take the last owner', async () => {
    const { clock, store } = app.deps;
    const gone = await app.user('gone@example.com');
    await store.people.beginDeletion(gone.id, ending(gone.id, clock.now()));
    expect(await store.people.enable(gone.id)).toBe(false);
    const first = await store.users.byEmail('first@example.com');
    expect(first?.is_owner).toBe(true);
    const firstId = first?.id ?? '';
    expect(await store.people.beginDeletion(firstId, ending(firstId, clock.now()))).toBe('last-owner');
    expect(await store.users.byId(firstId)).toMatchObject({ deleted_at: null, disabled_at: null });
  });
}

describe('a deletion on SQLite', () => deletionSuite(openEmptySqlite));
describe('a deletion on D1', () => deletionSuite(openEmptyD1));
await describeService('a deletion on PostgreSQL', postgresUrl(), () => deletionSuite(openEmptyPostgres));

/** What is in the files of the database, also what no statement reads any more. */
async function readFiles(engine: Engine): Promise<string> {
  const { rows } = await engine.run(CompiledQuery.raw('pragma database_list'));
  const [{ file }] = rows as [{ file: string }];
  const parts = await Promise.all(['', '-wal'].map((end) => readFile(`${file}${end}`, 'latin1')));
  return parts.join('');
}

describe('the files of a SQLite database', () => {
  beforeEach(() => start(openEmptySqlite));
  afterEach(async () => {
    await app.close();
    await opened.close();
  });

  it('have nothing of a deleted person in pages that no row uses, nor in the log', async () => {
    const gone = await app.user(`${CANARY}@example.com`);
    await fill(gone);
    expect(await readFiles(opened.engine)).toContain(CANARY);
    await app.deps.store.people.beginDeletion(gone.id, ending(gone.id, app.deps.clock.now()));
    time.advance(151);
    await app.deps.erasures.goOn();
    const left = await readFiles(opened.engine);
    for (const trace of [gone.id, CANARY, `sub-${CANARY}`]) expect(left.includes(trace), trace).toBe(false);
  });

  it('have nothing of a deleted person once another process has read to its end', async () => {
    const gone = await app.user(`${CANARY}@example.com`);
    await fill(gone);
    const { rows } = await opened.engine.run(CompiledQuery.raw('pragma database_list'));
    const [{ file }] = rows as [{ file: string }];
    // A backup reads like this.
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('begin');
    reader.prepare('select count(*) from users').get();
    await app.deps.store.people.beginDeletion(gone.id, ending(gone.id, app.deps.clock.now()));
    time.advance(151);
    await app.deps.erasures.goOn();
    expect(await readFiles(opened.engine)).toContain(CANARY);
    reader.close();
    // The next rounds of the maintenance write.
    await expect
      .poll(
        async () => {
          time.advance(61);
          await maintainOnce(app.deps);
          return (await readFiles(opened.engine)).includes(CANARY);
        },
        { timeout: 10_000, interval: 200 },
      )
      .toBe(false);
  });
});
