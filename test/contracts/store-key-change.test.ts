// Tests that the connections of 0.1 survive the change of their primary key. decision: 005
import { CompiledQuery } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { openD1 } from '../../drivers/sql/d1.ts';
import { createSchema, type Engine } from '../../drivers/sql/engine.ts';
import { CURRENT, type Version } from '../../drivers/sql/migrations.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { FIRST_ACCOUNT } from '../../src/ports/records.ts';
import { startD1 } from '../support/d1/harness.ts';
import { describeService, postgresUrl } from '../support/services.ts';
import { fill } from './store/filled.ts';
import { openAt } from './store/open-at.ts';
import { type OpenEngine, type Place, postgresPlace, sqlitePlace } from './store/open.ts';
import { dieInSetUp, startRacers } from './store/racers.ts';
import { connection } from './store/records.ts';

vi.setConfig({ testTimeout: 120_000 });

const PEOPLE = 300;

/** A later version whose key has another column. */
const connections = CURRENT.tables['connections'];
const LATER: Version = {
  program: '0.10.0',
  oldestProgram: '0.1.0',
  tables: {
    ...CURRENT.tables,
    connections: {
      ...connections,
      columns: { ...connections?.columns, workspace: "text not null default ''" },
      constraint: 'primary key (user_id, integration, account, workspace)',
    },
  },
};

type Row = Record<string, unknown>;

async function rowsOf(engine: Engine, sql: string): Promise<Row[]> {
  const { rows } = await engine.run(CompiledQuery.raw(sql));
  return (rows as Row[]).map((row) => ({ ...row }));
}

const stored = (engine: Engine) =>
  rowsOf(engine, 'select * from connections order by user_id, integration, created_at');

async function keyOf(engine: Engine): Promise<unknown[]> {
  const sql =
    engine.dialect === 'sqlite'
      ? "select name from pragma_table_info('connections') where pk > 0 order by pk"
      : "select attname::text as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey) where i.indrelid = to_regclass('connections') and indisprimary order by array_position(i.indkey::int2[], a.attnum)";
  return (await rowsOf(engine, sql)).map(({ name }) => name);
}

const OLD_KEY = ['user_id', 'integration'];
const NEW_KEY = ['user_id', 'integration', 'account'];

/** Adds people to the rows of 0.1, so that the table has more than a page. Returns all connections. */
async function fillWell(engine: Engine): Promise<Row[]> {
  await fill(engine);
  for (let at = 0; at < PEOPLE; at += 50) {
    const values = Array.from(
      { length: 50 },
      (_, one) =>
        `('person ${at + one}', 'github', 'v1.${'a'.repeat(200)}${at + one}', null, ${at + one}, 'repo', null, null, ${at + one}, 9)`,
    );
    await engine.run(
      CompiledQuery.raw(
        `insert into connections (user_id, integration, access_token, refresh_token, expires_at, scopes, cookies, config, created_at, updated_at) values ${values.join(', ')}`,
      ),
    );
  }
  const rows = await stored(engine);
  expect(rows).toHaveLength(PEOPLE + 3);
  expect(await keyOf(engine)).toEqual(OLD_KEY);
  return rows;
}

/** The rows of 0.1, as this version stores them. */
const upgraded = (rows: readonly Row[]) => {
  const added = Object.keys(connections?.columns ?? {}).filter((column) => !(column in (rows[0] ?? {})));
  const empty = Object.fromEntries(added.map((column) => [column, null]));
  return rows.map((row) => ({
    ...row,
    ...empty,
    account: FIRST_ACCOUNT,
    label: null,
    is_default: 0,
    is_write_default: 0,
  }));
};

async function expectUpgraded(engine: Engine, rows: readonly Row[]): Promise<void> {
  expect(await keyOf(engine)).toEqual(NEW_KEY);
  expect(await stored(engine)).toEqual(upgraded(rows));
  const leftover =
    engine.dialect === 'sqlite'
      ? "select name from sqlite_master where name like '%\\_\\_copy%' escape '\\'"
      : "select to_regclass('connections__copy') as name where to_regclass('connections__copy') is not null";
  expect(await rowsOf(engine, leftover)).toEqual([]);
}

/** Fails a set-up at one step. The database has to undo what it did in the same transaction. */
function failing(engine: Engine, step: 'columns' | 'key'): Engine {
  const isStep = (line: string) =>
    step === 'columns'
      ? line.includes('connections add column')
      : /connections_pkey|connections__copy/.test(line);
  const broken = 'insert into a_table_that_is_missing values (1)';
  return {
    ...engine,
    async setUp(lines) {
      if (engine.dialect === 'sqlite') return engine.setUp(lines.some(isStep) ? [...lines, broken] : lines);
      // Each statement is a transaction of its own in PostgreSQL.
      for (const line of lines) await engine.setUp([isStep(line) ? broken : line]);
    },
  };
}

