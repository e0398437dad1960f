// Chooses audit rows by a query, and finds the ids of a time. decision: 040
import { sql } from 'kysely';
import { FIRST_ROW_ID, LAST_ROW_ID } from '../../src/ports/audit-segments.ts';
import type { AuditQuery } from '../../src/ports/store.ts';
import type { Sql } from './sql.ts';

/** A query names these columns by their one value. */
const EXACT = ['integration', 'tool', 'actor', 'outcome', 'access', 'account'] as const;
const SEARCHED = ['tool', 'integration', 'account', 'client_name', 'error'] as const;
/** Ids grow with time, but a row that could not be stored at once has a later id than its time says. */
const LATE_ROWS = 1_000;

const FIRST = sql.lit(FIRST_ROW_ID);
const LAST = sql.lit(LAST_ROW_ID);

type Chosen = Omit<AuditQuery, 'limit'>;

export function createChooseAuditRows({ db }: Pick<Sql, 'db'>) {
  return function chooseAuditRows({
    user_id,
    before,
    from,
    since,
    until,
    success,
    words,
    like,
    ...exact
  }: Chosen) {
    // A row outside these ends was inserted by hand and is in no segment. Each end has one condition: of two, SQLite may
    // find the rows by the looser one. The ends that never change are literals, so that PostgreSQL can plan with them.
    let rows = db
      .selectFrom('audit')
      .where('id', '>=', from === undefined ? FIRST : Math.max(from, FIRST_ROW_ID))
      .where('id', '<=', before === undefined ? LAST : Math.min(before - 1, LAST_ROW_ID));
    if (user_id !== null) rows = rows.where('user_id', '=', user_id);
    if (since !== undefined) rows = rows.where('created_at', '>=', since);
    if (until !== undefined) rows = rows.where('created_at', '<=', until);
    // The indexes of failed rows serve only statements with these literals.
    if (success === false && user_id === null) rows = rows.where('id', '>', sql.lit(0));
    if (success !== undefined) rows = rows.where('success', '=', sql.lit(success ? 1 : 0));
    for (const column of EXACT) {
      const wanted = exact[column];
      if (wanted !== undefined) rows = rows.where(column, '=', wanted);
    }
    for (const word of words ?? []) rows = rows.where(searchedText, 'like', patternOf(word));
    if (like === undefined) return rows;
    rows = rows.where('integration', '=', like.integration).where('tool', '=', like.tool);
    for (const column of ['outcome', 'error'] as const) {
      const same = like[column];
      rows = same === null ? rows.where(column, 'is', null) : rows.where(column, '=', same);
    }
    return rows;
  };
}

const searchedText = sql<string>`lower(${sql.join(
  SEARCHED.map((column) => sql`coalesce(${sql.ref(column)}, '')`),
  sql` || ' ' || `,
)})`;

/** Each character stands for itself. */
const patternOf = (word: string) =>
  sql<string>`${`%${word.toLowerCase().replaceAll(/[%_!]/g, '!$&')}%`} escape '!'`;

export async function findSpan(
  { db, one }: Pick<Sql, 'db' | 'one'>,
  { since, until }: Pick<AuditQuery, 'since' | 'until'>,
): Promise<Pick<AuditQuery, 'before' | 'from'> | null> {
  const nearest = db
    .selectFrom('audit')
    .select('id')
    // With the plus no database reads the table by id here, in place of the index by time.
    .where(sql<boolean>`+id between ${FIRST} and ${LAST}`)
    .limit(LATE_ROWS);
  async function findEnd(rows: typeof nearest, end: 'min' | 'max'): Promise<number | null> {
    const found = await one(
      db
        .selectFrom(rows.as('nearest'))
        .select(({ fn }) => fn[end]<number | null>('id').as('id'))
        .compile(),
    );
    return found?.id ?? null;
  }

  const [first, last] = await Promise.all([
    since === undefined
      ? undefined
      : findEnd(nearest.where('created_at', '>=', since).orderBy('created_at'), 'min'),
    until === undefined
      ? undefined
      : findEnd(nearest.where('created_at', '<=', until).orderBy('created_at', 'desc'), 'max'),
  ]);
  if (first === null || last === null) return null;
  return { from: first, before: last === undefined ? undefined : last + 1 };
}
