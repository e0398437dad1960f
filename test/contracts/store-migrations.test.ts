// Tests how a database follows the versions of this program: changed indexes, backfills, and programs that are too old.
// decision: 005
import { CompiledQuery } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { Backfill } from '../../drivers/sql/backfills.ts';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { openLazily } from '../../drivers/sql/lazy-schema.ts';
import { CURRENT, type Version } from '../../drivers/sql/migrations.ts';
import { PORTION_ROWS } from '../../drivers/sql/portions.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { maintain } from '../../src/maintenance/sweep.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { VERSION } from '../../src/ports/version.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { createTestApp } from '../support/test-app.ts';
import { openEmptyD1, openEmptyPostgres, openEmptySqlite, type OpenEngine } from './store/open.ts';
import { entry, newUser, NOW } from './store/records.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A later version in which the index of the audit has another definition. */
const LATER: Version = {
  program: '0.10.0',
  oldestProgram: '0.1.0',
  tables: {
    ...CURRENT.tables,
    audit: {
      ...CURRENT.tables['audit'],
      columns: CURRENT.tables['audit']?.columns ?? {},
      indexes: { audit_user: '(user_id, created_at, id)' },
    },
  },
};
/** A version in which a person has one account of an integration. */
const FIRST_KEY: Version = {
  program: '0.1.5',
  oldestProgram: '0.1.0',
  tables: {
    ...CURRENT.tables,
    connections: {
      columns: Object.fromEntries(
        Object.entries(CURRENT.tables['connections']?.columns ?? {}).filter(([name]) => name !== 'account'),
      ),
      constraint: 'primary key (user_id, integration)',
    },
  },
};
const CLOSED: Version = { ...CURRENT, program: '0.11.0', oldestProgram: '0.10.0' };

async function indexesOf(engine: Engine): Promise<string[]> {
  const sql =
    engine.dialect === 'sqlite'
      ? "select name from sqlite_master where type = 'index' and name like 'audit_user%'"
      : "select indexname as name from pg_indexes where schemaname = current_schema() and indexname like 'audit_user%'";
  const { rows } = await engine.run(CompiledQuery.raw(sql));
  return (rows as { name: string }[]).map(({ name }) => name);
}

function counting(engine: Engine): { engine: Engine; statements: string[] } {
  const statements: string[] = [];
  return {
    statements,
    engine: { ...engine, run: (query) => (statements.push(query.sql), engine.run(query)) },
  };
}

