// What a database must be able to do: run one compiled statement, or several as one atomic batch.
import { CompiledQuery } from 'kysely';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { Unavailable } from '../../src/ports/unavailable.ts';
import type { Dialect } from './schema.ts';
import { addStatements, createStatements, lookStatement, schemaNames } from './tables.ts';

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
  close(): Promise<void>;
}

/**
 * Creates what is missing, once after opening and before the first query. One query looks for it first,
 * because PostgreSQL locks a table against writes before it notices that the index exists.
 */
export async function createSchema(engine: Engine): Promise<void> {
  const there = await namesThere(engine);
  if (schemaNames().every((name) => there.has(name))) return;
  // Columns come first, because an index may use one of them.
  await addColumns(engine, addStatements(engine.dialect, there));
  await engine.setUp(createStatements(engine.dialect));
}

async function addColumns(engine: Engine, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  try {
    await engine.setUp(statements);
  } catch (error) {
    // SQLite has no "if not exists" for a column, and another process may have added it first.
    if (addStatements(engine.dialect, await namesThere(engine)).length > 0) throw error;
  }
}

async function namesThere(engine: Engine): Promise<Set<string>> {
  const { rows } = await engine.run(CompiledQuery.raw(lookStatement(engine.dialect)));
  // `lookStatement` has exactly one column
  return new Set((rows as { name: string }[]).map(({ name }) => name));
}

/** The types of values that every column and parameter uses. */
export function parameter(value: unknown): string | number | null {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new TypeError(`a parameter must be text, a number or null, not ${typeof value}`);
}

/** Shows the beginning of the statement and the reason. Its parameters are secrets and are left out. */
export function engineError(
  engine: string,
  statement: string,
  cause: unknown,
  Kind: typeof DriverFailure | typeof Unavailable = DriverFailure,
): Error {
  const what = statement.length > 60 ? `${statement.slice(0, 60)}…` : statement;
  return new Kind(`[${engine}] ${what}: ${reason(cause)}`, { cause });
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message === '' && cause.cause !== undefined) return reason(cause.cause);
  // A refused connection to a name with two addresses is an AggregateError without a message.
  if (cause.message === '' && cause instanceof AggregateError) return cause.errors.map(reason).join(', ');
  return cause.message;
}
