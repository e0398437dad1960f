// Typed reads and writes over an engine. Rows get the type that Kysely derives for their statement.
import type { CompiledQuery } from 'kysely';
import type { Engine, Result } from './engine.ts';
import { type Builder, createBuilder } from './builder.ts';
import type { Dialect } from './schema.ts';

type Results<Q extends readonly CompiledQuery[]> = {
  [I in keyof Q]: Q[I] extends CompiledQuery<infer R> ? Result<R> : never;
};

export interface Sql {
  db: Builder;
  dialect: Dialect;
  maxParameters: number;
  all: <R>(query: CompiledQuery<R>) => Promise<R[]>;
  one: <R>(query: CompiledQuery<R>) => Promise<R | null>;
  /** Returns how many rows the statement changed. */
  change: (query: CompiledQuery) => Promise<number>;
  batch: <const Q extends readonly CompiledQuery[]>(queries: Q) => Promise<Results<Q>>;
  /** Call it when rows were deleted of which nothing may be left. */
  scrub: () => void;
}

export function createSql(engine: Engine): Sql {
  // the rows are those of this statement
  const run = <R>(query: CompiledQuery<R>) => engine.run(query) as Promise<Result<R>>;
  return {
    db: createBuilder(engine.dialect),
    dialect: engine.dialect,
    maxParameters: engine.maxParameters,
    all: async (query) => (await run(query)).rows,
    one: async (query) => (await run(query)).rows[0] ?? null,
    change: async (query) => (await run(query)).changes,
    batch: async <const Q extends readonly CompiledQuery[]>(queries: Q) =>
      // an engine returns one result per query, in order
      (await engine.batch(queries)) as unknown as Results<Q>,
    scrub: () => engine.scrub?.(),
  };
}
