// The sealed segments of the audit log, and its rows with every column that the database has. decision: 039
import { CompiledQuery, sql as raw } from 'kysely';
import {
  type AuditCut,
  type AuditSegments,
  ERASURE_TOOL,
  FIRST_ROW_ID,
  LAST_ROW_ID,
  PERSONAL_COLUMNS,
  type RawAuditRow,
} from '../../src/ports/audit-segments.ts';
import { isOneOf, selectJsonRows, toJson } from './json-rows.ts';
import { PORTION_ROWS } from './portions.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Dialect } from './schema.ts';
import type { Sql } from './sql.ts';

/** What a deletion takes out of a row, besides its person. */
export const CLEARED = Object.fromEntries(
  columns('audit')
    .filter((name) => name !== 'user_id' && PERSONAL_COLUMNS.some((personal) => personal === name))
    .map((name) => [name, null]),
);

export function createAuditSegments({ db, dialect, all, one, change, batch }: Sql): AuditSegments {
  const every = columns('audit_segments');
  const readNewest = prepare(() =>
    db.selectFrom('audit_segments').select(every).orderBy('segment', 'desc').limit(1),
  );
  const readPage = prepare((p: { after: number; limit: number }) =>
    db
      .selectFrom('audit_segments')
      .select(every)
      .where('segment', '>', p.after)
      .orderBy('segment')
      .limit(p.limit),
  );
  const readUndelivered = prepare((p: { limit: number }) =>
    db
      .selectFrom('audit_segments')
      .select(every)
      .where('delivered_at', 'is', null)
      .orderBy('segment')
      .limit(p.limit),
  );
  const markDelivered = prepare((p: { segment: number; now: number }) =>
    db.updateTable('audit_segments').set({ delivered_at: p.now }).where('segment', '=', p.segment),
  );
  const readOldest = prepare(() =>
    db
      .selectFrom('audit_segments')
      .select(every)
      .where('row_index', 'is not', null)
      .orderBy('segment')
      .limit(1),
  );
  const endPruning = prepare((p: { segment: number }) =>
    db
      .updateTable('audit_segments')
      .set({ row_index: null })
      .where('segment', '=', p.segment)
      .where('pruned_at', 'is not', null),
  );
  const deleteRows = prepare((p: { last: number }) =>
    db
      .deleteFrom('audit')
      .where(
        'id',
        'in',
        db.selectFrom('audit').select('id').where('id', '<=', p.last).orderBy('id').limit(PORTION_ROWS),
      ),
  );
  const deleteFirst = prepare((p: { last: number }) => db.deleteFrom('audit').where('id', '<=', p.last));
  const readFirst = prepare(() =>
    db
      .selectFrom('audit')
      .select(['id', 'created_at'])
      .where('id', '>=', FIRST_ROW_ID)
      .orderBy('id')
      .limit(PORTION_ROWS),
  );
  const readId = prepare((p: { after: number; skipped: number }) =>
    db
      .selectFrom('audit')
      .select('id')
      .where('id', '>', p.after)
      .where('id', '<=', LAST_ROW_ID)
      .orderBy('id')
      .limit(1)
      .offset(p.skipped),
  );
  const count = prepare((p: { after: number }) =>
    db
      .selectFrom('audit')
      .select(raw<number>`count(*)`.as('rows'))
      .where('id', '>', p.after)
      .where('id', '<=', LAST_ROW_ID),
  );
  const countForeign = prepare(() =>
    db
      .selectFrom('audit')
      .select(raw<number>`count(*)`.as('rows'))
      .where((is) => is.or([is('id', '<', FIRST_ROW_ID), is('id', '>', LAST_ROW_ID)])),
  );
  const readErasures = prepare((p: { after: number; limit: number }) =>
    db
      .selectFrom('audit')
      .select(['id', 'user_id', 'created_at', 'erasure'])
      .where('erasure', 'is not', null)
      .$narrowType<{ erasure: string }>()
      .where('id', '>', p.after)
      .where('id', '<=', LAST_ROW_ID)
      .orderBy('id')
      .limit(p.limit),
  );

  const texts = RAW[dialect];
  async function readRaw(text: string, parameters: readonly unknown[]): Promise<RawAuditRow[]> {
    const found = await all(CompiledQuery.raw(text, [...parameters]));
    // Every statement here selects the columns of the table, `id` among them, in a row or as a JSON object.
    const rows = dialect === 'postgres' ? found.map((row) => (row as { line: unknown }).line) : found;
    return rows as RawAuditRow[];
  }

  return {
    newest: () => one(readNewest({})),
    page: (after, limit) => all(readPage({ after, limit })),
    latest(before, limit) {
      let segments = db.selectFrom('audit_segments').select(every);
      if (before !== undefined) segments = segments.where('segment', '<', before);
      return all(segments.orderBy('segment', 'desc').limit(limit).compile());
    },
    async add(segment) {
      const insert = db
        .insertInto('audit_segments')
        .values(values('audit_segments', segment))
        .onConflict((conflict) => conflict.doNothing());
      return (await change(insert.compile())) > 0;
    },

    rows: (after, last, limit) => readRaw(texts.between, [after, last, limit]),
    idAfter: async (after, place) => (await one(readId({ after, skipped: place - 1 })))?.id ?? null,
    countAfter: async (after) => (await one(count({ after })))?.rows ?? 0,
    countForeign: async () => (await one(countForeign({})))?.rows ?? 0,
    async cut() {
      // The text selects exactly these columns.
      const found = (await one(CompiledQuery.raw(texts.cut))) as {
        last: number | null;
        writers: string;
      } | null;
      if (found === null || found.last === null) return null;
      return { last: found.last, writers: found.writers } satisfies AuditCut;
    },
    async areDone(writers) {
      if (texts.running === null || writers === '') return true;
      return (await all(CompiledQuery.raw(texts.running, [writers]))).length === 0;
    },

    rowsOf: (userIds, limit) => readRaw(texts.ofPeople, [toJson(userIds), limit]),
    async erase(userIds, pseudonym, rows, { created_at, erasure }) {
      const replaced = selectJsonRows({ db, dialect }, 'audit', toJson(rows)).as('replaced');
      const update = db
        .updateTable('audit')
        .from(replaced)
        .set({
          ...CLEARED,
          user_id: pseudonym,
          salt: null,
          commitment: raw<string>`replaced.commitment`,
        })
        .where(isOneOf(dialect, 'audit.user_id', toJson(userIds)))
        .where('audit.id', '=', (is) => is.cast<number>('replaced.id', 'bigint'));
      const insert = db.insertInto('audit').values({
        ...CLEARED,
        user_id: pseudonym,
        integration: 'gateway',
        tool: ERASURE_TOOL,
        action: 'EXECUTE',
        success: 1,
        error: null,
        duration_ms: 0,
        created_at,
        actor: null,
        outcome: 'ok',
        account: null,
        salt: null,
        commitment: null,
        erasure,
      });
      await batch([update.compile(), insert.compile()]);
    },
    erasures: (after, limit) => all(readErasures({ after, limit })),

    undelivered: (limit) => all(readUndelivered({ limit })),
    async markDelivered(segment, now) {
      await change(markDelivered({ segment, now }));
    },

    oldestWithRows: () => one(readOldest({})),
    async beginPruning(segment, signed) {
      const update = db
        .updateTable('audit_segments')
        .set(signed)
        .where('segment', '=', segment)
        .where('pruned_at', 'is', null);
      return (await change(update.compile())) > 0;
    },
    deleteRows: async (last) => (await change(deleteRows({ last }))) >= PORTION_ROWS,
    async endPruning(segment) {
      await change(endPruning({ segment }));
    },
    async deleteOlder(before) {
      const rows = await all(readFirst({}));
      const kept = rows.findIndex(({ created_at }) => created_at >= before);
      const last = (kept < 0 ? rows : rows.slice(0, kept)).at(-1);
      if (last === undefined) return false;
      await change(deleteFirst({ last: last.id }));
      return kept < 0 && rows.length >= PORTION_ROWS;
    },
  };
}

