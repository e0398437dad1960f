// Fills a database like years of use: people, their connections and their audit rows, all generated inside
// the database.
import { CompiledQuery } from 'kysely';
import type { Engine } from '../../drivers/sql/engine.ts';

export interface Growth {
  users: number;
  connectionsEach: number;
  auditRows: number;
  /** Whether the audit rows are counted and sealed, as they are minutes after a call. Those of 0.1 are not. */
  isCounted?: boolean;
}

/** The size that the target for growth names. */
export const YEARS: Growth = { users: 100_000, connectionsEach: 3, auditRows: 1_000_000 };

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
  if (isCounted) {
    await run(`insert into usage_state (id, counted, turn) values ('usage', ${auditRows}, '')`);
    await run(
      `insert into audit_segments (segment, origin, first, last, rows, size, root, previous, newest, sealed, key, signature, delivered_at) values (1, '', 1, ${auditRows}, ${auditRows}, ${auditRows}, '', '', ${auditRows}, ${now}, '', '', ${now})`,
    );
  }
  // A database updates these statistics by itself in time.
  await run('analyze');
}
