// SQLite in a file through node:sqlite: synchronous, durable before every answer, shared by several
// processes. Writes that arrive while the disk is busy become one commit. Reads wait neither for the disk nor
// for another process that locks the file.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { CompiledQuery } from 'kysely';
import { DiskFull, Unavailable } from '../../src/ports/unavailable.ts';
import { engineError, type FailureKind, parameter, type Engine, type Result } from './engine.ts';
import { createDiskSync } from './disk-sync.ts';

const BUSY_TIMEOUT_MS = 10_000;
const BUSY_PAUSE_MS = 1;
const SCRUB_PAUSE_MS = 1_000;
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;
const EMPTY_LOG = CompiledQuery.raw('pragma wal_checkpoint(truncate)');
const READS = /^(select|pragma)\b/i;

interface Waiting {
  queries: readonly CompiledQuery[];
  since: number;
  resolve: (results: Result[]) => void;
  reject: (error: unknown) => void;
}

interface Prepared {
  statement: StatementSync;
  /** The names of the columns that the statement returns. */
  names: string[];
  /** A row without values. V8 copies its shape faster than it adds one column after the other. */
  blank: Record<string, unknown>;
}

export function openSqlite(path: string, { busyMs = BUSY_TIMEOUT_MS } = {}): Engine {
  const database = open(path);
  const statements = new Map<string, Prepared>();

  function execute(query: CompiledQuery): Result {
    try {
      let entry = statements.get(query.sql);
      if (entry === undefined) {
        const statement = database.prepare(query.sql);
        statement.setReturnArrays(true);
        entry = { statement, ...columnsOf(statement) };
        statements.set(query.sql, entry);
      }
      // Checked in place: every call writes a row, and 64 rows have more than a thousand parameters.
      for (const each of query.parameters) parameter(each);
      const parameters = query.parameters as readonly ReturnType<typeof parameter>[];
      if (entry.names.length === 0)
        return { rows: [], changes: Number(entry.statement.run(...parameters).changes) };
      const rows = toObjects(entry, entry.statement.all(...parameters));
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
      // A full disk has already rolled the transaction back.
      if (database.isTransaction) command(database, 'ROLLBACK');
      throw error;
    }
  }

  const disk = createDiskSync(`${path}-wal`);
  let waiting: Waiting[] = [];
  let writing: Promise<void> | null = null;

  /** Runs at the end of this turn of the event loop, and again for writes that arrived during the sync. */
  async function writeWaiting(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      const putOff: Waiting[] = [];
      const answers = commit(group, putOff);
      try {
        if (answers.length > 0) await disk.sync();
        for (const answer of answers) answer();
      } catch (error) {
        const done = group.filter((one) => !putOff.includes(one));
        for (const { reject } of done)
          reject(engineError('sqlite', 'cannot sync', error, hasNoSpace(error) ? 'full' : 'lasting'));
      }
      if (scrubAt !== null && performance.now() >= scrubAt) emptyLog();
      if (putOff.length === 0) continue;
      await pause();
      waiting.unshift(...putOff);
    }
    writing = null;
  }

  /**
   * Returns the answers of the statements that succeeded, to be sent after the sync. `putOff` takes the
   * writes to retry.
   */
  function commit(group: readonly Waiting[], putOff: Waiting[]): (() => void)[] {
    try {
      const work = () => group.map(({ queries }) => queries.map(execute));
      // A single statement is a transaction by itself.
      const alone = group.length === 1 && group[0]?.queries.length === 1;
      const results = alone ? work() : atomically(work);
      return group.map(({ resolve }, at) => resolve.bind(null, results[at] ?? []));
    } catch (error) {
      // The group was rolled back. The writes run again one by one, so that a failing one fails alone; a
      // locked file fails all of them.
      const waits = isLocked(error);
      if (group.length > 1 && !waits) return group.flatMap((one) => commit([one], putOff));
      for (const one of group) {
        if (waits && hasTime(one.since)) putOff.push(one);
        else one.reject(error);
      }
      return [];
    }
  }

  const hasTime = (since: number) => performance.now() - since < busyMs;

  function whenFree<T>(work: () => T): T | Promise<T> {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error)) throw error;
      return onceFree(work, performance.now());
    }
  }

  async function onceFree<T>(work: () => T, since: number): Promise<T> {
    for (;;) {
      await pause();
      try {
        return work();
      } catch (error) {
        if (!isLocked(error) || !hasTime(since)) throw error;
      }
    }
  }

  /** When the log is to be emptied. Null when nothing in it has to go. */
  let scrubAt: number | null = null;

  /**
   * Deleted rows stay in the log until it is written anew. A process that reads, such as a backup, keeps it from being emptied:
   * then a later write tries again.
   */
  function emptyLog(): void {
    try {
      // The statement returns this row.
      const [state] = execute(EMPTY_LOG).rows as [{ busy: number }];
      scrubAt = state.busy === 0 ? null : performance.now() + SCRUB_PAUSE_MS;
    } catch {
      scrubAt = performance.now() + SCRUB_PAUSE_MS;
    }
  }

  function write(queries: readonly CompiledQuery[]): Promise<Result[]> {
    return new Promise((resolve, reject) => {
      waiting.push({ queries, since: performance.now(), resolve, reject });
      writing ??= writeWaiting();
    });
  }

  return {
    dialect: 'sqlite',
    maxParameters: 32_766,
    async run(query) {
      if (READS.test(query.sql)) return whenFree(() => execute(query));
      const [result] = await write([query]);
      return result ?? { rows: [], changes: 0 };
    },
    batch: write,
    scrub: emptyLog,
    async setUp(lines) {
      await whenFree(() => atomically(() => lines.forEach((line) => command(database, line))));
      await disk.sync();
    },
    async close() {
      await writing;
      database.close();
      disk.close();
    },
  };
}

