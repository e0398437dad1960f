// A query is built and compiled once, with slots, when it is first asked; afterwards only its parameters change.
import { sql, type CompiledQuery, type Insertable, type RawBuilder } from 'kysely';
import type { Database, Table } from './schema.ts';
import { tables } from './tables.ts';

interface Slot {
  slot: string;
}

const isSlot = (value: unknown): value is Slot =>
  typeof value === 'object' && value !== null && 'slot' in value;

/** The answer binds arguments. `build` may only pass the slots on, never look at them. */
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
    // Kysely takes any value as a parameter, a slot too. Not sooner: at the edge a request waits while everything is made.
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
  // `tables` has the columns of the row, and no others
  return Object.fromEntries(entries) as Insertable<Database[T]>;
}

/** The update part of an upsert: every column from the row that could not be inserted, but for some. */
export function setToExcluded<T extends Table, E extends keyof Database[T]>(table: T, ...except: E[]) {
  const entries = columns(table)
    .filter((name) => !except.some((other) => other === name))
    .map((name) => [name, sql.ref(`excluded.${name}`)]);
  // `tables` has the columns of the row, and no others
  return Object.fromEntries(entries) as Record<Exclude<keyof Database[T], E>, RawBuilder<never>>;
}

/**
 * Every column of the table that this version knows, by name. Never `*`: where a newer version adds a column, PostgreSQL
 * refuses what was prepared with it. postgres.js 3.4.9 then asks again among the queries under way, and their answers go
 * to the wrong ones (connection.js, `retry`).
 */
export function columns<T extends Table>(table: T): (keyof Database[T] & string)[] {
  // `tables` has the columns of the row, and no others
  return Object.keys(tables[table].columns) as (keyof Database[T] & string)[];
}
