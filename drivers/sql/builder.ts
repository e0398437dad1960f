// Kysely as a typed SQL compiler for a dialect: it builds queries and never runs one.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Database, Dialect } from './schema.ts';

export const createBuilder = (dialect: Dialect): Kysely<Database> =>
  new Kysely<Database>({
    dialect:
      dialect === 'postgres'
        ? {
            createDriver: () => new DummyDriver(),
            createAdapter: () => new PostgresAdapter(),
            createQueryCompiler: () => new PostgresQueryCompiler(),
            createIntrospector: (db) => new PostgresIntrospector(db),
          }
        : {
            createDriver: () => new DummyDriver(),
            createAdapter: () => new SqliteAdapter(),
            createQueryCompiler: () => new SqliteQueryCompiler(),
            createIntrospector: (db) => new SqliteIntrospector(db),
          },
  });
