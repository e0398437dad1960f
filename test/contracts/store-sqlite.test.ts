// Runs the store contract on a SQLite file, and tests locks, permissions and closing.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CompiledQuery } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { openAt } from './store/open-at.ts';
import { openEmptySqlite, sqlitePlace, storeOn } from './store/open.ts';
import { agentKey, executionKey, newUser } from './store/records.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { storeContract } from './store-contract.ts';

storeContract('sqlite', (options) => storeOn(openEmptySqlite(), options));

it('does not know the named keys of a person whose row was deleted by hand', async () => {
  const { engine, close } = await openEmptySqlite();
  const { users, agentKeys } = createSqlStore(engine);
  const made = agentKey({ user_id: (await users.create(newUser())).id });
  await agentKeys.add(made, 1);
  expect(await agentKeys.bySha(made.key_sha)).toStrictEqual(made);
  await engine.run(CompiledQuery.raw('delete from users'));
  expect(await agentKeys.bySha(made.key_sha)).toBeNull();
  expect(await agentKeys.get(made.id)).toBeNull();
  await close();
});

it('says of a key that was given back between two statements that it can be claimed again', async () => {
  const { engine, close } = await openEmptySqlite();
  let beforeRead: (() => Promise<void>) | undefined;
  const { executionKeys, users } = createSqlStore({
    ...engine,
    async run(query) {
      const first = beforeRead;
      beforeRead = undefined;
      await first?.();
      return engine.run(query);
    },
  });
  const held = executionKey({ user_id: (await users.create(newUser())).id });
  const next = { ...held, run: 'next' };
  expect(await executionKeys.claim(held, 9)).toBe('claimed');
  beforeRead = () => executionKeys.release(held.id, held.run);
  expect(await executionKeys.claim(next, 9)).toBe('free');
  expect(await executionKeys.claim(next, 9)).toBe('claimed');
  await close();
});

