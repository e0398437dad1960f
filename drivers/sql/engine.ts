// What a database must be able to do: run one compiled statement, or several as one atomic batch.
import { CompiledQuery } from 'kysely';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { DiskFull, Unavailable } from '../../src/ports/unavailable.ts';
import {
  addStatements,
  changeStatements,
  CURRENT,
  type Found,
  type FoundRow,
  isComplete,
  isSame,
  lookStatement,
  readFound,
  refusal,
  type Version,
} from './migrations.ts';
import type { Dialect } from './schema.ts';

const MAX_LOOKS = 4;

export interface Result<R = unknown> {
  rows: R[];
  /** Rows inserted, updated or deleted; meaningless for a select. */
  changes: number;
}

export interface Engine {
  dialect: Dialect;
  /** The maximum number of parameters in one statement. */
  maxParameters: number;
  run(query: CompiledQuery): Promise<Result>;
  /** Runs all statements in order or none; each sees the effects of the ones before it. */
  batch(queries: readonly CompiledQuery[]): Promise<Result[]>;
  /** Runs repeatable schema statements; any number of processes may do so at once. */
  setUp(statements: readonly string[]): Promise<void>;
  /** Takes what deleted rows have left out of the files of the database. Absent where the database does that by itself. */
  scrub?(): void;
  close(): Promise<void>;
}

/**
 * Creates what is missing, once after opening and before the first query. One query looks for it first,
 * because PostgreSQL locks a table against writes before it notices that the index exists. Fails when a newer
 * program has made the database unusable for this one. decision: 005
 */
export async function createSchema(engine: Engine, version: Version = CURRENT): Promise<void> {
  // Further looks are for what another process, perhaps of another version, changes at the same time.
  for (let look = 1; look <= MAX_LOOKS; look++) {
    const found = await find(engine, version);
    const refused = refusal(found, version);
    if (refused !== null) throw new DriverFailure(refused);
    if (isComplete(found, version)) return;
    try {
      // Columns come first, because an index may use one of them.
      const columns = addStatements(engine.dialect, found, version);
      if (columns.length > 0) await engine.setUp(columns);
      await engine.setUp(changeStatements(engine.dialect, found, version));
    } catch (error) {
      // SQLite has no "if not exists" for a column, and a changed key stops the statements for the former one.
      if (look === MAX_LOOKS || isSame(found, await find(engine, version))) throw error;
    }
  }
}

async function find(engine: Engine, version: Version): Promise<Found> {
  const ask = async (withRow: boolean) => {
    const { rows } = await engine.run(CompiledQuery.raw(lookStatement(engine.dialect, version, withRow)));
    // `lookStatement` has exactly these columns
    return readFound(rows as FoundRow[]);
  };
  try {
    return await ask(true);
  } catch (error) {
    if (!(error instanceof DriverFailure)) throw error;
    // The table of the row is missing. Any other failure comes again.
    return ask(false);
  }
}

/** The types of values that every column and parameter uses. */
export function parameter(value: unknown): string | number | null {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new TypeError(`a parameter must be text, a number or null, not ${typeof value}`);
}

/** `passing` is one statement's conflict with other work; `away` and `full` hold for the whole database. */
export type FailureKind = 'lasting' | 'passing' | 'away' | 'full';

/** `statement` is SQL, of which only the table is shown, or says in plain words what failed. */
export function engineError(
  engine: string,
  statement: string,
  cause: unknown,
  kind: FailureKind = 'lasting',
): Error {
  const what = describeWork(statement);
  const message = `[${engine}] ${what === '' ? '' : `${what}: `}${reason(cause)}`;
  switch (kind) {
    case 'lasting':
      return new DriverFailure(message, { cause });
    case 'passing':
      return new Unavailable(message, { cause });
    case 'away':
      return new Unavailable(message, { cause, part: 'database' });
    case 'full':
      return new DiskFull(message, { cause, part: 'database' });
  }
}

/** Operators read the message, so it holds no SQL. */
function describeWork(statement: string): string {
  if (statement.startsWith('cannot ')) return statement;
  const [, table] = /\b(?:from|into|update) "(\w+)"/i.exec(statement) ?? [];
  if (table === undefined) return '';
  return `cannot ${/^select\b/i.test(statement) ? 'read' : 'write'} ${table}`;
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message === '' && cause.cause !== undefined) return reason(cause.cause);
  // A refused connection to a name with two addresses is an AggregateError without a message.
  if (cause.message === '' && cause instanceof AggregateError) return cause.errors.map(reason).join(', ');
  return cause.message;
}
