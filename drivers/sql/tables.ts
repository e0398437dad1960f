// Defines the tables once: columns and indexes. A column that 0.1 lacks may be null or has a default. decision: 083
import type { Database, Table } from './schema.ts';

interface TableDefinition<T extends Table> {
  columns: { [C in keyof Database[T] & string]: string };
  constraint?: string;
  /** The text after `on <table>`, by the name of the index. A changed text makes a new index. */
  indexes?: Record<string, string>;
}

// These types mean the same in SQLite and PostgreSQL; only a counter differs, see `createStatements`.
const key = 'text not null primary key';
const text = 'text not null';
const time = 'bigint not null';
const flag = 'smallint not null';
export const counter = 'counter';

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
      hosted_iss: 'text',
      idp_iss: 'text',
      unverified_since: 'bigint',
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
      way: 'text',
      status: 'text',
      cause: 'text',
      since: 'bigint',
      checked_at: 'bigint',
      account_id: 'text',
      account_label: 'text',
      // 0.1 has one account for each integration: the first.
      account: "text not null default ''",
      label: 'text',
      is_default: 'smallint not null default 0',
      is_write_default: 'smallint not null default 0',
    },
    constraint: 'primary key (user_id, integration, account)',
    indexes: { connections_check: '(integration, coalesce(checked_at, 0))' },
  },
  pending_revocations: {
    columns: {
      id: key,
      user_id: text,
      integration: text,
      credential: text,
      attempts: 'bigint not null',
      due_at: time,
      expires_at: time,
      created_at: time,
    },
    indexes: {
      pending_revocations_due: '(due_at)',
      pending_revocations_user: '(user_id, integration)',
    },
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
  provider_clients: {
    columns: { integration: key, sealed_client: text, updated_at: time },
  },
  imports: {
    columns: {
      id: key,
      owner: text,
      name: text,
      kind: text,
      display_name: text,
      description: text,
      address: 'text',
      settings: text,
      created_by: text,
      created_at: time,
      updated_at: time,
      checked_at: 'bigint',
      check_error: 'text',
      version: text,
    },
    constraint: 'unique (owner, name)',
    indexes: { imports_name: '(name)', imports_check: '(coalesce(checked_at, 0))' },
  },
  import_tools: {
    // The two texts come last, so that SQLite finds the other columns without reading them.
    columns: {
      id: key,
      import_id: text,
      write_id: text,
      expires_at: 'bigint',
      name: text,
      position: 'bigint not null',
      state: text,
      digest: 'text',
      found_digest: 'text',
      definition: 'text',
      found: 'text',
    },
    indexes: {
      import_tools_import: '(import_id, position)',
      import_tools_expiry: '(expires_at) where expires_at is not null',
    },
  },
  import_revisions: {
    columns: { owner: key, revision: text },
  },
  agent_keys: {
    columns: {
      id: key,
      user_id: text,
      name: text,
      key_sha: 'text not null unique',
      limits: text,
      expires_at: 'bigint',
      created_at: time,
      last_used_at: 'bigint',
    },
    indexes: { agent_keys_user: '(user_id, created_at)' },
  },
  policies: {
    columns: { owner: key, rules: text, revision: text, updated_at: time },
  },
  agent_grants: {
    columns: {
      user_id: text,
      client_id: text,
      limits: text,
      expires_at: 'bigint',
      revision: text,
      updated_at: time,
      last_used_at: 'bigint',
    },
    constraint: 'primary key (user_id, client_id)',
  },
  approvals: {
    columns: {
      id: key,
      user_id: text,
      slot: 'text not null unique',
      digest: text,
      state: text,
      covers: 'text',
      caller: text,
      caller_name: 'text',
      integration: text,
      tool: text,
      access: text,
      account: 'text',
      reason: 'text',
      run: 'text',
      running_until: 'bigint',
      created_at: time,
      expires_at: time,
      decided_at: 'bigint',
      ran_at: 'bigint',
      ended_at: 'bigint',
      sealed: 'text',
    },
    indexes: {
      approvals_user: '(user_id, created_at)',
      approvals_digest: '(user_id, digest)',
      approvals_due: '(expires_at) where ended_at is null',
      approvals_created: '(created_at)',
    },
  },
  oauth_clients: {
    columns: {
      client_id: key,
      client_name: 'text',
      redirect_uris: text,
      created_at: time,
      unused_since: 'bigint',
    },
    indexes: { oauth_clients_unused: '(unused_since) where unused_since is not null' },
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
      cors_chosen: 'smallint',
    },
    indexes: { jots_user: '(user_id, name)' },
  },
  jot_leftovers: {
    columns: { user_id: text, expires_at: time, bytes: 'bigint not null' },
    constraint: 'primary key (user_id, expires_at)',
    indexes: { jot_leftovers_expiry: '(expires_at)' },
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
      actor: 'text',
      outcome: 'text',
      account: 'text',
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
  gateway: {
    columns: { id: key, program: text, oldest_program: text, backfills: text, key_check: 'text' },
  },
};
