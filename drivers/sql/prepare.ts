// Builds and compiles a query once, with slots, when it first runs. Later only its parameters change.
import { sql, type CompiledQuery, type Insertable, type RawBuilder } from 'kysely';
import type { Database, Table } from './schema.ts';
import { tables } from './tables.ts';

interface Slot {
  slot: string;
}

const isSlot = (value: unknown): value is Slot =>
  typeof value === 'object' && value !== null && 'slot' in value;

/** Returns a function that binds arguments. `build` may only pass the slots on, never read them. */
export function prepare<A extends object, R>(
  build: (slots: A) => { compile(): CompiledQuery<R> },
): (args: A) => CompiledQuery<R> {
  const slots = new Proxy(
    {},
    { get: (_, slot): Slot | undefined => (typeof slot === 'string' ? { slot } : undefined) },
  );
  let compiled: CompiledQuery<R> | undefined;
  // a slot's name is the key of A that was read
  const value = (args: A, { slot }: Slot) => args[slot as keyof A];
  return (args) => {
    // Kysely accepts any value as a parameter, also a slot. The query is built late: at the edge a request
    // waits while everything is set up.
    compiled ??= build(slots as A).compile();
    const parameters = compiled.parameters.map((parameter) =>
      isSlot(parameter) ? value(args, parameter) : parameter,
    );
    return { ...compiled, parameters };
  };
}

/** Every column of `record`, as an insert takes them. */
export function values<T extends Table>(table: T, record: Insertable<Database[T]>): Insertable<Database[T]> {
  const source: Record<string, unknown> = record;
  const entries = columns(table).map((name) => [name, source[name]]);
  // `tables` has exactly the columns of the row
  return Object.fromEntries(entries) as Insertable<Database[T]>;
}

/** The update part of an upsert: takes every column from the row that conflicted, except those listed. */
export function setToExcluded<T extends Table, E extends keyof Database[T]>(table: T, ...except: E[]) {
  const entries = columns(table)
    .filter((name) => !except.some((other) => other === name))
    .map((name) => [name, sql.ref(`excluded.${name}`)]);
  // `tables` has exactly the columns of the row
  return Object.fromEntries(entries) as Record<Exclude<keyof Database[T], E>, RawBuilder<never>>;
}

/**
 * Names every column of the table that this version knows; never `*`. When a newer version adds a column,
 * PostgreSQL refuses statements that were prepared with `*`. postgres.js 3.4.9 then repeats them among other
 * queries, and answers reach the wrong queries (connection.js, `retry`).
 */
export function columns<T extends Table>(table: T): (keyof Database[T] & string)[] {
  // `tables` has exactly the columns of the row
  return Object.keys(tables[table].columns) as (keyof Database[T] & string)[];
}