/**
 * Statements that read every column, without `*` on PostgreSQL, where a column that joins would break prepared ones.
 *
 * The cut: PostgreSQL gives a row its id before the row can be seen, so an id below the newest may appear later. A statement
 * that inserts holds a lock on the table from before it takes an id until its transaction is over. The locks are read
 * after the snapshot of the statement was taken, so they include everybody who took an id below `last` and is not done.
 */
const RAW: Record<Dialect, { between: string; ofPeople: string; cut: string; running: string | null }> = {
  postgres: {
    between: 'select to_jsonb(audit) as line from audit where id > $1 and id <= $2 order by id limit $3',
    // The rows of each person come from the index: for a list PostgreSQL might read the whole table.
    ofPeople:
      'select line from json_array_elements_text(cast(cast($1 as text) as json)) as person(id) cross join lateral (select to_jsonb(audit) as line from audit where user_id = person.id order by audit.id limit $2) as found limit $2',
    cut: `select (select max(id) from audit where id <= ${LAST_ROW_ID}) as last, coalesce((select string_agg(distinct virtualtransaction, ',') from pg_locks where locktype = 'relation' and database = (select oid from pg_database where datname = current_database()) and relation = 'audit'::regclass and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()), '') as writers`,
    running: `select 1 from pg_locks where locktype = 'relation' and relation = 'audit'::regclass and mode = 'RowExclusiveLock' and virtualtransaction = any(string_to_array($1, ','))`,
  },
  // One transaction writes at a time, and a row gets its id in it.
  sqlite: {
    between: 'select * from audit where id > ? and id <= ? order by id limit ?',
    ofPeople: 'select * from audit where user_id in (select value from json_each(?)) limit ?',
    cut: `select max(id) as last, '' as writers from audit where id <= ${LAST_ROW_ID}`,
    running: null,
  },
};
