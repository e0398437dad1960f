// Kysely as a typed SQL compiler for a dialect: it builds queries and never runs one. Of the whole `Kysely` only what
// compiles is taken: the rest (connections, schemas, introspection) would be a seventh of what a Worker has to load.
import {
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresQueryCompiler,
  QueryCreator,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';
import type { Database, Dialect } from './schema.ts';

export type Builder = QueryCreator<Database>;

export function createBuilder(dialect: Dialect): Builder {
  const [compiler, adapter] =
    dialect === 'postgres'
      ? [new PostgresQueryCompiler(), new PostgresAdapter()]
      : [new SqliteQueryCompiler(), new SqliteAdapter()];
  const provideConnection = () => Promise.reject(new TypeError('the builder runs no query'));
  return new QueryCreator({ executor: new DefaultQueryExecutor(compiler, adapter, { provideConnection }) });
}
