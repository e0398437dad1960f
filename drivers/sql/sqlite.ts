// SQLite in a file through node:sqlite: synchronous underneath, durable at every commit, shared by several processes.
// Batches that are asked for in one turn of the event loop are one commit: waiting for the disk is what a write costs.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { engineError, parameter, type Engine, type Result } from './engine.ts';

const BUSY_TIMEOUT_MS = 10_000;
const SQLITE_BUSY = 5;

// A turn costs microseconds and a commit a wait for the disk, but nobody waits for ever.
const MOST_TURNS = 8;

interface Waiting {
  queries: readonly CompiledQuery[];
  resolve: (results: Result[]) => void;
  reject: (error: unknown) => void;
}

export function openSqlite(path: string): Engine {
  const database = open(path);
  const statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>();

  function execute(query: CompiledQuery): Result {
    try {
      let entry = statements.get(query.sql);
      if (entry === undefined) {
        const statement = database.prepare(query.sql);
        entry = { statement, returnsRows: statement.columns().length > 0 };
        statements.set(query.sql, entry);
      }
      const parameters = query.parameters.map(parameter);
      if (!entry.returnsRows)
        return { rows: [], changes: Number(entry.statement.run(...parameters).changes) };
      const rows = entry.statement.all(...parameters).map((row) => ({ ...row }));
      return { rows, changes: rows.length };
    } catch (error) {
      throw failure(query.sql, error);
    }
  }

  function atomically<T>(work: () => T): T {
    command(database, 'BEGIN IMMEDIATE');
    try {
      const result = work();
      command(database, 'COMMIT');
      return result;
    } catch (error) {
      // A full disk has rolled back already.
      if (database.isTransaction) command(database, 'ROLLBACK');
      throw error;
    }
  }

  let waiting: Waiting[] = [];

  /** At the end of this turn of the event loop, or of a later one while each turn brings more. */
  function commitSoon(seen: number, turns: number): void {
    setImmediate(() => {
      if (waiting.length > seen && turns > 1) commitSoon(waiting.length, turns - 1);
      else commitWaiting();
    });
  }

  function commitWaiting(): void {
    const group = waiting;
    waiting = [];
    try {
      const results = atomically(() => group.map(({ queries }) => queries.map(execute)));
      group.forEach(({ resolve }, at) => resolve(results[at] ?? []));
    } catch (error) {
      // Nothing of the group was done. One by one, what fails takes nothing else with it.
      if (group.length === 1) return group[0]?.reject(error);
      for (const one of group) {
        waiting = [one];
        commitWaiting();
      }
    }
  }

  return {
    dialect: 'sqlite',
    maxParameters: 32_766,
    run: async (query) => execute(query),
    batch: (queries) =>
      new Promise((resolve, reject) => {
        waiting.push({ queries, resolve, reject });
        if (waiting.length === 1) commitSoon(1, MOST_TURNS);
      }),
    setUp: async (lines) => atomically(() => lines.forEach((line) => command(database, line))),
    async close() {
      if (waiting.length > 0) commitWaiting();
      database.close();
    },
  };
}

function open(path: string): DatabaseSync {
  const database = create(path);
  retryWhileBusy(() => command(database, 'PRAGMA journal_mode = WAL'));
  command(database, 'PRAGMA synchronous = FULL');
  return database;
}

function create(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // SQLite gives its journal files the mode of the database.
    closeSync(openSync(path, 'a', 0o600));
    return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: false });
  } catch (error) {
    throw failure(`open ${path}`, error);
  }
}

/** The busy timeout does not cover the switch to WAL, which processes that open a new file at once all make. */
function retryWhileBusy(work: () => void): void {
  const end = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Unavailable) || performance.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

function command(database: DatabaseSync, statement: string): void {
  try {
    database.exec(statement);
  } catch (error) {
    throw failure(statement, error);
  }
}

function failure(statement: string, error: unknown): Error {
  // The low byte is the error, the others its variety.
  const isBusy =
    error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
  return engineError('sqlite', statement, error, isBusy ? Unavailable : Error);
}
