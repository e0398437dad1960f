// Sends any number of rows as one parameter, JSON, because D1 takes at most 100 parameters in a statement.
import { type RawBuilder, sql } from 'kysely';
import { columns } from './prepare.ts';
import type { Database, Dialect, Table } from './schema.ts';
import type { Sql } from './sql.ts';
import { tables } from './tables.ts';

// D1 stores and takes at most 2 MB of text, and a character takes up to three bytes.
const MAX_CHARACTERS = 500_000;

/** Selects every column of the table from the rows in `json`. */
export function selectJsonRows<T extends Table>(
  { db, dialect }: Pick<Sql, 'db' | 'dialect'>,
  table: T,
  json: string,
) {
  const definitions: Record<string, string> = tables[table].columns;
  return db.selectFrom(jsonItems(dialect, json).as('item')).select(
    columns(table).map((name) => {
      const text = sql`item.value ->> ${sql.lit(name)}`;
      const value = castTo(definitions[name] ?? '', text);
      // `tables` has exactly the columns of the row
      return (value as ReturnType<typeof sql<Database[T][keyof Database[T]]>>).as(name);
    }),
  );
}

/** A missing member is the default of a count. */
function castTo(definition: string, text: RawBuilder<unknown>): RawBuilder<unknown> {
  if (definition.startsWith('bigint')) return sql`cast(${text} as bigint)`;
  return definition.startsWith('integer') ? sql`coalesce(cast(${text} as integer), 0)` : text;
}

/** Selects the texts of the list in `json`. */
export const selectJsonTexts = ({ db, dialect }: Pick<Sql, 'db' | 'dialect'>, json: string) =>
  db
    .selectFrom(jsonItems(dialect, json).as('item'))
    .select(sql<string>`item.value ${sql.raw(TEXT[dialect])}`.as('text'));

/** Whether a column is one of the texts of the list in `json`. Each text is looked up in the index of the column. */
export function isOneOf(dialect: Dialect, column: string, json: string): RawBuilder<boolean> {
  const texts = sql`select value ${sql.raw(TEXT[dialect])} from ${jsonItems(dialect, json)} as item(value)`;
  return dialect === 'postgres'
    ? // PostgreSQL would read the whole table to join it with a list whose length it does not know.
      sql<boolean>`${sql.ref(column)} = any(array(${texts}))`
    : sql<boolean>`${sql.ref(column)} in (select value from json_each(${json}))`;
}

const TEXT = { postgres: `#>> '{}'`, sqlite: '' } satisfies Record<Dialect, string>;

/** A table with a row for each item of the list, in the column `value`. */
export const jsonItems = (dialect: Dialect, json: string) =>
  dialect === 'postgres'
    ? // postgres.js would encode a parameter of the type json once more.
      sql<{ value: string }>`json_array_elements(cast(cast(${json} as text) as json))`
    : sql<{ value: string }>`json_each(${json})`;

/** Writes rows as JSON lists, each short enough for a statement. A longer row has a list of its own. */
export function* jsonPortions(rows: readonly object[]): Generator<string, void, undefined> {
  let [items, length]: [string[], number] = [[], 0];
  for (const row of rows) {
    const item = toJson(row);
    if (items.length > 0 && length + item.length > MAX_CHARACTERS) {
      yield `[${items.join(',')}]`;
      [items, length] = [[], 0];
    }
    items.push(item);
    length += item.length;
  }
  if (items.length > 0) yield `[${items.join(',')}]`;
}

/** PostgreSQL reads neither NUL nor half a surrogate pair from JSON. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\uFFFD') : part,
  );
