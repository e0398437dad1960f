// Tests SQLite on a slow or failing disk: a write is acknowledged only after the sync.
import type * as Files from 'node:fs';
import { CompiledQuery } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { sqlitePlace } from './store/open.ts';

const disk = vi.hoisted(() => ({ syncs: [] as Files.NoParamCallback[], isSlow: false }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof Files>();
  const fdatasync = (file: number, done: Files.NoParamCallback) =>
    disk.isSlow ? void disk.syncs.push(done) : fs.fdatasync(file, done);
  return { ...fs, fdatasync };
});

afterEach(() => {
  disk.isSlow = false;
  disk.syncs = [];
});

const insert = (value: number) => CompiledQuery.raw(`insert into t values (${value})`);

async function openSlow() {
  const { url, remove } = await sqlitePlace();
  const engine = openSqlite(url.slice('sqlite:'.length));
  await engine.setUp(['create table t (a integer primary key)']);
  disk.isSlow = true;
  const close = async () => {
    await engine.close();
    await remove();
  };
  return { engine, close };
}

const syncAsked = (times: number) => expect.poll(() => disk.syncs).toHaveLength(times);

it('acknowledges a SQLite write after the disk sync and groups the writes that wait meanwhile', async () => {
  const { engine, close } = await openSlow();
  const answered: number[] = [];
  const write = (value: number) => engine.run(insert(value)).then(() => answered.push(value));
  const first = write(1);
  await syncAsked(1);
  const others = [write(2), write(3)];
  expect((await engine.run(CompiledQuery.raw('select a from t'))).rows).toStrictEqual([{ a: 1 }]);
  expect(answered).toStrictEqual([]);
  disk.syncs[0]?.(null);
  await first;
  await syncAsked(2);
  expect(answered).toStrictEqual([1]);
  disk.syncs[1]?.(null);
  await Promise.all(others);
  expect(answered).toStrictEqual([1, 2, 3]);
  await close();
});

it('rejects a SQLite write when the sync fails, and syncs the next write', async () => {
  const { engine, close } = await openSlow();
  const refused = engine.run(insert(1));
  await syncAsked(1);
  disk.syncs[0]?.(Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
  await expect(refused).rejects.toThrow('[sqlite] cannot sync: EIO');
  disk.isSlow = false;
  expect((await engine.run(insert(2))).changes).toBe(1);
  await close();
});

it('rejects a statement that SQLite refuses without waiting for the disk', async () => {
  const { engine, close } = await openSlow();
  await expect(engine.run(CompiledQuery.raw("insert into t values ('text')"))).rejects.toThrow('mismatch');
  expect(disk.syncs).toStrictEqual([]);
  await close();
});
