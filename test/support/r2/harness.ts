// Runs an R2 bucket in a real workerd that the test process can use.
import { fileURLToPath } from 'node:url';
import { createTestHarness } from 'wrangler';
import type { R2Bucket } from '../../../drivers/blobs/r2.ts';

export async function startR2(): Promise<{ bucket: R2Bucket; close: () => Promise<void> }> {
  // Without these settings wrangler tries to reach the network at each start.
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
  const harness = createTestHarness({
    workers: [
      {
        config: {
          name: 'blobs',
          main: fileURLToPath(new URL('worker.ts', import.meta.url)),
          compatibility_date: '2026-10-23',
          r2_buckets: [{ binding: 'BUCKET', bucket_name: 'blobs' }],
        },
      },
    ],
  });
  await harness.listen();
  const { BUCKET } = await harness.getWorker<{ BUCKET: R2Bucket }>().getEnv();
  return { bucket: BUCKET, close: () => harness.close() };
}
