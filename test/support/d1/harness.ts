// Runs the store's databases in a real workerd.
import { fileURLToPath } from 'node:url';
import { createTestHarness, type TestHarness } from 'wrangler';
import type { D1Database, D1Result, D1Statement } from '../../../drivers/sql/d1.ts';
import type { Told } from './worker.ts';

export interface D1Harness {
  database: D1Database;
  close: () => Promise<void>;
}

/** Starts a D1 database that the test process can use. */
export async function startD1(): Promise<D1Harness> {
  const harness = await start('worker.ts', {});
  return { database: askedOver(harness), close: () => harness.close() };
}

/**
 * Sends one request per call. Miniflare's own proxy of the binding blocks this process for each statement
 * that it prepares. On a busy machine the block was so long that pending connections timed out.
 */
function askedOver(harness: TestHarness): D1Database {
  const told = new WeakMap<D1Statement, Told['statements'][number]>();
  async function ask(statements: readonly D1Statement[], isBatch: boolean): Promise<D1Result[]> {
    const body: Told = { statements: statements.flatMap((one) => told.get(one) ?? []), isBatch };
    const response = await harness.fetch('/', { method: 'POST', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as D1Result[];
  }
  function prepared(sql: string, values: unknown[]): D1Statement {
    const statement: D1Statement = {
      bind: (...given) => prepared(sql, given),
      async all() {
        const [result] = await ask([statement], false);
        if (result === undefined) throw new TypeError('D1 gave no result');
        return result;
      },
    };
    told.set(statement, { sql, values });
    return statement;
  }
  return { prepare: (sql) => prepared(sql, []), batch: (statements) => ask(statements, true) };
}

/** Starts a Worker that opens the PostgreSQL of this URL itself. */
export const startPostgresWorker = (url: string): Promise<TestHarness> =>
  start('postgres-worker.ts', { DATABASE_URL: url });

async function start(main: string, vars: Record<string, string>): Promise<TestHarness> {
  // Without these settings wrangler tries to reach the network at each start.
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
  const harness = createTestHarness({
    workers: [
      {
        config: {
          name: 'store',
          main: fileURLToPath(new URL(main, import.meta.url)),
          compatibility_date: '2026-10-23',
          vars,
          d1_databases: [{ binding: 'DB', database_name: 'store', database_id: 'store' }],
        },
      },
    ],
  });
  await harness.listen();
  return harness;
}
