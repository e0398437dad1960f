// A D1 database in a real workerd, lent to the test process.
import { fileURLToPath } from 'node:url';
import { createTestHarness } from 'wrangler';
import type { D1Database } from '../../../drivers/sql/d1.ts';

export interface D1Harness {
  database: D1Database;
  close: () => Promise<void>;
}

export async function startD1(): Promise<D1Harness> {
  // Without these wrangler looks for the network at each start.
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
  const harness = createTestHarness({
    workers: [
      {
        config: {
          name: 'store',
          main: fileURLToPath(new URL('worker.ts', import.meta.url)),
          compatibility_date: '2026-09-01',
          d1_databases: [{ binding: 'DB', database_name: 'store', database_id: 'store' }],
        },
      },
    ],
  });
  await harness.listen();
  const { DB } = await harness.getWorker<{ DB: D1Database }>().getEnv();
  return { database: DB, close: () => harness.close() };
}
