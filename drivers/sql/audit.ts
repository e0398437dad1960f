// The audit rows: written many at a time, read newest first.
import type { CompiledQuery } from 'kysely';
import type { AuditEntry } from '../../src/ports/records.ts';
import type { AuditLog, AuditQuery } from '../../src/ports/store.ts';
import { columns } from './prepare.ts';
import type { Stored } from './schema.ts';
import type { Sql } from './sql.ts';

/** The keys are always in this order, which is the order of the parameters. */
function toStored(entry: AuditEntry): Stored<AuditEntry> {
  const { user_id, integration, tool, action, error, duration_ms, created_at, actor, outcome, account } =
    entry;
  const success = entry.success ? 1 : 0;
  return {
    user_id,
    integration,
    tool,
    action,
    success,
    error,
    duration_ms,
    created_at,
    actor,
    outcome,
    account,
  };
}

const SAMPLE = toStored({
  user_id: '',
  integration: '',
  tool: '',
  action: 'EXECUTE',
  success: true,
  error: null,
  duration_ms: 0,
  created_at: 0,
  actor: null,
  outcome: null,
  account: null,
});
const COLUMNS = Object.keys(SAMPLE).length;

export function createAudit({ db, all, one, change, batch, maxParameters }: Sql): AuditLog {
  // Uses only powers of two, so that a few prepared statements serve any number of rows.
  const inserts = [64, 32, 16, 8, 4, 2, 1]
    .filter((rows) => rows * COLUMNS <= maxParameters)
    .map((rows) => {
      let compiled: CompiledQuery | undefined;
      const insert = db.insertInto('audit');
      const samples = Array.from({ length: rows }, () => SAMPLE);
      return { rows, statement: () => (compiled ??= insert.values(samples).compile()) };
    });

  function statements(entries: readonly AuditEntry[]): CompiledQuery[] {
    const queries: CompiledQuery[] = [];
    let done = 0;
    for (const { rows, statement } of inserts) {
      while (entries.length - done >= rows) {
        const parameters = entries
          .slice(done, done + rows)
          .flatMap((entry) => Object.values(toStored(entry)));
        queries.push({ ...statement(), parameters });
        done += rows;
      }
    }
    return queries;
  }

  return {
    async append(entries) {
      const [first, ...others] = statements(entries);
      if (first === undefined) return;
      await (others.length === 0 ? change(first) : batch([first, ...others]));
    },
    async list(query) {
      const rows = await all(page(query).compile());
      return rows.map((row) => ({ ...row, success: row.success !== 0 }));
    },
    async down(count, { user_id, before }) {
      let rows = db.selectFrom('audit').select('id').where('user_id', '=', user_id);
      if (before !== undefined) rows = rows.where('id', '<', before);
      const row = await one(
        rows
          .orderBy('id', 'desc')
          .limit(1)
          .offset(count - 1)
          .compile(),
      );
      return row?.id ?? null;
    },
  };

  function page({ user_id, before, from, integration, tool, success, actor, limit }: AuditQuery) {
    let rows = db.selectFrom('audit').select(columns('audit')).where('user_id', '=', user_id);
    if (before !== undefined) rows = rows.where('id', '<', before);
    if (from !== undefined) rows = rows.where('id', '>=', from);
    if (integration !== undefined) rows = rows.where('integration', '=', integration);
    if (tool !== undefined) rows = rows.where('tool', '=', tool);
    if (success !== undefined) rows = rows.where('success', '=', success ? 1 : 0);
    if (actor !== undefined) rows = rows.where('actor', '=', actor);
    return rows.orderBy('id', 'desc').limit(limit);
  }
}