describe('SQLite file', () => {
  it('creates the file and its directory, readable for the owner only', async () => {
    const { url, remove } = await sqlitePlace();
    const path = url.slice('sqlite:'.length);
    const engine = openSqlite(path);
    await engine.setUp(['create table t (a)']);
    for (const file of [path, `${path}-wal`]) expect((await stat(file)).mode & 0o777, file).toBe(0o600);
    const { rows } = await engine.run(CompiledQuery.raw('pragma journal_mode'));
    expect(rows).toStrictEqual([{ journal_mode: 'wal' }]);
    await engine.close();
    await remove();
  });

  it('commits concurrent batches in order and rolls back only the failed batch', async () => {
    const { url, remove } = await sqlitePlace();
    const engine = openAt(url);
    await engine.setUp(['create table t (a integer primary key)']);
    const insert = (value: number) => CompiledQuery.raw(`insert into t values (${value})`);
    const select = CompiledQuery.raw('select a from t order by a');
    const answers = await Promise.allSettled([
      engine.batch([insert(1), select]),
      engine.batch([insert(2), insert(1)]),
      engine.batch([insert(3), select]),
    ]);
    const seen = (values: number[]) => ({
      status: 'fulfilled',
      value: [expect.anything(), { rows: values.map((a) => ({ a })), changes: values.length }],
    });
    expect(answers).toStrictEqual([
      seen([1]),
      { status: 'rejected', reason: expect.objectContaining({ message: expect.stringContaining('UNIQUE') }) },
      seen([1, 3]),
    ]);
    expect((await engine.run(select)).rows).toStrictEqual([{ a: 1 }, { a: 3 }]);
    await engine.close();
    await remove();
  });

  it('finishes pending batches before it closes', async () => {
    const { url, remove } = await sqlitePlace();
    const engine = openAt(url);
    await engine.setUp(['create table t (a)']);
    const last = engine.batch([CompiledQuery.raw('insert into t values (1)')]);
    await engine.close();
    expect(await last).toStrictEqual([{ rows: [], changes: 1 }]);
    await remove();
  });

  it('reports a file that another process keeps locked as unavailable', async () => {
    const { url, remove } = await sqlitePlace();
    const [holder, other] = [openAt(url), openSqlite(url.slice('sqlite:'.length), { busyMs: 0 })];
    const run = (statement: string) => other.run(CompiledQuery.raw(statement));
    await holder.run(CompiledQuery.raw('begin immediate'));
    await expect(run('create table t (a)')).rejects.toThrow(Unavailable);
    // Concurrent writes wait for the lock together.
    const writes = [1, 2, 3].map(() => run('create table t (a)'));
    for (const { reason } of (await Promise.allSettled(writes)) as PromiseRejectedResult[])
      expect(reason).toMatchObject({
        name: 'Unavailable',
        message: '[sqlite] database is locked',
      });
    await expect(other.setUp(['create table t (a)'])).rejects.toThrow('[sqlite] database is locked');
    await holder.run(CompiledQuery.raw('rollback'));
    await run('create table t (a)');
    await Promise.all([holder.close(), other.close()]);
    await remove();
  });

  it('makes writes wait for the lock of another process, but not reads', async () => {
    const { url, remove } = await sqlitePlace();
    const [holder, other] = [openAt(url), openAt(url)];
    await other.setUp(['create table t (a)']);
    await holder.run(CompiledQuery.raw('begin immediate'));
    const write = other.run(CompiledQuery.raw('insert into t values (1)'));
    const both = other.batch(['2', '3'].map((a) => CompiledQuery.raw(`insert into t values (${a})`)));
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect((await other.run(CompiledQuery.raw('select a from t'))).rows).toStrictEqual([]);
    await holder.run(CompiledQuery.raw('rollback'));
    await Promise.all([write, both]);
    const { rows } = await other.run(CompiledQuery.raw('select a from t order by rowid'));
    expect(rows).toStrictEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
    await Promise.all([holder.close(), other.close()]);
    await remove();
  });

  it('returns a column that another process has added since the statement first ran', async () => {
    const { url, remove } = await sqlitePlace();
    const [reader, writer] = [openAt(url), openAt(url)];
    await writer.setUp(['create table t (a)', 'insert into t values (1)']);
    const select = CompiledQuery.raw('select * from t');
    expect((await reader.run(select)).rows).toStrictEqual([{ a: 1 }]);
    await writer.setUp(['alter table t add column b default 2']);
    expect((await reader.run(select)).rows).toStrictEqual([{ a: 1, b: 2 }]);
    await Promise.all([reader.close(), writer.close()]);
    await remove();
  });

  it.skipIf(process.platform === 'win32')('refuses writes after the file was removed', async () => {
    const { url, remove } = await sqlitePlace();
    const engine = openAt(url);
    await engine.setUp(['create table t (a)']);
    await remove();
    await expect(engine.run(CompiledQuery.raw('insert into t values (1)'))).rejects.toThrow(
      '[sqlite] cannot sync: the file was removed',
    );
    await engine.close();
  });

  it('fails on a client whose redirect addresses are damaged', async () => {
    const { engine, close } = await openEmptySqlite();
    const { clients } = createSqlStore(engine);
    const client = {
      client_id: 'a',
      client_name: null,
      redirect_uris: ['https://a.example/cb'],
      created_at: 1,
    };
    await clients.put(client);
    expect(await clients.get('a')).toStrictEqual(client);
    for (const damaged of ['not JSON', '"text"', '[1]']) {
      await engine.run(CompiledQuery.raw(`update oauth_clients set redirect_uris = '${damaged}'`));
      await expect(clients.get('a')).rejects.toThrow();
    }
    await close();
  });

  it('names the path that cannot be opened', async () => {
    const { url, remove } = await sqlitePlace();
    const directory = dirname(dirname(url.slice('sqlite:'.length)));
    expect(() => openSqlite(directory)).toThrow(`[sqlite] cannot open ${directory}`);
    await remove();
  });
});
