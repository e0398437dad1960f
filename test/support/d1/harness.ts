// The store's databases in a real workerd.
import { fileURLToPath } from 'node:url';
import { createTestHarness, type TestHarness } from 'wrangler';
import type { D1Database, D1Statement } from '../../../drivers/sql/d1.ts';

export interface D1Harness {
  database: D1Database;
  close: () => Promise<void>;
}

/** A D1 database, lent to the test process. */
export async function startD1(): Promise<D1Harness> {
  const harness = await start('worker.ts', {});
  const { DB } = await harness.getWorker<{ DB: D1Database }>().getEnv();
  return { database: keepingStatements(DB), close: () => harness.close() };
}

/** Miniflare frees a statement in workerd once its stand-in here is collected, also while a batch with it is on its way. */
function keepingStatements(database: D1Database): D1Database {
  const kept = new Map<D1Statement, D1Statement>();
  return {
    prepare(sql) {
      const prepared = database.prepare(sql);
      const lent: D1Statement = {
        all: () => prepared.all(),
        bind(...values) {
          const bound = prepared.bind(...values);
          kept.set(bound, bound);
          return bound;
        },
      };
      kept.set(lent, prepared);
      return lent;
    },
    batch: (statements) => database.batch(statements.map((statement) => kept.get(statement) ?? statement)),
  };
}

/** A Worker that opens the PostgreSQL of this URL itself. */
export const startPostgresWorker = (url: string): Promise<TestHarness> =>
  start('postgres-worker.ts', { DATABASE_URL: url });

async function start(main: string, vars: Record<string, string>): Promise<TestHarness> {
  // Without these wrangler looks for the network at each start.
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
