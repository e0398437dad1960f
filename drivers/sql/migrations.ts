// Compares a database with a version of the schema, and makes the statements that add what it lacks. decision: 005
import { VERSION } from '../../src/ports/version.ts';
import type { Dialect } from './schema.ts';
import { counter, tables } from './tables.ts';

interface Definition {
  columns: Record<string, string>;
  constraint?: string;
  indexes?: Record<string, string>;
}

/** A version of this program, and the schema that it needs. */
export interface Version {
  program: string;
  /** The oldest program version that may use this schema. Raise it only if older versions would do harm. */
  oldestProgram: string;
  tables: Record<string, Definition>;
}

export const CURRENT: Version = { program: VERSION, oldestProgram: '0.1.0', tables };

/** What a look finds in a database. */
export interface Found {
  /** The tables, their indexes and, as `table.column`, their columns. */
  names: ReadonlySet<string>;
  /** The columns of each table's primary key, in no order. */
  keys: ReadonlyMap<string, ReadonlySet<string>>;
  /** Null in a database that no program since 0.2 has set up. */
  row: { program: string; oldestProgram: string } | null;
}

export type FoundRow = { kind: 'name' | 'key' | 'program' | 'oldest_program'; name: string };

/** The definitions of 0.1. Such an index has a plain name; any other name ends with a digest of its definition. */
const FIRST_INDEXES: Record<string, string> = {
  users_legacy_key: '(id) where api_key_hash is not null and api_key_sha is null',
  flows_expiry: '(expires_at)',
  leases_expiry: '(expires_at)',
  oauth_codes_expiry: '(expires_at)',
  refresh_tokens_user: '(user_id, client_id)',
  refresh_tokens_family: '(family)',
  refresh_tokens_expiry: '(expires_at)',
  jots_user: '(user_id, name)',
  audit_user: '(user_id, id)',
  pending_connections_newest: '(user_id, integration, seq)',
};

/** Selects the names that exist. With `withRow` the same statement reads the row, and fails where its table is missing. */
export function lookStatement(dialect: Dialect, version: Version, withRow: boolean): string {
  const ours = Object.keys(version.tables)
    .map((name) => `'${name}'`)
    .join(', ');
  const names =
    dialect === 'sqlite'
      ? [
          `select 'name' as kind, name from sqlite_master where tbl_name in (${ours})`,
          `select 'name', t.name || '.' || c.name from sqlite_master t join pragma_table_info(t.name) c where t.name in (${ours})`,
          `select 'key', t.name || '.' || c.name from sqlite_master t join pragma_table_info(t.name) c where t.name in (${ours}) and c.pk > 0`,
        ]
      : [
          `select 'name' as kind, t as name from unnest(array[${ours}]) as t where to_regclass(t) is not null`,
          `select 'name', c.relname::text from unnest(array[${ours}]) as t join pg_index i on i.indrelid = to_regclass(t) join pg_class c on c.oid = i.indexrelid`,
          `select 'name', t || '.' || attname from unnest(array[${ours}]) as t join pg_attribute on attrelid = to_regclass(t) where attnum > 0 and not attisdropped`,
          `select 'key', t || '.' || attname from unnest(array[${ours}]) as t join pg_index i on i.indrelid = to_regclass(t) and i.indisprimary join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)`,
        ];
  const row = ['program', 'oldest_program'].map((column) => `select '${column}', ${column} from gateway`);
  return [...names, ...(withRow ? row : [])].join(' union all ');
}

export function readFound(rows: readonly FoundRow[]): Found {
  const one = (kind: FoundRow['kind']) => rows.find((row) => row.kind === kind)?.name;
  const [program, oldestProgram] = [one('program'), one('oldest_program')];
  return {
    names: new Set(rows.filter(({ kind }) => kind === 'name').map(({ name }) => name)),
    keys: readKeys(rows),
    row: program === undefined || oldestProgram === undefined ? null : { program, oldestProgram },
  };
}

