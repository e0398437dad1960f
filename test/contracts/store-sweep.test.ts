// Tests that a sweep deletes in portions and lets other work run between them, on every engine. reference: Maintenance
import { CompiledQuery } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { createSqlPending } from '../../drivers/pending/sql.ts';
import type { Engine } from '../../drivers/sql/engine.ts';
import { PORTION_ROWS } from '../../drivers/sql/portions.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { createTestApp } from '../support/test-app.ts';
import { openEmptyD1, openEmptyPostgres, openEmptySqlite, type OpenEngine } from './store/open.ts';
import { NOW } from './store/records.ts';

vi.setConfig({ testTimeout: 120_000 });

const DAY = 24 * 3_600;
const EXPIRED = 2 * PORTION_ROWS + 50;
const LIVE = 7;

/** Each table, and its columns without a meaning here. */
const TABLES: Record<string, string> = {
  approvals:
    "id, user_id, slot, digest, state, caller, integration, tool, access, expires_at, ended_at, created_at) select 'k' || n, 'u', 's' || n, 'd', 'done', 'key', 'github', 't', 'write', 1, 1, ",
  agent_grants: "client_id, user_id, limits, revision, updated_at) select 'k' || n, 'u', '{}', 'r', ",
  flows: "state, integration, expires_at) select 'k' || n, 'github', ",
  import_tools:
    "id, import_id, write_id, name, position, state, expires_at) select 'k' || n, 'i', 'w', 'n', n, 'new', ",
  leases: "name, holder, expires_at) select 'k' || n, 'h', ",
  oauth_codes:
    "code, client_id, user_id, redirect_uri, code_challenge, scope, resource, expires_at) select 'k' || n, 'c', 'u', 'r', 'c', 's', 'r', ",
  refresh_tokens:
    "token_hash, family, client_id, user_id, scope, created_at, expires_at) select 'k' || n, 'f' || n, 'c', 'u', 's', 1, ",
  pending_connections:
    "connection_id, user_id, integration, status, expires_at) select 'k' || n, 'u', 'github', 'PENDING', ",
  oauth_clients: "client_id, redirect_uris, created_at) select 'k' || n, '[]', ",
};

async function fill(engine: Engine): Promise<void> {
  const numbers = (from: number, to: number) =>
    engine.dialect === 'postgres'
      ? `generate_series(${from}, ${to}) as one(n)`
      : `(with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to}) select n from counted) as one`;
  for (const [table, columns] of Object.entries(TABLES)) {
    const old = NOW - 100 * DAY;
    await engine.run(CompiledQuery.raw(`insert into ${table} (${columns}${old} from ${numbers(1, EXPIRED)}`));
    const later = NOW + DAY;
    await engine.run(
      CompiledQuery.raw(
        `insert into ${table} (${columns}${later} from ${numbers(EXPIRED + 1, EXPIRED + LIVE)}`,
      ),
    );
  }
}

/** Counts the rows that `fill` made. */
const count = async (engine: Engine, table: string): Promise<number> => {
  const [key] = TABLES[table]?.split(',') ?? [];
  const { rows } = await engine.run(
    CompiledQuery.raw(`select count(*) as count from ${table} where ${key} like 'k%'`),
  );
  return Number((rows as { count: unknown }[])[0]?.count);
};

function sweeps(name: string, open: () => Promise<OpenEngine>): void {
  describe(`sweeps on ${name}`, () => {
    it('delete at most a portion in a statement, and another write gets through after each', async () => {
      const { engine: plain, close } = await open();
      await fill(plain);
      const portions: { statement: string; changes: number; turn: number }[] = [];
      let turn = 0;
      const bystander = createSqlStore(plain);
      /** After each delete another caller writes and reads, which waits for ever inside a transaction. */
      const after = async (statement: string, changes: number) => {
        // The release of a lease that a part of the maintenance held is no portion.
        const isRelease = /"?holder"? = /.test(statement);
        if (!/^delete from/i.test(statement) || isRelease || changes === 0) return;
        portions.push({ statement, changes, turn });
        expect(await bystander.leases.acquire(`bystander ${portions.length}`, 'h', NOW, NOW + DAY)).toBe(
          true,
        );
        expect(await bystander.users.byId('nobody')).toBeNull();
      };
      const engine: Engine = {
        ...plain,
        async run(query) {
          const result = await plain.run(query);
          await after(query.sql, result.changes);
          return result;
        },
        async batch(queries) {
          const results = await plain.batch(queries);
          for (const [at, { sql }] of queries.entries()) await after(sql, results[at]?.changes ?? 0);
          return results;
        },
      };
      const clock = createFakeClock(NOW);
      const app = await createTestApp({
        now: NOW,
        ports: {
          clock: { ...clock, sleep: (...time) => (turn++, clock.sleep(...time)) },
          store: createSqlStore(engine),
          pending: createSqlPending(engine, clock),
        },
      });
      await maintainOnce(app.deps);
      for (const table of Object.keys(TABLES)) {
        const own = portions.filter(
          ({ statement }) => statement.includes(`from ${table} `) || statement.includes(`from "${table}" `),
        );
        expect(
          own.map(({ changes }) => changes),
          table,
        ).toEqual([PORTION_ROWS, PORTION_ROWS, 50]);
        // The event loop is given back between two portions.
        expect(new Set(own.map((portion) => portion.turn)).size, table).toBe(3);
        expect(await count(plain, table), table).toBe(LIVE);
      }
      // The app closes the store, and the store its engine.
      await app.close();
      await close().catch(() => {});
    });

    it('of two processes at once finish, and leave nothing behind', async () => {
      const { engine, close } = await open();
      await fill(engine);
      const sweep = async () => {
        const store = createSqlStore(engine);
        while (await store.sweep(NOW));
      };
      await Promise.all([sweep(), sweep(), sweep()]);
      // A sweep skips the rows that another one is deleting.
      await sweep();
      for (const table of ['flows', 'import_tools', 'leases', 'oauth_codes', 'refresh_tokens'])
        expect(await count(engine, table), table).toBe(LIVE);
      await close();
    });

    it('keep a lease that was taken again after it expired', async () => {
      const { engine, close } = await open();
      const { leases, sweep } = createSqlStore(engine);
      for (let round = 0; round < 20; round++) {
        await leases.acquire('again', 'first', NOW - 100, NOW - 50);
        const [taken] = await Promise.all([leases.acquire('again', 'second', NOW, NOW + 60), sweep(NOW)]);
        expect(taken).toBe(true);
        expect(await leases.acquire('again', 'third', NOW, NOW + 60)).toBe(false);
        await leases.release('again', 'second');
      }
      await close();
    });
  });
}

sweeps('sqlite', openEmptySqlite);
await describeService('sweeps', postgresUrl(), () => sweeps('postgres', openEmptyPostgres));
sweeps('d1', openEmptyD1);
