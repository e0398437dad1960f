// Tests that what a Worker has built serves one request after the other, and never two at a time.
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Bindings } from '../../adapters/workers/bindings.ts';
import { openIsolate } from '../../adapters/workers/isolate.ts';
import { openPorts } from '../../adapters/workers/ports.ts';
import type Worker from '../../adapters/workers/worker.ts';
import { seedUser } from '../../adapters/node/owner.ts';
import { type D1Database, type D1Statement, openD1 } from '../../drivers/sql/d1.ts';
import { createSchema } from '../../drivers/sql/engine.ts';
import { createDeps } from '../../src/deps.ts';

/** A D1 that answers within the same turn of the event loop; its queries can be delayed or refused. */
function openFakeD1() {
  const database = new DatabaseSync(':memory:');
  let before = async () => {};
  const run = (sql: string, values: (string | number | null)[]) => {
    const statement = database.prepare(sql);
    if (statement.columns().length > 0) return { results: statement.all(...values), meta: {} };
    return { results: [], meta: { changes: Number(statement.run(...values).changes) } };
  };
  const prepared = (sql: string, values: unknown[] = []): D1Statement => ({
    bind: (...given) => prepared(sql, given),
    async all() {
      await before();
      try {
        return run(sql, values as (string | number | null)[]);
      } catch (error) {
        // D1 says so in words when the statement is at fault.
        throw new Error(`D1_ERROR: ${(error as Error).message}: SQLITE_ERROR`, { cause: error });
      }
    },
  });
  const d1: D1Database = {
    prepare: (sql) => prepared(sql),
    async batch(statements) {
      const results = [];
      for (const statement of statements) results.push(await statement.all());
      return results;
    },
  };
  return { database, d1, first: (work: () => Promise<void>) => (before = work) };
}

const { database, d1, first } = openFakeD1();
const bindings = {
  SERVER_PUBLIC_URL: 'http://localhost:8787',
  SESSION_SECRET: '0123456789abcdef'.repeat(4),
  ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4),
  // Writing rows takes a turn of the event loop.
  AUDIT_LOG_DEST: 'none',
  DB: d1,
  BLOBS: {},
} as unknown as Bindings;
vi.spyOn(console, 'log').mockImplementation(() => {});
const importKey = vi.spyOn(crypto.subtle, 'importKey');
/** Keys are imported only when a gateway is built. */
const builds = () => importKey.mock.calls.length;
let apiKey = '';
let worker: typeof Worker;

beforeAll(async () => {
  await createSchema(openD1(d1));
  const deps = await createDeps(openPorts(bindings, openIsolate(bindings)));
  ({ apiKey } = await seedUser(deps, 'ada@example.com'));
});
beforeEach(async () => {
  first(async () => {});
  vi.resetModules();
  ({ default: worker } = await import('../../adapters/workers/worker.ts'));
});

interface Asked {
  response: Response;
  /** The promises that the platform was asked to wait for. */
  held: Promise<unknown>[];
}

async function ask(): Promise<Asked> {
  const held: Promise<unknown>[] = [];
  const headers = { 'x-service-api-key': apiKey };
  const response = await worker.fetch(
    new Request('http://localhost:8787/api/auth/me', { headers }),
    bindings,
    {
      waitUntil: (work) => void held.push(work),
    },
  );
  return { response, held };
}

async function askedWhole(): Promise<Response> {
  const { response, held } = await ask();
  const text = await response.text();
  await Promise.allSettled(held);
  return new Response(text, response);
}

/** Returns how many keys are imported for a request that comes after all others. */
async function builtForNext(): Promise<number> {
  const before = builds();
  expect((await askedWhole()).status).toBe(200);
  return builds() - before;
}

it('builds a gateway for the first request, and reuses it for those after it', async () => {
  expect(await builtForNext()).toBeGreaterThan(0);
  expect(await builtForNext()).toBe(0);
  expect(await builtForNext()).toBe(0);
});

it('never shares a gateway between concurrent requests, and reuses each for later ones', async () => {
  const built = await builtForNext();
  const { promise, resolve } = Promise.withResolvers<void>();
  first(() => promise);
  const before = builds();
  const asking = [ask(), ask(), ask()];
  await expect.poll(() => builds() - before).toBe(2 * built);
  resolve();
  const asked = await Promise.all(asking);
  expect(asked.map(({ response }) => response.status)).toEqual([200, 200, 200]);
  for (const { response, held } of asked) {
    // A gateway returns only after its response has been read.
    await response.text();
    await Promise.all(held);
  }
  const later = builds();
  for (const { response, held } of await Promise.all([ask(), ask(), ask()])) {
    await response.text();
    await Promise.all(held);
  }
  expect(builds()).toBe(later);
});

it('keeps the gateways of at most 32 concurrent requests', async () => {
  const built = await builtForNext();
  for (const expected of [39, 8]) {
    const before = builds();
    const asked = await Promise.all(Array.from({ length: 40 }, ask));
    expect(builds() - before).toBe(expected * built);
    for (const { response, held } of asked) {
      await response.text();
      await Promise.all(held);
    }
  }
});

it('lends no gateway whose response is being read or whose reader left', async () => {
  const built = await builtForNext();
  const { response, held } = await ask();
  expect(await builtForNext()).toBe(built);
  await response.body?.cancel();
  await Promise.all(held);
  // One of two requests reuses the gateway of the request before the last.
  const before = builds();
  await Promise.all([ask(), ask()]);
  expect(builds() - before).toBe(built);
});

it('lends no gateway after a failure', async () => {
  const built = await builtForNext();
  first(() => Promise.reject(new Error('gone')));
  expect((await askedWhole()).status).toBeGreaterThanOrEqual(500);
  first(async () => {});
  expect(await builtForNext()).toBe(built);
});

it('does not reuse what the request before looked up', async () => {
  expect((await askedWhole()).status).toBe(200);
  const { api_key_hash, api_key_sha } = database.prepare('select * from users').get() ?? {};
  database.exec('update users set api_key_hash = null, api_key_sha = null');
  expect((await askedWhole()).status).toBe(401);
  database
    .prepare('update users set api_key_hash = ?, api_key_sha = ?')
    .run(api_key_hash ?? null, api_key_sha ?? null);
  expect((await askedWhole()).status).toBe(200);
});
