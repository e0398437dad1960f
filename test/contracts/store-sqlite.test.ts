// The store on a SQLite file.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CompiledQuery } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { openAt } from './store/open-at.ts';
import { openEmptySqlite, sqlitePlace, storeOn } from './store/open.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { processesContract } from './store/processes.ts';
import { storeContract } from './store-contract.ts';

storeContract('sqlite', () => storeOn(openEmptySqlite()));
processesContract('sqlite', sqlitePlace);

describe('SQLite file', () => {
  it('is made with its directory, for its owner only, and durable at every commit', async () => {
    const { url, remove } = await sqlitePlace();
    const path = url.slice('sqlite:'.length);
    const engine = openSqlite(path);
    await engine.setUp(['create table t (a)']);
    for (const file of [path, `${path}-wal`]) expect((await stat(file)).mode & 0o777).toBe(0o600);
    const pragma = async (name: string) => (await engine.run(CompiledQuery.raw(`pragma ${name}`))).rows;
    expect(await pragma('journal_mode')).toStrictEqual([{ journal_mode: 'wal' }]);
    expect(await pragma('synchronous')).toStrictEqual([{ synchronous: 2 }]);
    await engine.close();
    await remove();
  });

  it('that another process keeps locked is unavailable', async () => {
    const { url, remove } = await sqlitePlace();
    const [holder, other] = [openAt(url), openAt(url)];
    const run = (statement: string) => other.run(CompiledQuery.raw(statement));
    await holder.run(CompiledQuery.raw('begin immediate'));
    await run('pragma busy_timeout = 0');
    await expect(run('create table t (a)')).rejects.toThrow(Unavailable);
    await expect(other.setUp(['create table t (a)'])).rejects.toThrow(
      '[sqlite] BEGIN IMMEDIATE: database is locked',
    );
    await holder.run(CompiledQuery.raw('rollback'));
    await run('create table t (a)');
    await Promise.all([holder.close(), other.close()]);
    await remove();
  });

  it('that cannot be opened is an error with its path', async () => {
    const { url, remove } = await sqlitePlace();
    const directory = dirname(dirname(url.slice('sqlite:'.length)));
    expect(() => openSqlite(directory)).toThrow(`[sqlite] open ${directory}`);
    await remove();
  });
});
