// Uses Kysely only to compile typed SQL for a dialect; it never runs a query. Only the compiling parts are
// imported: connections, schemas and introspection would be a seventh of what a Worker loads.
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
