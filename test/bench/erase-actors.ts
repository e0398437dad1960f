// Measures the erasure of a product with 100,000 actors and 300,000 connections, and what a call of another product costs
// meanwhile. Two of three connections have a grant, which moves to the pending revocations. `rounds` are those of the
// maintenance, one a minute.
//   node adapters/node/launch.mjs test/bench/erase-actors.ts [postgres]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { createFsBlobs } from '../../drivers/blobs/fs.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { ERASE_AFTER_SECONDS } from '../../src/people/limits.ts';
import { connection } from '../contracts/store/records.ts';
import { openEmptyPostgres, openEmptySqlite } from '../contracts/store/open.ts';
import { type ActorStand, openActorStand, runTool, type Tenant } from '../support/actors.ts';
import { median } from './median.ts';

const COUNT = Number(process.env['ACTORS'] ?? 100_000);
const AT_ONCE = 1_000;
const INTEGRATIONS = ['keyed', 'github', 'gitlab'];

const isPostgres = process.argv[2] === 'postgres';
const opened = await (isPostgres ? openEmptyPostgres : openEmptySqlite)();
const { engine } = opened;
const folder = await mkdtemp(join(tmpdir(), 'erase-actors-'));
const clock = createSystemClock();
const clients = Object.fromEntries(
  ['GITHUB', 'GITLAB'].flatMap((name) => [
    [`${name}_CLIENT_ID`, 'id'],
    [`${name}_CLIENT_SECRET`, 'secret'],
  ]),
);
const stand = await openActorStand(
  { SERVICE_KEY_MAX_ACTORS: '1000000', ...clients },
  // The database is closed with its place.
  {
    blobs: createFsBlobs(folder),
    clock,
    store: { ...createSqlStore(engine), close: () => Promise.resolve() },
  },
);

/** Puts the rows behind the back of the gateway: through it, a hundred thousand would take an hour. */
async function fill({ id }: Tenant): Promise<void> {
  const slot = (n: number) => (isPostgres ? `$${n}` : '?');
  const items = isPostgres
    ? `json_array_elements(cast(cast(${slot(1)} as text) as json)) as item(value)`
    : 'json_each(?) as item';
  const insert = (table: string, columns: readonly string[], numbers: readonly string[], rows: object[]) => {
    const selected = columns.map((name) =>
      numbers.includes(name) ? `cast(item.value ->> '${name}' as bigint)` : `item.value ->> '${name}'`,
    );
    const text = `insert into ${table} (${columns.join()}) select ${selected.join()} from ${items}`;
    return engine.run(CompiledQuery.raw(text, [JSON.stringify(rows)]));
  };
  const people = ['id', 'email', 'is_admin', 'is_owner', 'created_at', 'unverified_since', 'keeps_calls'];
  const numbers = people.slice(2);
  for (let from = 0; from < COUNT; from += AT_ONCE) {
    const names = Array.from({ length: Math.min(AT_ONCE, COUNT - from) }, (_, at) => `u-${from + at}`);
    const rows = names.map((external_id) => ({
      ...Object.fromEntries(numbers.map((name) => [name, name.endsWith('at') ? 1 : 0])),
      id: `actor-${external_id}`,
      email: `actor:${id}:${external_id}`,
      unverified_since: 1,
      service_key_id: id,
      external_id,
    }));
    await insert('users', [...people, 'service_key_id', 'external_id'], numbers, rows);
    const made = await Promise.all(
      rows.flatMap(({ id: user_id }) =>
        INTEGRATIONS.map(async (integration) => {
          const key = { user_id, integration, account: '' };
          const access_token = await stand.app.deps.vault.seal('token', connection(key), 'access_token');
          return { ...key, access_token, created_at: 1, updated_at: 1, checked_at: clock.now() };
        }),
      ),
    );
    const columns = ['user_id', 'integration', 'account', 'access_token', 'created_at', 'updated_at'];
    await insert('connections', [...columns, 'checked_at'], ['created_at', 'updated_at', 'checked_at'], made);
  }
  const update = `update service_keys set actors = ${COUNT} where id = ${slot(1)}`;
  await engine.run(CompiledQuery.raw(update, [id]));
  if (isPostgres) await engine.run(CompiledQuery.raw('analyze'));
}

async function callUntil(isOver: () => boolean, { tenant }: { tenant: Tenant }): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const started = performance.now();
    await runTool(stand, tenant.for('ann'), 'time_now');
    times.push(performance.now() - started);
    await clock.sleep(20);
  }
  return times;
}

const show = (times: readonly number[]) => {
  const sorted = times.toSorted((one, other) => one - other);
  return `median ${median(times).toFixed(1)} ms, 99 of 100 ${(sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(1)} ms`;
};

async function measure(subject: ActorStand): Promise<void> {
  const acme = await subject.tenant({ integrations: INTEGRATIONS });
  const other = { tenant: await subject.tenant({ integrations: ['time'] }) };
  await other.tenant.actor('ann');
  await fill(acme);
  console.log(`${isPostgres ? 'PostgreSQL' : 'SQLite'}: ${COUNT} actors`);
  const listing = performance.now();
  await subject.admin('GET', '/api/service-keys');
  console.log(`list of products: ${(performance.now() - listing).toFixed(1)} ms`);
  const searching = performance.now();
  await acme.api('GET', '/api/actors?query=nobody');
  console.log(`search that finds nobody: ${(performance.now() - searching).toFixed(1)} ms`);
  const before = clock.now() + 10;
  console.log(`calls before: ${show(await callUntil(() => clock.now() > before, other))}`);

  const { erasures, store } = subject.app.deps;
  const answering = performance.now();
  // As the route does, so long ago that nobody holds anything any more.
  await store.serviceKeys.erase(acme.id, clock.now() - ERASE_AFTER_SECONDS - 1);
  console.log(`the answer: ${(performance.now() - answering).toFixed(1)} ms`);
  let isOver = false;
  const calls = callUntil(() => isOver, other);
  const started = performance.now();
  let rounds = 0;
  for (; (await store.serviceActors.countErasing()) > 0; rounds++) {
    await erasures.goOn();
    console.log(`${await store.serviceActors.countErasing()} left`);
  }
  const took = (performance.now() - started) / 1_000;
  isOver = true;
  console.log(`erased in ${took.toFixed(0)} s of work, ${rounds} rounds`);
  console.log(`calls meanwhile: ${show(await calls)}`);
  const { rows } = await engine.run(CompiledQuery.raw('select count(*) as count from pending_revocations'));
  console.log(`grants to revoke: ${JSON.stringify(rows[0])}`);
}

await measure(stand);
await stand.close();
await opened.close();
await rm(folder, { recursive: true, force: true });
