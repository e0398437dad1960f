// Measures the first start on a database of 0.1 with 100,000 people, and prints a table for docs/performance.md.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { openD1 } from '../../drivers/sql/d1.ts';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { fill } from '../contracts/store/filled.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { startD1 } from '../support/d1/harness.ts';
import { createPostgresSchema, isReachable, postgresUrl } from '../support/services.ts';
import { median } from './median.ts';
import { processorSeconds } from './proc.ts';
import { startGateway } from './servers.ts';

const USERS = 100_000;
/** Every tenth person has a second connection. */
const SECOND_CONNECTIONS = 10_000;
const PORTION = 10_000;
const ROUNDS = 3;
const SEALED = 'v1.0000000000000000.'.padEnd(200, 'x');

interface Start {
  milliseconds: number;
  /** Milliseconds of processor time, without those of a PostgreSQL server. */
  processor: number;
  /** The peak of the resident memory in MiB. */
  peak: number;
}

interface Upgrade {
  first: Start;
  next: Start;
}

async function fillWithPeople(engine: Engine): Promise<void> {
  await fill(engine);
  const series =
    engine.dialect === 'postgres'
      ? (from: number, to: number) => `generate_series(${from}, ${to}) as one(n)`
      : (from: number, to: number) =>
          `(with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to}) select n from counted) as one`;
  const insert = async (head: string, values: string, count: number): Promise<void> => {
    for (let from = 1; from <= count; from += PORTION) {
      const to = Math.min(from + PORTION - 1, count);
      await engine.run(CompiledQuery.raw(`insert into ${head} select ${values} from ${series(from, to)}`));
    }
  };
  const columns =
    'connections (user_id, integration, access_token, refresh_token, expires_at, scopes, created_at, updated_at)';
  const connection = (name: string) =>
    `'user-' || n, '${name}', '${SEALED}' || n, '${SEALED}' || n, n, 'repo user', n, n`;
  await insert(
    'users (id, email, api_key_hash, api_key_sha, api_key_ciphertext, is_admin, created_at)',
    `'user-' || n, 'user-' || n || '@example.com', '$2b$10$', 'sha-' || n, '${SEALED}', 0, n`,
    USERS,
  );
  await insert(columns, connection('github'), USERS);
  await insert(columns, connection('slack'), SECOND_CONNECTIONS);
}

/** Fails unless every connection has the new key and is a first account. */
async function checkUpgraded(engine: Engine): Promise<void> {
  const { rows } = await engine.run(
    CompiledQuery.raw(
      "select count(*) as n from connections where account = '' and label is null and user_id like 'user-%'",
    ),
  );
  const [row] = rows as { n: number | string }[];
  if (Number(row?.n) !== USERS + SECOND_CONNECTIONS) throw new Error(`upgraded: ${JSON.stringify(row)}`);
}

/** Starts the gateway twice on the filled database. The second start has nothing to upgrade. */
async function startTwice(url: string): Promise<Upgrade> {
  const engine = openAt(url);
  await fillWithPeople(engine);
  await engine.close();
  const upgrade = { first: await startOnce(url), next: await startOnce(url) };
  const upgraded = openAt(url);
  await checkUpgraded(upgraded);
  await upgraded.close();
  return upgrade;
}

async function startOnce(url: string): Promise<Start> {
  const gateway = await startGateway(undefined, { DATABASE_URL: url });
  const { pid, startMs: milliseconds } = gateway;
  const start = { milliseconds, processor: processorSeconds(pid) * 1_000, peak: peakOf(pid) };
  await gateway.stop();
  return start;
}

async function onSqlite(): Promise<Upgrade> {
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
  try {
    return await startTwice(`sqlite:${join(folder, 'service.db')}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function onPostgres(): Promise<Upgrade> {
  const { url, drop } = await createPostgresSchema();
  try {
    return await startTwice(url);
  } finally {
    await drop();
  }
}

/** Runs in workerd what a Worker runs at its first request. The memory is that of workerd, with the database. */
async function onD1(): Promise<Upgrade> {
  const { database, close } = await startD1();
  try {
    const engine = openD1(database);
    await fillWithPeople(engine);
    const setUp = async (): Promise<Start> => {
      const pid = findWorkerd();
      const [begun, used] = [performance.now(), processorSeconds(pid)];
      await createSchema(engine);
      const processor = (processorSeconds(pid) - used) * 1_000;
      return { milliseconds: performance.now() - begun, processor, peak: peakOf(pid) };
    };
    const upgrade = { first: await setUp(), next: await setUp() };
    await checkUpgraded(engine);
    return upgrade;
  } finally {
    await close();
  }
}

function peakOf(pid: number): number {
  const kibibytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) / 1024;
}

/** The workerd that this process has started last. */
function findWorkerd(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ours = pids.filter((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return status.startsWith('Name:\tworkerd') && status.includes(`PPid:\t${process.pid}\n`);
  });
  return Math.max(...ours.map(Number));
}

async function report(engine: string, run: () => Promise<Upgrade>): Promise<void> {
  const rounds: Upgrade[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await run());
  const figure = (what: keyof Start, unit: string) =>
    (['first', 'next'] as const)
      .map((start) => Math.round(median(rounds.map((round) => round[start][what]))).toLocaleString('en'))
      .join(` ${unit}, `);
  console.log(
    `| ${engine} | ${figure('milliseconds', 'ms')} ms | ${figure('processor', 'ms')} ms | ${figure('peak', 'MiB')} MiB |`,
  );
}

console.log('| Database | First start, next start | Processor time | Peak memory |');
console.log('|---|---|---|---|');
await report('SQLite, a file', onSqlite);
if (await isReachable(postgresUrl())) await report('PostgreSQL', onPostgres);
await report('D1 in workerd, the set-up alone', onD1);
