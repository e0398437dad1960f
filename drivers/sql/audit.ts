// The audit rows: written many at a time, read newest first.
import { type CompiledQuery, sql } from 'kysely';
import type { AuditEntry } from '../../src/ports/records.ts';
import type { AuditLog } from '../../src/ports/store.ts';
import { createChooseAuditRows, findSpan } from './audit-rows.ts';
import { columns, prepare } from './prepare.ts';
import type { AuditProof, Stored } from './schema.ts';
import type { Sql } from './sql.ts';

/** The keys are always in this order, which is the order of the parameters. */
function toStored(entry: AuditEntry): Stored<AuditEntry> {
  const { user_id, integration, tool, action, error, duration_ms, created_at, actor, outcome } = entry;
  const { account, owner, client_name, access, request_id, approval, status, details, script } = entry;
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
    client_name,
    access,
    request_id,
    approval,
    owner,
    status,
    details,
    script,
  };
}

/** A loop makes no list of its own for each row, and every call has one. */
function addParameters(parameters: unknown[], entry: AuditEntry): void {
  const stored = toStored(entry);
  let name: keyof typeof stored;
  for (name in stored) parameters.push(stored[name]);
  parameters.push(crypto.randomUUID());
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
  client_name: null,
  access: null,
  request_id: null,
  approval: null,
  owner: null,
  status: null,
  details: null,
  script: null,
});
// One more is the salt. A random UUID has 122 random bits, and Node draws many at once.
const COLUMNS = Object.keys(SAMPLE).length + 1;
/** What segments need is no part of an entry. */
const PROOF: readonly string[] = ['salt', 'commitment', 'erasure'] satisfies (keyof AuditProof)[];
const SHOWN = columns('audit').filter(
  (name): name is Exclude<typeof name, keyof AuditProof> => !PROOF.includes(name),
);

export function createAudit(store: Sql): AuditLog {
  const { db, all, one, change, batch, maxParameters } = store;
  const chooseRows = createChooseAuditRows(store);
  // Uses only powers of two, so that a few prepared statements serve any number of rows.
  const inserts = [64, 32, 16, 8, 4, 2, 1]
    .filter((rows) => rows * COLUMNS <= maxParameters)
    .map((rows) => {
      let compiled: CompiledQuery | undefined;
      const insert = db.insertInto('audit');
      const samples = Array.from({ length: rows }, () => ({ ...SAMPLE, salt: '' }));
      return { rows, statement: () => (compiled ??= insert.values(samples).compile()) };
    });

  function statements(entries: readonly AuditEntry[]): CompiledQuery[] {
    const queries: CompiledQuery[] = [];
    let done = 0;
    for (const { rows, statement } of inserts) {
      while (entries.length - done >= rows) {
        const parameters: unknown[] = [];
        for (const end = done + rows; done < end; done++) {
          const entry = entries[done];
          if (entry !== undefined) addParameters(parameters, entry);
        }
        queries.push({ ...statement(), parameters });
      }
    }
    return queries;
  }

  const byId = prepare((p: { id: number }) => db.selectFrom('audit').select(SHOWN).where('id', '=', p.id));

  return {
    async append(entries) {
      const [first, ...others] = statements(entries);
      if (first === undefined) return;
      await (others.length === 0 ? change(first) : batch([first, ...others]));
    },
    async list({ limit, ...query }) {
      const chosen = chooseRows(query).select(SHOWN).orderBy('id', 'desc').limit(limit);
      const rows = await all(chosen.compile());
      return rows.map((row) => ({ ...row, success: row.success !== 0 }));
    },
    async get(id) {
      const row = await one(byId({ id }));
      return row && { ...row, success: row.success !== 0 };
    },
    failures: ({ limit, ...query }) =>
      all(
        chooseRows({ ...query, success: false })
          .select(({ fn }) => [
            'integration',
            'tool',
            'outcome',
            'error',
            sql<number>`cast(count(*) as bigint)`.as('calls'),
            fn.max('id').as('id'),
            fn.min('created_at').as('first'),
            fn.max('created_at').as('last'),
          ])
          .groupBy(['integration', 'tool', 'outcome', 'error'])
          .orderBy(sql`max(id)`, 'desc')
          .limit(limit)
          .compile(),
      ),
    async histogram(query, { seconds, ahead }) {
      const rows = await all(
        chooseRows(query)
          .select([
            sql<number>`(created_at + ${sql.lit(ahead)}) / ${sql.lit(seconds)}`.as('span'),
            sql<number>`cast(count(*) as bigint)`.as('calls'),
            sql<number>`cast(sum(1 - success) as bigint)`.as('failed'),
          ])
          .groupBy('span')
          .orderBy('span')
          .compile(),
      );
      return rows.map(({ span, ...counts }) => ({ at: span * seconds - ahead, ...counts }));
    },
    down(count, { user_id, before, success }) {
      const ids = chooseRows({ user_id, before, success })
        .select('id')
        .orderBy('id', 'desc')
        .limit(1)
        .offset(count - 1);
      // Only the row that is found is read. The index has the ids of all.
      return one(db.selectFrom('audit').select(['id', 'created_at']).where('id', '=', ids).compile());
    },
    span: (time) => findSpan(store, time),
  };
}
