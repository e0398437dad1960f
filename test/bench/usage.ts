// Measures usage over a million audit rows: how long the rounds take that count them, and how long an answer takes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { EVERYONE, type Store } from '../../src/ports/store.ts';
import { createReadUsage, type UsageWanted } from '../../src/record/usage/read.ts';
import { createRollUsage } from '../../src/record/usage/roll.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { createPostgresSchema, isReachable, postgresUrl } from '../support/services.ts';

const ROWS = 1_000_000;
const PORTION = 10_000;
const PEOPLE = 20;
const SECONDS = 60 * 86_400;
const READS = 40;
const clock = createSystemClock();
const now = clock.now();

/** Half of the calls are those of one person. Each row differs in integration, tool, caller, outcome and duration. */
async function fill(engine: Engine): Promise<void> {
  for (let person = 0; person < PEOPLE; person++)
    await engine.run(
      CompiledQuery.raw(
        `insert into users (id, email, is_admin, created_at) values ('person-${person}', 'person-${person}@example.com', 0, 1)`,
      ),
    );
  const floor = engine.dialect === 'postgres' ? '::bigint' : '';
  const values = `
    'person-' || (case when n % 2 = 0 then 0 else (n / 2) % ${PEOPLE} end),
    'service' || ((n * 7) % 9), 'tool' || ((n * 13) % 6), 'EXECUTE',
    case when n % 11 = 0 then 0 else 1 end,
    case when n % 11 = 0 then '404: Not Found' end,
    (n * 37) % 4000,
    ${now - SECONDS} + (n * ${SECONDS} / ${ROWS})${floor},
    case when n % 3 = 0 then 'client:a' else 'key' end,
    case when n % 11 = 0 then 'error' else 'ok' end`;
  const series = (from: number, to: number) =>
    engine.dialect === 'postgres'
      ? `generate_series(${from}::bigint, ${to}::bigint) as one(n)`
      : `(with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to}) select n from counted) as one`;
  for (let from = 1; from <= ROWS; from += PORTION)
    await engine.run(
      CompiledQuery.raw(
        `insert into audit (user_id, integration, tool, action, success, error, duration_ms, created_at, actor, outcome) select ${values} from ${series(from, from + PORTION - 1)}`,
      ),
    );
}

async function countAll(store: Store): Promise<string> {
  const rolls = createRollUsage({ clock, random: createSystemRandom(), store });
  const started = performance.now();
  let rounds = 0;
  for (let seen = -1; seen !== (await store.usage.counted()); rounds++) {
    seen = await store.usage.counted();
    await rolls.round();
  }
  return `${((performance.now() - started) / 1_000).toFixed(0)} s, ${rounds - 1} rounds`;
}

async function answerTimes(store: Store, wanted: UsageWanted): Promise<string> {
  const read = createReadUsage({ clock, store });
  await read(wanted);
  const times: number[] = [];
  for (let turn = 0; turn < READS; turn++) {
    const started = performance.now();
    await read(wanted);
    times.push(performance.now() - started);
  }
  times.sort((one, other) => one - other);
  const at = (part: number) => (times[Math.ceil(part * READS) - 1] ?? 0).toFixed(1);
  return `${at(0.5)} ms, ${at(0.95)} ms`;
}

const ASKED: readonly [string, UsageWanted][] = [
  ['one person, 24 hours', { userId: 'person-0', range: '24h', offset: 120 }],
  ['one person, 7 days', { userId: 'person-0', range: '7d', offset: 120 }],
  ['one person, 30 days', { userId: 'person-0', range: '30d', offset: 120 }],
  [
    'one person, 30 days, one integration',
    { userId: 'person-0', range: '30d', offset: 120, integration: 'service1' },
  ],
  ['one person, 30 days, one caller', { userId: 'person-0', range: '30d', offset: 120, actor: 'key' }],
  ['everybody, 30 days', { userId: EVERYONE, range: '30d', offset: 120 }],
];

async function report(name: string, url: string): Promise<void> {
  const engine = openAt(url);
  await createSchema(engine);
  await fill(engine);
  const store = createSqlStore(engine);
  console.log(`| ${name} | counting ${ROWS.toLocaleString('en')} rows | ${await countAll(store)} |`);
  const { rows } = await engine.run(CompiledQuery.raw('select count(*) as n from usage_counts'));
  console.log(`| ${name} | counted groups | ${JSON.stringify(rows[0])} |`);
  // What no round has counted yet.
  await engine.run(
    CompiledQuery.raw(
      `insert into audit (user_id, integration, tool, action, success, duration_ms, created_at, actor, outcome) select user_id, integration, tool, action, success, duration_ms, ${now}, actor, outcome from audit where id <= 1000`,
    ),
  );
  for (const [what, wanted] of ASKED)
    console.log(`| ${name} | ${what} | ${await answerTimes(store, wanted)} |`);
  await engine.close();
}

console.log('| Database | What | Time (median, 95th percentile) |');
console.log('|---|---|---|');
const folder = mkdtempSync(join(tmpdir(), 'usage-'));
try {
  await report('SQLite, a file', `sqlite:${join(folder, 'service.db')}`);
} finally {
  rmSync(folder, { recursive: true });
}
if (await isReachable(postgresUrl())) {
  const { url, drop } = await createPostgresSchema();
  try {
    await report('PostgreSQL', url);
  } finally {
    await drop();
  }
}