function readKeys(rows: readonly FoundRow[]): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>();
  for (const { kind, name } of rows) {
    if (kind !== 'key') continue;
    const [table = '', column = ''] = name.split('.');
    keys.set(table, (keys.get(table) ?? new Set()).add(column));
  }
  return keys;
}

/** Returns what an operator reads when this program is too old for the database; null otherwise. */
export function refusal({ row }: Found, { program }: Version): string | null {
  if (row === null || !isOlder(program, row.oldestProgram)) return null;
  return (
    `a newer version of this program has changed it. It needs version ${row.oldestProgram} or newer, and this is ` +
    `${program}. Start version ${row.program}, or restore the backup that was made before the update.`
  );
}

export function isComplete(found: Found, version: Version): boolean {
  const isSeen = found.row !== null && !isOlder(found.row.program, version.program);
  return (
    isSeen &&
    lacksNothing(found, version) &&
    tablesWithOtherKey(found, version).length === 0 &&
    dropStatements(found, version).length === 0
  );
}

const lacksNothing = ({ names }: Found, { tables: all }: Version): boolean =>
  Object.entries(all).every(
    ([table, { columns, indexes = {} }]) =>
      names.has(table) &&
      Object.entries(indexes).every(([index, on]) => names.has(indexName(index, on))) &&
      Object.keys(columns).every((column) => names.has(`${table}.${column}`)),
  );

/** Whether two looks have found the same schema. */
export function isSame(one: Found, other: Found): boolean {
  const tablesSeen = new Set([...one.keys.keys(), ...other.keys.keys()]);
  return (
    one.names.size === other.names.size &&
    [...one.names].every((name) => other.names.has(name)) &&
    [...tablesSeen].every((table) => keyOf(one, table) === keyOf(other, table))
  );
}

/** The columns of a table's primary key, in the order of their names. */
const keyOf = ({ keys }: Found, table: string): string => [...(keys.get(table) ?? [])].toSorted().join(',');

/** Makes the schema that of this version. The columns must have been added before. */
export function changeStatements(dialect: Dialect, found: Found, version: Version): string[] {
  const keyed = keyStatements(dialect, found, version);
  const others = setUpStatements(dialect, found, version);
  // SQLite loses the indexes with the former table. PostgreSQL commits each statement, and an older program that looks
  // in between must find the row before the key.
  return dialect === 'sqlite' ? [...keyed, ...others] : [...others, ...keyed];
}

/**
 * Gives tables the primary key of this version, unless another process has changed the key since the look. In SQLite,
 * which has no other way than to copy the table, a changed key fails the transaction.
 */
function keyStatements(dialect: Dialect, found: Found, version: Version): string[] {
  return tablesWithOtherKey(found, version).flatMap(([table, definition]) => {
    const { columns, constraint } = definition;
    const before = keyOf(found, table);
    if (dialect === 'postgres')
      return [
        `do $$ begin if (select coalesce(string_agg(a.attname::text, ',' order by a.attname), '') from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey) where i.indrelid = to_regclass('${table}') and i.indisprimary) = '${before}' then alter table ${table} drop constraint if exists ${table}_pkey, add constraint ${table}_pkey ${constraint}; end if; end $$`,
      ];
    const copy = `${table}__copy`;
    const names = Object.keys(columns).join(', ');
    return [
      // A list of names is not JSON, so this fails when it finds another key.
      `select json(found) from (select group_concat(name) as found from (select name from pragma_table_info('${table}') where pk > 0 order by name)) where found <> '${before}'`,
      createTable(dialect, copy, definition),
      `insert into ${copy} (${names}) select ${names} from ${table}`,
      `drop table ${table}`,
      `alter table ${copy} rename to ${table}`,
    ];
  });
}

