// Kysely as a typed SQL compiler: a query is built once with slots, and only its parameters change afterwards.
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type Insertable,
  type RawBuilder,
} from 'kysely';
import { tables, type Database, type Dialect, type Table } from './schema.ts';

export function createBuilder(dialect: Dialect): Kysely<Database> {
  const createDriver = () => new DummyDriver();
  return new Kysely<Database>({
    dialect:
      dialect === 'postgres'
        ? {
            createDriver,
            createAdapter: () => new PostgresAdapter(),
            createQueryCompiler: () => new PostgresQueryCompiler(),
            createIntrospector: (db) => new PostgresIntrospector(db),
          }
        : {
            createDriver,
            createAdapter: () => new SqliteAdapter(),
            createQueryCompiler: () => new SqliteQueryCompiler(),
            createIntrospector: (db) => new SqliteIntrospector(db),
          },
  });
}

interface Slot {
  slot: string;
}

const isSlot = (value: unknown): value is Slot => typeof value === 'object' && value !== null && 'slot' in value;

/** Compiles now; the answer binds arguments. `build` may only pass the slots on, never look at them. */
export function prepare<A extends object, R>(
  build: (slots: A) => { compile(): CompiledQuery<R> },
): (args: A) => CompiledQuery<R> {
  // Kysely takes any value as a parameter, so a slot may stand where the value will be.
  const slots = new Proxy({}, { get: (_, slot): Slot | undefined => (typeof slot === 'string' ? { slot } : undefined) });
  const compiled = build(slots as A).compile();
  return (args) => ({
    ...compiled,
    // The slot's name is a key of A: it came out of the proxy that stood for A.
    parameters: compiled.parameters.map((value) => (isSlot(value) ? args[value.slot as keyof A] : value)),
  });
}

/** The columns of a table, but for some. */
export function columns<T extends Table, E extends keyof Database[T] = never>(table: T, ...except: E[]) {
  // Object.keys forgets the type that `tables` states.
  const names = Object.keys(tables[table].columns) as (keyof Database[T])[];
  return names.filter((name): name is Exclude<keyof Database[T], E> => !except.some((other) => other === name));
}

/** Every column of `record`, as an insert takes them. */
export function values<T extends Table>(table: T, record: Insertable<Database[T]>): Insertable<Database[T]> {
  const source: Record<PropertyKey, unknown> = record;
  const entries = columns(table).map((name) => [name, source[name]]);
  return Object.fromEntries(entries) as Insertable<Database[T]>;
}

/** The update part of an upsert: every column from the row that could not be inserted, but for some. */
export function excluded<T extends Table, E extends keyof Database[T]>(table: T, ...except: E[]) {
  const entries = columns(table, ...except).map((name) => [name, sql.ref(`excluded.${String(name)}`)]);
  return Object.fromEntries(entries) as Record<Exclude<keyof Database[T], E>, RawBuilder<never>>;
}