function migrations(name: string, open: () => Promise<OpenEngine>): void {
  describe(`migrations on ${name}`, () => {
    const on = async (work: (engine: Engine) => Promise<void>) => {
      const { engine, close } = await open();
      try {
        await work(engine);
      } finally {
        await close();
      }
    };

    it('rebuilds a changed index under a new name, once', () =>
      on(async (engine) => {
        const rows = [entry(), entry()];
        await createSqlStore(engine).audit.append(rows);
        expect(await indexesOf(engine)).toEqual(['audit_user']);
        await createSchema(engine, LATER);
        const after = await indexesOf(engine);
        expect(after).toEqual([expect.stringMatching(/^audit_user__[0-9a-f]{8}$/)]);
        const { engine: counted, statements } = counting(engine);
        const setUp = vi.fn(engine.setUp);
        await createSchema({ ...counted, setUp }, LATER);
        expect(setUp).not.toHaveBeenCalled();
        expect(statements).toHaveLength(1);
        expect(await indexesOf(engine)).toEqual(after);
        expect(
          await createSqlStore(engine).audit.list({ user_id: rows[0]?.user_id ?? '', limit: 9 }),
        ).toHaveLength(1);
      }));

    it('lets an older program add the index it needs, and keeps the newer one', () =>
      on(async (engine) => {
        await createSchema(engine, LATER);
        const newer = await indexesOf(engine);
        await createSchema(engine);
        expect((await indexesOf(engine)).toSorted()).toEqual(['audit_user', ...newer]);
        // The newer program removes it at its next start.
        await createSchema(engine, LATER);
        expect(await indexesOf(engine)).toEqual(newer);
      }));

    describe('of a primary key', () => {
      const insert = (account: string) =>
        CompiledQuery.raw(
          `insert into connections (user_id, integration, created_at, updated_at${account === '' ? '' : ', account'}) values ('u', 'github', 1, 1${account})`,
        );
      const accounts = async (engine: Engine) => {
        const sql = CompiledQuery.raw('select account from connections order by account');
        return ((await engine.run(sql)).rows as { account: string }[]).map(({ account }) => account);
      };

      it('keeps every row, lets another account in, and changes nothing again', () =>
        on(async (engine) => {
          await createSchema(engine, FIRST_KEY);
          await engine.run(insert(''));
          await expect(engine.run(insert(''))).rejects.toThrow(DriverFailure);
          await createSchema(engine);
          await engine.run(insert(", 'b'"));
          await expect(engine.run(insert(", 'b'"))).rejects.toThrow(DriverFailure);
          expect(await accounts(engine)).toEqual(['', 'b']);
          const again = counting(engine);
          await createSchema(again.engine);
          expect(again.statements).toHaveLength(1);
        }));

      it('begins anew after it was stopped, at any statement', () =>
        on(async (engine) => {
          await createSchema(engine, FIRST_KEY);
          await engine.run(insert(''));
          for (let stop = 0; ; stop++) {
            let isStopped = false;
            const stopping: Engine = {
              ...engine,
              setUp: (statements) => {
                isStopped = stop < statements.length;
                const all = [...statements];
                if (isStopped) all.splice(stop, 0, 'this is no statement');
                return engine.setUp(all);
              },
            };
            const outcome = await createSchema(stopping).catch((error: unknown) => error);
            expect(await accounts(engine).catch(() => [''])).toEqual(['']);
            if (outcome === undefined) break;
            expect(outcome).toBeInstanceOf(DriverFailure);
          }
          await createSchema(engine);
          await engine.run(insert(", 'b'"));
          expect(await accounts(engine)).toEqual(['', 'b']);
        }));

      it('is done once when several programs start at once', () =>
        on(async (engine) => {
          await createSchema(engine, FIRST_KEY);
          await engine.run(insert(''));
          await Promise.all(Array.from({ length: 4 }, () => createSchema(engine)));
          await engine.run(insert(", 'b'"));
          expect(await accounts(engine)).toEqual(['', 'b']);
        }));

      it('is not undone by an older program', () =>
        on(async (engine) => {
          await createSchema(engine);
          await engine.run(insert(''));
          await engine.run(insert(", 'b'"));
          await createSchema(engine, FIRST_KEY);
          expect(await accounts(engine)).toEqual(['', 'b']);
        }));
    });

    it('refuses a program that is older than the database allows, and says what to do', () =>
      on(async (engine) => {
        await createSchema(engine, LATER);
        await createSchema(engine, CLOSED);
        await expect(createSchema(engine)).rejects.toThrow(DriverFailure);
        await expect(createSchema(engine)).rejects.toThrow(
          `It needs version 0.10.0 or newer, and this is ${VERSION}. Start version 0.11.0, or restore the backup`,
        );
        const lazy = createSqlStore(openLazily(engine, { complete: false }));
        await expect(lazy.users.byId('x')).rejects.toThrow('a newer version of this program has changed it');
        // A version in between may go on, and never lowers what the newest has written.
        await createSchema(engine, LATER);
        await expect(createSchema(engine)).rejects.toThrow('0.11.0');
      }));

    it('lets the newest of several programs that start at once decide', () =>
      on(async (engine) => {
        await Promise.allSettled([
          createSchema(engine),
          createSchema(engine, CLOSED),
          createSchema(engine, LATER),
        ]);
        await expect(createSchema(engine)).rejects.toThrow('0.11.0');
      }));

    it('reads the schema and the row with one statement where nothing is missing', () =>
      on(async (engine) => {
        const { engine: counted, statements } = counting(engine);
        const store = createSqlStore(openLazily(counted, { complete: false }));
        await Promise.all([store.users.byId('x'), store.users.byId('y')]);
        await store.users.byId('z');
        expect(statements.filter((sql) => sql.includes('gateway'))).toHaveLength(1);
        expect(statements).toHaveLength(4);
      }));

    it('runs each backfill in portions, by one process at a time, and never again', () =>
      on(async (engine) => {
        const people = PORTION_ROWS + 20;
        const insert = Array.from({ length: people }, (_, at) =>
          CompiledQuery.raw(
            `insert into users (id, email, is_admin, created_at) values ('u${at}', 'u${at}@example.com', 0, 1)`,
          ),
        );
        await engine.batch(insert);
        let ran = 0;
        const mark = (value: number, below: number): Backfill => ({
          name: `mark ${value}`,
          statement: () => {
            ran++;
            return `update users set created_at = ${value} where id in (select id from users where created_at < ${below} limit ${PORTION_ROWS})`;
          },
        });
        const backfills = [mark(2, 2), mark(3, 3)];
        const [store, other] = [createSqlStore(engine, { backfills }), createSqlStore(engine, { backfills })];
        await store.leases.acquire('backfill', 'another process', NOW, NOW + 60);
        expect(await store.backfill(NOW)).toBe(false);
        expect(ran).toBe(0);
        await store.leases.release('backfill', 'another process');
        const marked = async () => {
          const { rows } = await engine.run(
            CompiledQuery.raw('select created_at, count(*) as count from users group by 1 order by 1'),
          );
          return (rows as { created_at: number; count: number }[]).map(({ created_at, count }) => [
            created_at,
            count,
          ]);
        };
        expect(await store.backfill(NOW)).toBe(true);
        expect(await marked()).toEqual([
          [1, 20],
          [2, PORTION_ROWS],
        ]);
        // The rest belongs to whichever process comes next.
        for (const each of [other, store]) while (await each.backfill(NOW));
        expect(await marked()).toEqual([[3, people]]);
        const before = ran;
        await createSqlStore(engine, { backfills }).backfill(NOW);
        expect(ran).toBe(before);
        await store.users.create(newUser());
      }));

    it('keeps one sealed text, and swaps it only while it is the one that was seen', () =>
      on(async (engine) => {
        const { keyCheck } = createSqlStore(engine);
        expect(await keyCheck.read()).toBeNull();
        const made = await Promise.all(['one', 'two', 'three'].map((text) => keyCheck.swap(null, text)));
        expect(made.filter(Boolean)).toHaveLength(1);
        const seen = await keyCheck.read();
        expect(await keyCheck.swap('another', 'x')).toBe(false);
        expect(await keyCheck.swap(seen, 'next')).toBe(true);
        expect(await keyCheck.read()).toBe('next');
      }));
  });
}

migrations('sqlite', openEmptySqlite);
await describeService('migrations', postgresUrl(), () => migrations('postgres', openEmptyPostgres));
migrations('d1', openEmptyD1);

describe('a backfill of a running gateway', () => {
  it('runs in the first round of the maintenance', async () => {
    const { engine, close } = await openEmptySqlite();
    const store = createSqlStore(engine, {
      backfills: [
        { name: 'one', statement: () => "update users set email = 'filled' where email = 'empty'" },
        { name: 'two', statement: () => "update users set email = 'twice' where email = 'filled'" },
      ],
    });
    const app = await createTestApp({ ports: { store } });
    const { id } = await store.users.create(newUser({ email: 'empty' }));
    const stop = new AbortController();
    // The portions take no time on this clock, so only the wait for the next round is longer than 0.
    const sleep = async (milliseconds: number) => {
      if (milliseconds > 0) stop.abort();
    };
    await maintain({ ...app.deps, clock: { ...app.clock, sleep } }, stop.signal);
    expect(await store.users.byId(id)).toMatchObject({ email: 'twice' });
    await app.close();
    await close().catch(() => {});
  });
});
