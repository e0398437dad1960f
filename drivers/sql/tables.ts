// The tables, once: their columns and indexes, and the statements that create them.
import type { Database, Dialect, Table } from './schema.ts';

interface TableDefinition<T extends Table> {
  columns: { [C in keyof Database[T] & string]: string };
  constraint?: string;
  /** What follows `on <table>`, by the name of the index. */
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
    // Asked at every unknown key, so it must not grow with the number of users.
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
    },
    indexes: {
      refresh_tokens_user: '(user_id, client_id)',
      refresh_tokens_family: '(family)',
      refresh_tokens_expiry: '(expires_at)',
    },
  },
  used_refresh_tokens: {
    columns: {
      token_hash: key,
      family: text,
      user_id: text,
      client_id: text,
      rotated_at: time,
      expires_at: time,
    },
    indexes: { used_refresh_tokens_expiry: '(expires_at)' },
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
    indexes: { pending_connections_newest: '(user_id, integration, seq)' },
  },
};

/** Every table and index. */
export const schemaNames = (): string[] =>
  Object.entries(tables).flatMap(([table, { indexes = {} }]) => [table, ...Object.keys(indexes)]);

/** Repeatable: each statement does nothing where its table or index exists. */
export function createStatements(dialect: Dialect): string[] {
  const counters = {
    sqlite: 'integer primary key autoincrement',
    postgres: 'bigint generated always as identity primary key',
  };
  return Object.entries(tables).flatMap(([table, { columns, constraint, indexes = {} }]) => {
    const lines = Object.entries(columns).map(
      ([column, type]) => `${column} ${type === counter ? counters[dialect] : type}`,
    );
    if (constraint !== undefined) lines.push(constraint);
    return [
      `create table if not exists ${table} (${lines.join(', ')})`,
      ...Object.entries(indexes).map(([name, on]) => `create index if not exists ${name} on ${table} ${on}`),
    ];
  });
}