/** The tables that exist with another primary key than their constraint names. */
function tablesWithOtherKey(
  { names, keys, row }: Found,
  { program, tables: all }: Version,
): [string, Definition][] {
  // A newer version needs its own key.
  if (row !== null && isOlder(program, row.program)) return [];
  return Object.entries(all).filter(([table, { constraint }]) => {
    const wanted = constraint?.match(/^primary key \((.+)\)$/)?.[1]?.split(', ');
    if (wanted === undefined || !names.has(table)) return false;
    const found = keys.get(table) ?? new Set();
    return wanted.length !== found.size || wanted.some((column) => !found.has(column));
  });
}

/** Statements that can be repeated: each does nothing where its work is done. */
function setUpStatements(dialect: Dialect, found: Found, version: Version): string[] {
  return [
    ...createStatements(dialect, version),
    ...rowStatements(found, version),
    ...dropStatements(found, version),
  ];
}

function createStatements(dialect: Dialect, version: Version): string[] {
  return Object.entries(version.tables).flatMap(([table, definition]) => [
    createTable(dialect, table, definition),
    ...Object.entries(definition.indexes ?? {}).map(
      ([index, on]) => `create index if not exists ${indexName(index, on)} on ${table} ${on}`,
    ),
  ]);
}

function createTable(dialect: Dialect, table: string, { columns, constraint }: Definition): string {
  const lines = Object.entries(columns).map(([column, type]) => `${column} ${typeIn(dialect, type)}`);
  if (constraint !== undefined) lines.push(constraint);
  return `create table if not exists ${table} (${lines.join(', ')})`;
}

/** Adds the columns that joined a table later. They may be null or have a default. */
export function addStatements(dialect: Dialect, { names }: Found, version: Version): string[] {
  const add = dialect === 'sqlite' ? 'add column' : 'add column if not exists';
  return Object.entries(version.tables)
    .filter(([table]) => names.has(table))
    .flatMap(([table, { columns }]) =>
      Object.entries(columns)
        .filter(([column]) => !names.has(`${table}.${column}`))
        .map(([column, type]) => `alter table ${table} ${add} ${column} ${typeIn(dialect, type)}`),
    );
}

/** Drops indexes whose definition has changed. Only the newest version does, because an older one needs its own. */
function dropStatements({ names, row }: Found, { program, tables: all }: Version): string[] {
  if (row !== null && isOlder(program, row.program)) return [];
  return Object.values(all)
    .flatMap(({ indexes = {} }) => Object.entries(indexes))
    .flatMap(([index, on]) => {
      const versions = new RegExp(`^${index}(?:__[0-9a-f]{8})?$`);
      return [...names].filter((name) => versions.test(name) && name !== indexName(index, on));
    })
    .map((name) => `drop index if exists ${name}`);
}

/** Writes this version into the row, unless another process was faster or is newer. */
function rowStatements({ row }: Found, { program, oldestProgram }: Version): string[] {
  if (row === null)
    return [
      `insert into gateway (id, program, oldest_program, backfills) values ('gateway', '${program}', '${oldestProgram}', '[]') on conflict (id) do nothing`,
    ];
  if (!isOlder(row.program, program)) return [];
  return [
    `update gateway set program = '${program}', oldest_program = '${oldestProgram}' where program = '${row.program.replaceAll("'", "''")}'`,
  ];
}

function indexName(index: string, on: string): string {
  return FIRST_INDEXES[index] === on ? index : `${index}__${digest(on)}`;
}

/** FNV-1a: the digest only has to differ when a definition changes. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function isOlder(one: string, other: string): boolean {
  const [numbers, others] = [one, other].map((version) => version.split('.').map(Number));
  for (const [at, number] of (numbers ?? []).entries()) {
    const against = others?.[at] ?? 0;
    if (number !== against) return number < against;
  }
  return false;
}

function typeIn(dialect: Dialect, type: string): string {
  if (type !== counter) return type;
  return dialect === 'sqlite'
    ? 'integer primary key autoincrement'
    : 'bigint generated always as identity primary key';
}
