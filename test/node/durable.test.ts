// Tests that every acknowledged execution survives kill -9. reference: Durability; decision: 007
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { call } from '../support/mcp.ts';
import {
  createPostgresSchema,
  describeService,
  type PostgresSchema,
  postgresUrl,
  redisUrl,
} from '../support/services.ts';

const ROUNDS = 3;
const CLIENTS = 8;
const BATCH = ['time_now', 'time_convert'];
const ENOUGH = 300;

// Each round makes hundreds of synced calls and one start.
vi.setConfig({ testTimeout: 120_000 });

type Started = Gateway & Banner;

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

/** Clients that call without a pause until the gateway is gone. */
async function killUnderLoad(gateway: Started, headers: Record<string, string>) {
  const counts = { sent: 0, acknowledged: 0 };
  // The second call fails its argument check, which is an execution with a row, too.
  const executions = BATCH.map((tool) => ({ tool, args: {} }));

  async function callOnAndOn(): Promise<void> {
    for (;;) {
      counts.sent += BATCH.length;
      const { results } = await call(gateway, headers, 'execute_tools', { executions });
      counts.acknowledged += results.length;
      if (counts.acknowledged >= ENOUGH) gateway.signal('SIGKILL', 'group');
    }
  }

  await Promise.allSettled(Array.from({ length: CLIENTS }, callOnAndOn));
  await gateway.exited;
  return counts;
}

async function countAuditRows(gateway: Gateway, headers: Record<string, string>): Promise<number> {
  const ids = new Set<unknown>();
  let path = '/api/audit';
  for (;;) {
    const response = await gateway.request(path, { headers });
    const { entries, nextCursor } = await response.json();
    for (const { id, created_at, tool } of entries) ids.add(`${id} ${created_at} ${tool}`);
    if (nextCursor === undefined) return ids.size;
    path = `/api/audit?cursor=${nextCursor}`;
  }
}

async function survivesKills(env: Record<string, string>): Promise<void> {
  let gateway = await site.start({ env });
  const headers = { 'x-service-api-key': gateway.apiKey };
  const total = { sent: 0, acknowledged: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const { sent, acknowledged } = await killUnderLoad(gateway, headers);
    total.sent += sent;
    total.acknowledged += acknowledged;
    gateway = await site.start({ env });
    const rows = await countAuditRows(gateway, headers);
    expect(acknowledged).toBeGreaterThanOrEqual(ENOUGH);
    expect(rows).toBeGreaterThanOrEqual(total.acknowledged);
    expect(rows).toBeLessThanOrEqual(total.sent);
  }
}

describe('kill -9 under load on SQLite', () => {
  it('loses no acknowledged execution, round after round', () => survivesKills({}));
});

await describeService('kill -9 under load on PostgreSQL and Redis', postgresUrl(), () => {
  let schema: PostgresSchema;
  beforeAll(async () => {
    schema = await createPostgresSchema();
  });
  afterAll(() => schema.drop());

  it('loses no acknowledged execution, round after round', () =>
    survivesKills({ DATABASE_URL: schema.url, PENDING_STORE: redisUrl() }));
});
