// Lets hundreds of thousands of rows expire at once, and measures what a bystander notices of their removal.
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import type { Engine } from '../../drivers/sql/engine.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { shownWaits, startBystander } from './bystander.ts';
import { figure, percentile } from './figures.ts';
import { pause } from './private-services.ts';
import { openStand } from './stand.ts';

const EXPIRED = 223_000;
const INSERTED_AT_ONCE = 5_000;
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
    const bystander = await startBystander(gateway, '/rest', { headers, expected: '"integrations"' });
    const begun = performance.now();
    let left = EXPIRED;
    let asked = 0;
    while (left > 0 && performance.now() - begun < LONGEST_MS) {
      await pause(200);
      left = await count(database);
      asked++;
    }
    const waited = await bystander.stop();
    await database.close();
    figure('sweep flood, rows that expired and are left', `${left} of ${EXPIRED}`, left === 0 && asked > 0);
    const p99 = percentile(waited.milliseconds, 0.99);
    figure('sweep flood, a bystander', shownWaits(waited), p99 < MAX_P99_MS && waited.failed === 0);
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
