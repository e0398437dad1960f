// Fills a database like years of use: people, their connections and their audit rows, and a row for each person in every
// other table, all generated inside the database.
import { CompiledQuery } from 'kysely';
import type { Engine } from '../../drivers/sql/engine.ts';
import { counter, tables } from '../../drivers/sql/tables.ts';

export interface Growth {
  users: number;
  connectionsEach: number;
  auditRows: number;
  /** Whether the audit rows are counted and sealed, as they are minutes after a call. Those of 0.1 are not. */
  isCounted?: boolean;
}

/** The size that the target for growth names. */
export const YEARS: Growth = { users: 100_000, connectionsEach: 3, auditRows: 1_000_000 };

/** These have a row, or some for each integration, issuer or segment, however many people there are. */
export const FEW: ReadonlySet<string> = new Set([
  'audit_pushes',
  'audit_segments',
  'gateway',
  'outbox_keys',
  'provider_clients',
  'team_connections',
  'team_groups',
  'trusted_issuers',
  'usage_state',
]);

/** The tables that are filled with care below. */
const WITH_CARE: ReadonlySet<string> = new Set([
  'users',
  'connections',
  'audit',
  'agent_keys',
  'policies',
  'agent_grants',
  'person_groups',
  'directory_people',
  'directory_groups',
  'directory_members',
  'approvals',
]);

const PERSON = /^(user_id|owner|person|created_by)$/;
/** The columns that get a time far ahead: those rows are not due, and have not expired. */
const AHEAD = /^(expires_at|due_at|give_up_at|ends_at|next_run|paused_until|checked_at|before)$/;

/** Each fiftieth waits, and is not due. */
const WAITING: Record<string, string> = { deliveries: 'queued', tasks: 'open' };

/** What row n has in a column, or null where nothing is written. */
function valueOf(table: string, column: string, type: string): string | null {
  if (type === counter || type.includes('default')) return null;
  if (column === 'checked_at') return '9000000000';
  if (!type.includes('not null')) return null;
  if (type.startsWith('smallint')) return '0';
  if (!type.startsWith('text')) return AHEAD.test(column) ? '9000000000' : 'n';
  if (column === 'state' && !type.includes('primary key'))
    return `case when n % 50 = 0 then '${WAITING[table] ?? 'done'}' else 'done' end`;
  return PERSON.test(column) ? "'user-' || n" : `'${column}-' || n`;
}

const PORTION = 50_000;
const INTEGRATIONS = ['github', 'gitlab', 'resend', 'sentry', 'grafana'];
const SEALED = 'v1.0000000000000000.'.padEnd(200, 'x');

export async function grow(
  engine: Engine,
  { users, connectionsEach, auditRows, isCounted = true }: Growth,
): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const run = (statement: string) => engine.run(CompiledQuery.raw(statement));
  const series =
    engine.dialect === 'postgres'
      ? (from: number, to: number) => `generate_series(${from}, ${to}) as one(n)`
      : (from: number, to: number) =>
          `(with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to}) select n from counted) as one`;
  const names = INTEGRATIONS.map((name, at) => `when ${at} then '${name}'`).join(' ');
  const integration = (number: string) => `case (${number}) % ${INTEGRATIONS.length} ${names} end`;

  /** Inserts in portions, because an engine waits for a long statement no longer than a request may take. */
  async function insert(head: string, columns: string, count: number): Promise<void> {
    for (let from = 1; from <= count; from += PORTION) {
      const to = Math.min(from + PORTION - 1, count);
      await run(`insert into ${head} select ${columns} from ${series(from, to)}`);
    }
  }

  await insert(
    'users (id, email, hosted_sub, api_key_hash, api_key_sha, api_key_ciphertext, is_admin, created_at)',
    `'user-' || n, 'user-' || n || '@example.com', 'subject-' || n, '$2b$10$', 'sha-' || n, '${SEALED}', 0, n`,
    users,
  );
  for (let each = 0; each < connectionsEach; each++) {
    await insert(
      'connections (user_id, integration, access_token, refresh_token, created_at, updated_at)',
      `'user-' || n, ${integration(`n + ${each}`)}, '${SEALED}', '${SEALED}', n, n`,
      users,
    );
  }
  await insert(
    'audit (user_id, integration, tool, action, success, duration_ms, created_at)',
    `'user-' || (n % ${users} + 1), ${integration('n')}, 'a_tool', 'EXECUTE', 1, 12, n`,
    auditRows,
  );
  await insert(
    'agent_keys (id, user_id, name, key_sha, limits, created_at)',
    `'agent-key-' || n, 'user-' || n, 'an agent', 'agent-sha-' || n, '{}', n`,
    users,
  );
  await insert('policies (owner, rules, revision, updated_at)', `'user-' || n, '[]', 'r', n`, users);
  await insert(
    'agent_grants (user_id, client_id, limits, revision, updated_at)',
    `'user-' || n, 'client-' || n, '{}', 'r', n`,
    users,
  );
  await insert('person_groups (user_id, source, name)', `'user-' || n, 'idp', 'group-' || (n % 20)`, users);
  await insert(
    'directory_people (user_id, user_name, profile, created_at, updated_at)',
    `'user-' || n, 'name-' || n, '{}', n, n`,
    users,
  );
  await insert(
    'directory_groups (id, name, created_at, updated_at)',
    `'group-' || n, 'group-' || n, n, n`,
    users,
  );
  await insert('directory_members (group_id, user_id)', `'group-' || n, 'user-' || n`, users);
  for (const [state, ended] of [
    ['done', 'n'],
    ['pending', 'null'],
  ])
    await insert(
      'approvals (id, user_id, slot, digest, state, caller, integration, tool, access, created_at, expires_at, ended_at)',
      `'${state}-' || n, 'user-' || n, '${state}-' || n, 'digest-' || n, '${state}', 'key', 'github', 'a_tool', 'write', ${now} - n, 9000000000, ${ended}`,
      users,
    );
  // The users of one product.
  await run(
    `insert into service_keys (id, name, key_sha, limits, return_to, max_actors, actors, created_by, created_at) values ('service-key', 'a product', 'service-sha', '{}', '[]', ${users}, ${users}, 'user-1', 1)`,
  );
  await insert(
    'users (id, email, is_admin, created_at, service_key_id, external_id)',
    `'actor-' || n, 'actor-' || n || '@actors.invalid', 0, n, 'service-key', 'external-' || n`,
    users,
  );
  for (const [table, { columns }] of Object.entries(tables)) {
    if (FEW.has(table) || WITH_CARE.has(table)) continue;
    const written = Object.entries(columns).flatMap(([column, type]) => {
      const value = valueOf(table, column, type);
      return value === null ? [] : [[column, value] as const];
    });
    const names = written.map(([column]) => column).join(', ');
    const values = written.map(([, value]) => value).join(', ');
    await insert(`${table} (${names})`, values, users);
  }
  if (isCounted) {
    await run(`insert into usage_state (id, counted, turn) values ('usage', ${auditRows}, '')`);
    await run(
      `insert into audit_segments (segment, origin, first, last, rows, size, root, previous, newest, sealed, key, signature, delivered_at) values (1, '', 1, ${auditRows}, ${auditRows}, ${auditRows}, '', '', ${auditRows}, ${now}, '', '', ${now})`,
    );
  }
  // A database updates these statistics by itself in time. All tables at once take longer than one statement may.
  for (const table of Object.keys(tables)) await run(`analyze ${table}`);
}