function keyChange(name: string, open: () => Promise<OpenEngine>): void {
  describe(`connections of 0.1 on ${name}`, () => {
    const on = async (work: (engine: Engine, rows: Row[]) => Promise<void>) => {
      const { engine, close } = await open();
      try {
        await work(engine, await fillWell(engine));
      } finally {
        await close();
      }
    };

    it('get the new key, and keep every row as a first account without a label', () =>
      on(async (engine, rows) => {
        await createSchema(engine);
        await expectUpgraded(engine, rows);
        const store = createSqlStore(engine);
        const [first] = await store.connections.of('person 7', 'github');
        expect(first).toMatchObject({ account: '', label: null, is_default: false, is_write_default: false });
        await store.users.create({ id: 'person 7', email: 'seven@example.com', created_at: 1 });
        const second = connection({ user_id: 'person 7', account: 'b', label: 'work', created_at: 1e9 });
        expect(await store.connections.add(second, 20)).toBe('added');
        expect(await store.connections.of('person 7', 'github')).toEqual([first, second]);
      }));

    it('are not touched by a second start', () =>
      on(async (engine) => {
        await createSchema(engine);
        const store = createSqlStore(engine);
        const second = connection({ user_id: 'person 7', account: 'b', label: 'work' });
        await store.connections.add(second, 20);
        await store.connections.setDefault(second, 'writes', true);
        const before = await stored(engine);
        const setUp = vi.fn(engine.setUp);
        await createSchema({ ...engine, setUp });
        expect(setUp).not.toHaveBeenCalled();
        expect(await stored(engine)).toEqual(before);
      }));

    it.each(['columns', 'key'] as const)(
      'are upgraded by the next start when the statement for the %s has failed',
      (step) =>
        on(async (engine, rows) => {
          await expect(createSchema(failing(engine, step))).rejects.toThrow(DriverFailure);
          expect(await keyOf(engine)).toEqual(OLD_KEY);
          expect(await stored(engine)).toHaveLength(rows.length);
          await createSchema(engine);
          await expectUpgraded(engine, rows);
        }),
    );

    it('are upgraded by several starts in one process', () =>
      on(async (engine, rows) => {
        await Promise.all([1, 2, 3, 4].map(() => createSchema(engine)));
        await expectUpgraded(engine, rows);
      }));

    it('keep the key of a newer program when an older one starts', () =>
      on(async (engine) => {
        await createSchema(engine, LATER);
        const newer = [...NEW_KEY, 'workspace'];
        expect(await keyOf(engine)).toEqual(newer);
        await engine.run(
          CompiledQuery.raw(
            "insert into connections (user_id, integration, created_at, updated_at, workspace) values ('person 7', 'github', 1, 1, 'another')",
          ),
        );
        const before = await stored(engine);
        await createSchema(engine);
        expect(await keyOf(engine)).toEqual(newer);
        expect(await stored(engine)).toEqual(before);
      }));

    it('keep the key of a newer program that changed it after the older one had looked', () =>
      on(async (engine, rows) => {
        let isFirst = true;
        const late: Engine['setUp'] = async (lines) => {
          if (isFirst) {
            isFirst = false;
            await createSchema(engine, LATER);
            await engine.run(CompiledQuery.raw("update connections set workspace = 'a workspace'"));
          }
          return engine.setUp(lines);
        };
        await createSchema({ ...engine, setUp: late });
        expect(isFirst).toBe(false);
        expect(await keyOf(engine)).toEqual([...NEW_KEY, 'workspace']);
        expect(await stored(engine)).toEqual(
          upgraded(rows).map((row) => ({ ...row, workspace: 'a workspace' })),
        );
      }));

    it('get the key of a newer program when an older one was faster', () =>
      on(async (engine, rows) => {
        let isFirst = true;
        const late: Engine['setUp'] = async (lines) => {
          if (isFirst) await createSchema(engine);
          isFirst = false;
          return engine.setUp(lines);
        };
        await createSchema({ ...engine, setUp: late }, LATER);
        expect(await keyOf(engine)).toEqual([...NEW_KEY, 'workspace']);
        expect(await stored(engine)).toEqual(upgraded(rows).map((row) => ({ ...row, workspace: '' })));
      }));
  });
}

/** Opens a database that holds the rows of 0.1, and no more. */
async function openAtPlace({ url, remove }: Place): Promise<OpenEngine> {
  const engine = openAt(url);
  return { engine, close: () => engine.close().then(remove) };
}

function processes(name: string, makePlace: () => Promise<Place>): void {
  it(`are upgraded by six processes that start at once on ${name}`, async () => {
    const starters = await startRacers(6);
    for (let round = 0; round < 3; round++) {
      const place = await makePlace();
      const engine = openAt(place.url);
      const rows = await fillWell(engine);
      await starters.all('open', [place.url]);
      await starters.all('setUp', []);
      await expectUpgraded(engine, rows);
      // Each process still works on the changed table.
      const ids = await starters.all('create', [`${round}@example.com`]);
      expect(new Set(ids.flat()).size).toBe(1);
      await engine.close();
      await place.remove();
    }
    await starters.stop();
  });
}

keyChange('sqlite', async () => openAtPlace(await sqlitePlace()));
await describeService('connections of 0.1', postgresUrl(), () => {
  keyChange('postgres', async () => openAtPlace(await postgresPlace()));
  processes('postgres', postgresPlace);
});
keyChange('d1', async () => {
  const { database, close } = await startD1();
  return { engine: openD1(database), close };
});

describe('connections of 0.1 in a SQLite file', () => {
  processes('sqlite', sqlitePlace);

  it('are upgraded by the next process when the first is killed inside its transaction', async () => {
    const place = await sqlitePlace();
    const engine = openAt(place.url);
    const rows = await fillWell(engine);
    expect(await dieInSetUp(place.url)).toBe('SIGKILL');
    expect(await keyOf(engine)).toEqual(OLD_KEY);
    expect(await stored(engine)).toHaveLength(rows.length);
    const next = openAt(place.url);
    await createSchema(next);
    await expectUpgraded(next, rows);
    await expectUpgraded(engine, rows);
    await Promise.all([engine.close(), next.close()]);
    await place.remove();
  });
});
