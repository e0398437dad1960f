// Defines the tables once: columns and indexes. A column that 0.1 lacks may be null or has a default. decision: 005
import type { Database, Table } from './schema.ts';
import { DURATION_COLUMNS, type DurationColumn } from './usage-columns.ts';

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

function durationColumns(): Record<DurationColumn, string> {
  const columns: Record<DurationColumn, string> = {};
  for (const column of DURATION_COLUMNS) columns[column] = 'integer not null default 0';
  return columns;
}

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
      is_owner: 'smallint not null default 0',
      disabled_at: 'bigint',
      invited_at: 'bigint',
      signed_in_at: 'bigint',
      deleted_at: 'bigint',
      keeps_calls: 'smallint not null default 1',
      outside_since: 'bigint',
    },
    // This index is read for every unknown key, so it must not grow with the number of users.
    indexes: {
      users_legacy_key: '(id) where api_key_hash is not null and api_key_sha is null',
      users_deleted: '(deleted_at) where deleted_at is not null',
    },
  },
  endings: {
    columns: { person: key, before: time, expires_at: time },
    indexes: { endings_expiry: '(expires_at)' },
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
      team_use: 'text',
    },
    constraint: 'primary key (user_id, integration, account)',
    indexes: { connections_check: '(integration, coalesce(checked_at, 0))' },
  },
  team_connections: {
    columns: {
      integration: key,
      everyone: flag,
      access: text,
      connected_by: 'text',
      connected_at: time,
      updated_at: time,
      last_used_at: 'bigint',
    },
  },
  team_people: {
    columns: { integration: text, user_id: text },
    constraint: 'primary key (integration, user_id)',
    indexes: { team_people_user: '(user_id)' },
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
      kind: 'text',
      place: 'bigint',
      connection_id: 'text',
    },
    indexes: { flows_expiry: '(expires_at)', flows_person: '(user_id, kind, place)' },
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
  import_pages: {
    columns: { id: key, import_id: text, digest: text, part: 'bigint not null', text },
    indexes: { import_pages_import: '(import_id, digest, part)' },
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
      paused_at: 'bigint',
    },
    indexes: { agent_keys_user: '(user_id, created_at)' },
  },
  machine_clients: {
    columns: {
      client_id: key,
      user_id: text,
      key_id: text,
      name: text,
      secret_sha: 'text',
      jwk: 'text',
      created_at: time,
      last_used_at: 'bigint',
    },
    indexes: { machine_clients_user: '(user_id)' },
  },
  trusted_issuers: {
    columns: {
      id: key,
      name: text,
      issuer: 'text not null unique',
      audience: text,
      created_by: text,
      revision: text,
      created_at: time,
    },
  },
  trusted_rules: {
    columns: {
      id: key,
      issuer_id: text,
      user_id: text,
      key_id: text,
      place: 'integer not null',
      sub: text,
      claims: text,
      created_at: time,
      last_used_at: 'bigint',
    },
    indexes: { trusted_rules_issuer: '(issuer_id, place)', trusted_rules_user: '(user_id)' },
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
      paused_at: 'bigint',
    },
    constraint: 'primary key (user_id, client_id)',
    indexes: { agent_grants_paused: '(user_id, client_id) where paused_at is not null' },
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
      owner: 'text',
    },
    indexes: {
      approvals_user: '(user_id, created_at)',
      approvals_digest: '(user_id, digest)',
      approvals_due: '(expires_at) where ended_at is null',
      // PostgreSQL takes this index only for the statement that says "running_until > 0". The others find their row by its id.
      approvals_running: "(running_until) where state = 'running' and running_until > 0",
      approvals_created: '(created_at)',
    },
  },
  tasks: {
    // The long text comes last, so that SQLite finds the other columns without reading it.
    columns: {
      id: key,
      user_id: text,
      caller: text,
      slot: 'text not null unique',
      version: text,
      state: text,
      running_until: 'bigint',
      cancelled_at: 'bigint',
      answered: text,
      created_at: time,
      updated_at: time,
      expires_at: time,
      characters: 'bigint not null',
      sealed: text,
    },
    indexes: {
      tasks_caller: '(user_id, caller, created_at, id, characters)',
      tasks_open: "(created_at) where state = 'open'",
      tasks_expiry: '(expires_at)',
    },
  },
  task_approvals: {
    columns: { approval_id: text, task_id: text, user_id: text, expires_at: time },
    constraint: 'primary key (approval_id, task_id)',
    indexes: {
      task_approvals_task: '(task_id)',
      task_approvals_user: '(user_id)',
      task_approvals_expiry: '(expires_at)',
    },
  },
  sets: {
    columns: {
      id: key,
      owner: text,
      name: text,
      title: text,
      description: text,
      tools: text,
      created_by: text,
      created_at: time,
      updated_at: time,
      version: text,
    },
    constraint: 'unique (owner, name)',
    indexes: { sets_name: '(name)' },
  },
  set_uses: {
    columns: {
      set_id: text,
      user_id: text,
      caller: text,
      caller_name: 'text',
      last_used_at: time,
      expires_at: time,
    },
    constraint: 'primary key (set_id, user_id, caller)',
    indexes: { set_uses_user: '(user_id)', set_uses_expiry: '(expires_at)' },
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
      resource: 'text',
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
      held_bytes: 'bigint not null default 0',
      thumbnail: 'text',
      views: 'bigint not null default 0',
    },
    indexes: { jots_user: '(user_id, name)' },
  },
  jot_leftovers: {
    columns: { user_id: text, expires_at: time, bytes: 'bigint not null' },
    constraint: 'primary key (user_id, expires_at)',
    indexes: { jot_leftovers_expiry: '(expires_at)' },
  },
  jot_views: {
    columns: { jot: text, made_at: time, expires_at: time, views: 'bigint not null' },
    constraint: 'primary key (jot, made_at, expires_at)',
    indexes: { jot_views_expiry: '(expires_at)' },
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
      client_name: 'text',
      access: 'text',
      request_id: 'text',
      approval: 'text',
      salt: 'text',
      commitment: 'text',
      erasure: 'text',
      owner: 'text',
      status: 'bigint',
      details: 'text',
    },
    indexes: {
      audit_user: '(user_id, id)',
      // Every call writes into each index, so only failures have more than one besides.
      audit_failed: '(user_id, id) where success = 0',
      // No query for one person says "id > 0", so PostgreSQL cannot take this index for one and read the rows of all.
      audit_failed_everybody: '(id) where success = 0 and id > 0',
      audit_time: '(created_at, id)',
    },
  },
  call_details: {
    // The long text comes last, so that SQLite finds the other columns without reading it.
    columns: {
      id: key,
      user_id: text,
      created_at: time,
      expires_at: time,
      characters: 'bigint not null',
      sealed: text,
    },
    indexes: {
      call_details_user: '(user_id, created_at, id, characters)',
      call_details_expiry: '(expires_at)',
    },
  },
  execution_keys: {
    // The long text comes last, so that SQLite finds the other columns without reading it.
    columns: {
      id: key,
      user_id: text,
      caller: text,
      integration: text,
      tool: text,
      digest: text,
      state: text,
      run: text,
      running_until: 'bigint',
      created_at: time,
      expires_at: time,
      characters: 'bigint not null',
      sealed: 'text',
    },
    indexes: {
      execution_keys_user: '(user_id, created_at, id, characters)',
      execution_keys_expiry: '(expires_at)',
    },
  },
  audit_segments: {
    columns: {
      segment: 'bigint not null primary key',
      origin: text,
      first: 'bigint not null',
      last: 'bigint not null',
      rows: 'bigint not null',
      size: 'bigint not null',
      root: text,
      // No two segments follow the same one.
      previous: 'text not null unique',
      newest: time,
      sealed: time,
      key: text,
      signature: text,
      row_index: 'text',
      pruned_at: 'bigint',
      pruned_key: 'text',
      pruned_signature: 'text',
      delivered_at: 'bigint',
    },
    indexes: {
      audit_segments_rows: '(segment) where row_index is not null',
      audit_segments_undelivered: '(segment) where delivered_at is null',
    },
  },
  usage_counts: {
    columns: {
      user_id: text,
      level: text,
      start: time,
      integration: text,
      tool: text,
      actor: text,
      cause: text,
      calls: 'bigint not null',
      ...durationColumns(),
    },
    constraint: 'primary key (user_id, level, start, integration, tool, actor, cause)',
    indexes: { usage_counts_age: '(level, start)' },
  },
  usage_state: {
    columns: { id: key, counted: 'bigint not null', turn: text },
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
