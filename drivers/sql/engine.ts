// What a database must be able to do: run one compiled statement, or several as one atomic batch.
import { CompiledQuery } from 'kysely';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { Unavailable } from '../../src/ports/unavailable.ts';
import type { Dialect } from './schema.ts';
import { createStatements, schemaNames } from './tables.ts';

export interface Result<R = unknown> {
  rows: R[];
  /** Rows inserted, updated or deleted; of no meaning for a select. */
  changes: number;
}

export interface Engine {
  dialect: Dialect;
  /** The most parameters that one statement may carry. */
  maxParameters: number;
  run(query: CompiledQuery): Promise<Result>;
  /** All or nothing, in order; each statement sees what the ones before it did. */
  batch(queries: readonly CompiledQuery[]): Promise<Result[]>;
  /** Runs repeatable schema statements; any number of processes may do so at once. */
  setUp(statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates what is missing; once after opening, before the first query. Looked for first, in one way to the database and
 * back: PostgreSQL locks a table against writes before it sees that its index is there.
 */
export async function createSchema(engine: Engine): Promise<void> {
  const { rows } = await engine.run(countOf(engine));
  // the one row of `countOf`
  const [first] = rows as { there: number }[];
  if (first?.there !== schemaNames().length) await engine.setUp(createStatements(engine.dialect));
}

function countOf({ dialect }: Engine): CompiledQuery {
  const names = schemaNames()
    .map((name) => `'${name}'`)
    .join(', ');
  return CompiledQuery.raw(
    dialect === 'sqlite'
      ? `select count(*) as there from sqlite_master where name in (${names})`
      : `select count(*) as there from unnest(array[${names}]) as name where to_regclass(name) is not null`,
  );
}

/** The values that every column and every parameter has. */
export function parameter(value: unknown): string | number | null {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  throw new TypeError(`a parameter must be text, a number or null, not ${typeof value}`);
}

/** The statement's beginning and the reason; its parameters are secrets and stay out. */
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
