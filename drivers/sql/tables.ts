// Defines the tables once: columns, indexes, and the statements that create them.
import type { Database, Dialect, Table } from './schema.ts';

interface TableDefinition<T extends Table> {
  columns: { [C in keyof Database[T] & string]: string };
  constraint?: string;
  /** The text after `on <table>`, by the name of the index. */
  indexes?: Record<string, string>;
}

// These types mean the same in SQLite and PostgreSQL; only a counter differs, see `createStatements`.
const key = 'text not null primary key';
const text = 'text not null';
const time = 'bigint not null';
const flag = 'smallint not null';
const counter = 'counter';

export const tables: { [T in Table]: TableDefinition<T> } = {
  users: {
    columns: {
      id: key,
      email: 'text not null unique',
      hosted_sub: 'text unique',
      idp_sub: 'text unique',
      api_key_hash: 'text',
      api_key_sha: 'text unique',
      api_key_ciphertext: 'text',
      is_admin: flag,
      created_at: time,
    },
    // This index is read for every unknown key, so it must not grow with the number of users.
    indexes: { users_legacy_key: '(id) where api_key_hash is not null and api_key_sha is null' },
  },
  connections: {
    columns: {
      user_id: text,
      integration: text,
      access_token: 'text',
      refresh_token: 'text',
      expires_at: 'bigint',
      scopes: 'text',
      cookies: 'text',
      config: 'text',
      created_at: time,
      updated_at: time,
    },
    constraint: 'primary key (user_id, integration)',
  },
  flows: {
    columns: {
      state: key,
      user_id: 'text',
      integration: text,
      expires_at: time,
      session_data: 'text',
      code_verifier: 'text',
      config: 'text',
    },
    indexes: { flows_expiry: '(expires_at)' },
  },
  leases: {
    columns: { name: key, holder: text, expires_at: time },
    indexes: { leases_expiry: '(expires_at)' },
  },
  oauth_clients: {
    columns: { client_id: key, client_name: 'text', redirect_uris: text, created_at: time },
  },
  oauth_client_uses: {
    columns: { client_id: key, last_used_at: time },
  },
  oauth_codes: {
    columns: {
      code: key,
      client_id: text,
      user_id: text,
      redirect_uri: text,
      code_challenge: text,
      scope: text,
      resource: text,
      expires_at: time,
    },
    indexes: { oauth_codes_expiry: '(expires_at)' },
  },
  refresh_tokens: {
    columns: {
      token_hash: key,
      family: text,
      client_id: text,
      user_id: text,
      scope: text,
      created_at: time,
      expires_at: time,
      previous_hash: 'text',
      rotated_at: 'bigint',
      earlier_hash: 'text',
      previous_rotated_at: 'bigint',
    },
    indexes: {
      refresh_tokens_user: '(user_id, client_id)',
      refresh_tokens_family: '(family)',
      refresh_tokens_expiry: '(expires_at)',
    },
  },
  jots: {
    columns: {
      name: key,
      user_id: text,
      access: text,
      password_hash: 'text',
      cors: flag,
      manifest: text,
      files: 'bigint not null',
      bytes: 'bigint not null',
      version: text,
      created_at: time,
      updated_at: time,
    },
    indexes: { jots_user: '(user_id, name)' },
  },
  audit: {
    columns: {
      id: counter,
      user_id: text,
      integration: text,
      tool: text,
      action: text,
      success: flag,
      error: 'text',
      duration_ms: time,
      created_at: time,
    },
    indexes: { audit_user: '(user_id, id)' },
  },
  pending_connections: {
    columns: {
      seq: counter,
      connection_id: 'text not null unique',
      user_id: text,
      integration: text,
      status: text,
      expires_at: time,
    },
    indexes: {
      pending_connections_newest: '(user_id, integration, seq)',
      pending_connections_expiry: '(expires_at)',
    },
  },
};

/** The names of every table, index and column. */
export const schemaNames = (): string[] =>
  Object.entries(tables).flatMap(([table, { columns, indexes = {} }]) => [
    table,
    ...Object.keys(indexes),
    ...Object.keys(columns).map((column) => `${table}.${column}`),
  ]);

/** Selects which of the schema's names exist. */
export function lookStatement(dialect: Dialect): string {
  const quoteAll = (names: string[]) => names.map((name) => `'${name}'`).join(', ');
  const all = quoteAll(schemaNames());
  const ours = quoteAll(Object.keys(tables));
  return dialect === 'sqlite'
    ? `select name from sqlite_master where name in (${all}) union all select t.name || '.' || c.name from sqlite_master t join pragma_table_info(t.name) c where t.name in (${ours})`
    : `select name from unnest(array[${all}]) as name where name not like '%.%' and to_regclass(name) is not null union all select t || '.' || attname from unnest(array[${ours}]) as t join pg_attribute on attrelid = to_regclass(t) where attnum > 0 and not attisdropped`;
}

/** Each statement does nothing where its table or index exists, so it can be repeated. */
export function createStatements(dialect: Dialect): string[] {
  return Object.entries(tables).flatMap(([table, { columns, constraint, indexes = {} }]) => {
    const lines = Object.entries(columns).map(([column, type]) => `${column} ${typeIn(dialect, type)}`);
    if (constraint !== undefined) lines.push(constraint);
    return [
      `create table if not exists ${table} (${lines.join(', ')})`,
      ...Object.entries(indexes).map(([name, on]) => `create index if not exists ${name} on ${table} ${on}`),
    ];
  });
}

/** Columns that were added after the first release; they may be null. */
export function addStatements(dialect: Dialect, there: ReadonlySet<string>): string[] {
  const add = dialect === 'sqlite' ? 'add column' : 'add column if not exists';
  return Object.entries(tables)
    .filter(([table]) => there.has(table))
    .flatMap(([table, { columns }]) =>
      Object.entries(columns)
        .filter(([column]) => !there.has(`${table}.${column}`))
        .map(([column, type]) => `alter table ${table} ${add} ${column} ${typeIn(dialect, type)}`),
    );
}

function typeIn(dialect: Dialect, type: string): string {
  if (type !== counter) return type;
  return dialect === 'sqlite'
    ? 'integer primary key autoincrement'
    : 'bigint generated always as identity primary key';
}
