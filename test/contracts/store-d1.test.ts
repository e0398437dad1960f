// Runs the store contract on D1 in a real workerd, and tests how D1's errors are classified.
import { CompiledQuery } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { type D1Statement, openD1 } from '../../drivers/sql/d1.ts';
import { createSchema } from '../../drivers/sql/engine.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { openEmptyD1, storeOn } from './store/open.ts';
import { storeContract } from './store-contract.ts';

// One test sends hundreds of statements, and each statement passes through two processes.
vi.setConfig({ testTimeout: 120_000 });

storeContract('d1', (options) => storeOn(openEmptyD1(), options));

it('adds a column that is new in the schema to D1', async () => {
  const { engine, close } = await openEmptyD1();
  await engine.run(CompiledQuery.raw('alter table refresh_tokens drop column rotated_at'));
  await createSchema(engine);
  const { rows } = await engine.run(CompiledQuery.raw('select rotated_at from refresh_tokens'));
  expect(rows).toEqual([]);
  await close();
});

describe('errors of D1', () => {
  /** Opens an engine on a database that rejects every statement with this message. */
  function failing(message: string) {
    const fail = () => Promise.reject(new Error(message));
    const statement: D1Statement = { bind: () => statement, all: fail };
    return openD1({ prepare: () => statement, batch: fail });
  }
  const query = CompiledQuery.raw('select 1');

  it.each([
    'D1_ERROR: Network connection lost.',
    'D1_ERROR: D1 DB reset because its code was updated.',
    'D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.',
    'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
    "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
    'D1_ERROR: D1 DB is overloaded. Too many requests queued.',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
    'D1_ERROR: internal error; reference = abc',
    'D1_ERROR: database is locked: SQLITE_BUSY',
    'Network connection lost.',
  ])('reports as unavailable: %s', async (message) => {
    const engine = failing(message);
    const calls = [() => engine.run(query), () => engine.batch([query]), () => engine.setUp(['select 1'])];
    for (const call of calls) await expect(call()).rejects.toThrow(Unavailable);
  });

  it.each([
    'D1_ERROR: UNIQUE constraint failed: u.a: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_PRIMARYKEY)',
    'D1_ERROR: near "selectz": syntax error at offset 0: SQLITE_ERROR',
    'D1_ERROR: statement too long: SQLITE_TOOBIG',
    'D1_ERROR: Wrong number of parameter bindings for SQL query.',
    'D1_ERROR: No SQL statements detected.',
    'D1_ERROR: Exceeded maximum DB size.',
    "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
  ])('reports as a lasting failure: %s', async (message) => {
    const engine = failing(message);
    await expect(engine.run(query)).rejects.toThrow(DriverFailure);
    await expect(engine.batch([query])).rejects.toThrow(DriverFailure);
  });

  it('reports a statement that the real D1 refuses as a lasting failure', async () => {
    const { engine, close } = await openEmptyD1();
    for (const sql of [
      'selectz',
      'select * from nope',
      'insert into leases (name) values (null)',
      'select ?',
    ])
      await expect(engine.run(CompiledQuery.raw(sql))).rejects.toThrow(DriverFailure);
    await close();
  });
});
