// Serves GET /api/health and GET /api/health/ready for probes. Both are open and show no details. reference: Health and metrics; decision: 010
import { Hono } from 'hono';
import { RETRY_LATER } from '../http/errors.ts';
import type { Healthy, Unready } from './health-operations.ts';
import type { Readiness } from './readiness.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };

export function createHealthRoute({ readiness }: { readiness: Readiness }): Hono {
  const app = new Hono();
  app.get('/api/health', (c) => c.json({ status: 'ok' } satisfies Healthy, 200, NO_STORE));
  app.get('/api/health/ready', async (c) => {
    const failed = await readiness();
    return failed.length === 0
      ? c.json({ status: 'ok' } satisfies Healthy, 200, NO_STORE)
      : c.json({ status: 'unavailable', failed: [...failed] } satisfies Unready, 503, {
          ...NO_STORE,
          ...RETRY_LATER,
        });
  });
  return app;
}
