// Gives values that a statement selects the type of their column: PostgreSQL has to be told it.
import { sql, type ExpressionBuilder, type RawBuilder } from 'kysely';
import { columns } from './prepare.ts';
import type { Database, Table } from './schema.ts';
import { tables } from './tables.ts';

export const typed = <T extends keyof Database>(is: ExpressionBuilder<Database, T>) => ({
  text: (value: string | null) => is.cast<string>(is.val(value), 'text'),
  number: (value: number | null) => is.cast<number>(is.val(value), 'bigint'),
});

/** Every column of `record`, as an insert from a select takes them. `others` has those that are no value of the record. */
export function selected<T extends Table, O extends keyof Database[T] = never>(
  table: T,
  record: { [C in Exclude<keyof Database[T], O>]: unknown },
  others?: Record<O, RawBuilder<unknown>>,
) {
  const source: Record<string, unknown> = record;
  const special: Record<string, RawBuilder<unknown>> = others ?? {};
  const types: Record<string, string> = tables[table].columns;
  return columns(table).map((name) => {
    const type = types[name]?.startsWith('text') === true ? 'text' : 'bigint';
    return sql`cast(${special[name] ?? source[name]} as ${sql.raw(type)})`.as(name);
  });
}