function columnsOf(statement: StatementSync): Pick<Prepared, 'names' | 'blank'> {
  const names = statement.columns().map(({ name }) => name);
  return { names, blank: Object.fromEntries(names.map((name) => [name, null])) };
}

/**
 * Makes objects of the lists of values that the statement returns. node:sqlite can make objects, but they have no prototype,
 * and to copy them takes longer than to read the rows.
 */
function toObjects(prepared: Prepared, rows: readonly object[]): Record<string, unknown>[] {
  return rows.map((row) => {
    const values = Object.values(row);
    // Another process has added a column, which `select *` returns as well.
    if (values.length !== prepared.names.length) Object.assign(prepared, columnsOf(prepared.statement));
    const object = { ...prepared.blank };
    for (const [at, name] of prepared.names.entries()) object[name] = values[at];
    return object;
  });
}

function open(path: string): DatabaseSync {
  const database = create(path);
  retryWhileBusy(() => command(database, 'PRAGMA journal_mode = WAL'));
  // A commit first reaches the file, then the disk. The wait for the disk happens off the event loop.
  command(database, 'PRAGMA synchronous = NORMAL');
  // SQLite overwrites deleted rows with zeros. Otherwise they stay in the file until their page is used again.
  command(database, 'PRAGMA secure_delete = ON');
  // From here on a file that another process has locked fails at once: SQLite's own wait would block the
  // process.
  command(database, 'PRAGMA busy_timeout = 0');
  return database;
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));

function create(path: string): DatabaseSync {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // SQLite gives its journal files the same mode as the database.
    closeSync(openSync(path, 'a', 0o600));
    return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: false });
  } catch (error) {
    throw failure(`cannot open ${path}`, error);
  }
}

/**
 * The busy timeout does not cover the switch to WAL, which all processes attempt when they open a new file at
 * once.
 */
function retryWhileBusy(work: () => void): void {
  const end = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
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
  return engineError('sqlite', statement, error, kindOf(error));
}

function kindOf(error: unknown): FailureKind {
  if (!(error instanceof Error && 'errcode' in error)) return hasNoSpace(error) ? 'full' : 'lasting';
  // The low byte is the error, the others say which kind.
  const code = Number(error.errcode) & 0xff;
  if (code === SQLITE_FULL) return 'full';
  return code === SQLITE_BUSY ? 'away' : 'lasting';
}

/** Only a lock is worth the wait: a full disk stays full for longer. */
const isLocked = (error: unknown): boolean => error instanceof Unavailable && !(error instanceof DiskFull);

const hasNoSpace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
