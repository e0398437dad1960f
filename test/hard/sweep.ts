// Lets hundreds of thousands of rows expire at once, and measures what a bystander notices of their removal.
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import type { Engine } from '../../drivers/sql/engine.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { figure, percentile } from './figures.ts';
import { pause } from './private-services.ts';
import { openStand } from './stand.ts';

const EXPIRED = 223_000;
const INSERTED_AT_ONCE = 5_000;
const BETWEEN_CALLS_MS = 10;
/** A round begins each minute. */
const LONGEST_MS = 120_000;
const MAX_P99_MS = 250;

export async function sweepRuns(): Promise<void> {
  const stand = await openStand();
  try {
    const gateway = await stand.start();
    const headers = { 'x-service-api-key': gateway.apiKey };
    const database = openSqlite(join(stand.site.dataDir, 'service.db'));
    await fill(database);
    const bystander = startBystander(() => gateway.request('/rest', { headers }));
    const begun = performance.now();
    let left = EXPIRED;
    let asked = 0;
    while (left > 0 && performance.now() - begun < LONGEST_MS) {
      await pause(200);
      left = await count(database);
      asked++;
    }
    const { milliseconds, failed } = await bystander.stop();
    await database.close();
    figure('sweep flood, rows that expired and are left', `${left} of ${EXPIRED}`, left === 0 && asked > 0);
    const p99 = percentile(milliseconds, 0.99);
    const worst = percentile(milliseconds, 1);
    figure(
      'sweep flood, a bystander',
      `p99 ${p99} ms, worst ${worst} ms of ${milliseconds.length} calls, ${failed} failed`,
      p99 < MAX_P99_MS && failed === 0,
    );
    await gateway.stop();
  } finally {
    await stand.close();
  }
}

async function fill(database: Engine): Promise<void> {
  for (let from = 1; from <= EXPIRED; from += INSERTED_AT_ONCE) {
    const to = Math.min(from + INSERTED_AT_ONCE - 1, EXPIRED);
    await database.run(
      CompiledQuery.raw(
        `insert into flows (state, integration, session_data, expires_at) select 'flood-' || n, '__oauth_authorize__', printf('%0500d', n), n from (with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to}) select n from counted) as one`,
      ),
    );
  }
}

async function count(database: Engine): Promise<number> {
  const { rows } = await database.run(
    CompiledQuery.raw("select count(*) as count from flows where state like 'flood-%'"),
  );
  // the statement has exactly this column
  return (rows as { count: number }[])[0]?.count ?? 0;
}

/** Begins a call every few milliseconds, whether or not earlier ones have ended: a stall delays all that it meets. */
function startBystander(call: () => Promise<Response>) {
  const milliseconds: number[] = [];
  const calls: Promise<void>[] = [];
  let failed = 0;
  const timer = setInterval(() => {
    const begun = performance.now();
    const ended = async () => {
      try {
        const response = await call();
        await response.arrayBuffer();
        if (response.status !== 200) failed++;
      } catch {
        failed++;
      }
      milliseconds.push(performance.now() - begun);
    };
    calls.push(ended());
  }, BETWEEN_CALLS_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(calls);
      return { milliseconds, failed };
    },
  };
}
