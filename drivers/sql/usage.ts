// The counted calls. Everything that writes them changes the state row first, so that no two of them run at once.
// decision: 040
import { CompiledQuery, sql } from 'kysely';
import { EVERYONE } from '../../src/ports/store.ts';
import type { Usage, UsageAsked, UsageCount, UsageLevel, UsageRow } from '../../src/ports/usage.ts';
import type { Engine } from './engine.ts';
import { jsonItems, jsonPortions, selectJsonRows } from './json-rows.ts';
import { PORTION_ROWS } from './portions.ts';
import { columns, prepare } from './prepare.ts';
import type { Dialect } from './schema.ts';
import type { Sql } from './sql.ts';
import { DURATION_COLUMNS, type DurationColumn } from './usage-columns.ts';

const DAY_SECONDS = 86_400;
/** What is kept of an error: enough to tell its cause. */
const ERROR_CHARACTERS = 200;
const LOOKS = 20;
const LOOK_MS = 25;

const KEY = ['user_id', 'level', 'start', 'integration', 'tool', 'actor', 'cause'] as const;

/** A batch that begins with this statement waits for every other one that does. */
export const createLockUsage = ({ db }: Pick<Sql, 'db'>) =>
  prepare(() =>
    db
      .insertInto('usage_state')
      .values({ id: 'usage', counted: 0, turn: '' })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ turn: sql<string>`usage_state.turn` })),
  );

export function createUsage(engine: Engine, { db, dialect, all, one, batch }: Sql): Usage {
  const lock = createLockUsage({ db });
  const counted = prepare(() => db.selectFrom('usage_state').select('counted').where('id', '=', 'usage'));
  const newestId = prepare(() => db.selectFrom('audit').select('id').orderBy('id', 'desc').limit(1));
  const rows = db
    .selectFrom('audit')
    .select([
      'id',
      'user_id',
      'integration',
      'tool',
      'action',
      'success',
      'duration_ms',
      'created_at',
      'actor',
      'outcome',
      sql<string | null>`substr(error, 1, ${sql.lit(ERROR_CHARACTERS)})`.as('error'),
    ]);
  const oldest = prepare((p: { after: number; to: number; limit: number }) =>
    rows.where('id', '>', p.after).where('id', '<=', p.to).orderBy('id').limit(p.limit),
  );
  const newest = prepare((p: { after: number; limit: number }) =>
    rows.where('id', '>', p.after).orderBy('id', 'desc').limit(p.limit),
  );
  const newestOf = prepare((p: { user: string; after: number; limit: number }) =>
    rows.where('user_id', '=', p.user).where('id', '>', p.after).orderBy('id', 'desc').limit(p.limit),
  );
  const groups = prepare((p: { user: string; level: UsageLevel; start: number }) =>
    db
      .selectFrom('usage_counts')
      .select(['integration', 'tool', 'actor'])
      .distinct()
      .where('user_id', '=', p.user)
      .where('level', '=', p.level)
      .where('start', '=', p.start),
  );
  const take = prepare((p: { seen: number; next: number; turn: string }) =>
    db.updateTable('usage_state').set({ counted: p.next, turn: p.turn }).where('counted', '=', p.seen),
  );
  const insert = prepare((p: { rows: string; turn: string }) =>
    db
      .insertInto('usage_counts')
      .columns(columns('usage_counts'))
      .expression(
        selectJsonRows({ db, dialect }, 'usage_counts', p.rows)
          .where((is) => is.exists(is.selectFrom('usage_state').select('id').where('turn', '=', p.turn)))
          .where(
            sql<boolean>`(item.value ->> 'user_id' = ${sql.lit(EVERYONE)} or exists (select 1 from users where users.id = item.value ->> 'user_id'))`,
          ),
      )
      .onConflict((conflict) => conflict.columns(KEY).doUpdateSet(addExcluded())),
  );

  const ofServiceKeys = prepare((p: { from: number }) =>
    db
      .selectFrom('service_keys')
      .innerJoin('usage_counts', 'usage_counts.user_id', 'service_keys.id')
      .where('level', '=', 'day')
      .select([
        'service_keys.id as key',
        sql<number>`cast(sum(case when start >= cast(${p.from} as bigint) then calls else 0 end) as bigint)`.as(
          'recent',
        ),
        sql<number>`cast(sum(calls) as bigint)`.as('all'),
      ])
      .groupBy('service_keys.id'),
  );

  const sum = <C extends string>(column: C) =>
    sql<number>`cast(sum(${sql.ref(column)}) as bigint)`.as(column);
  const durations = DURATION_COLUMNS.map(sum);

  function countsOf({ user_id, from, integration, tool, actor }: UsageAsked, level: UsageLevel) {
    let query = db
      .selectFrom('usage_counts')
      .where('user_id', '=', user_id)
      .where('level', '=', level)
      .where('start', '>=', from);
    if (integration !== undefined) query = query.where('integration', '=', integration);
    if (tool !== undefined) query = query.where('tool', '=', tool);
    if (actor !== undefined) query = query.where('actor', '=', actor);
    return query;
  }

  /** The hours by group are more rows than the totals, so they are read only for what needs them. */
  const levelFor = ({ integration, tool, actor }: UsageAsked) =>
    [integration, tool, actor].every((value) => value === undefined) ? ('total' as const) : ('hour' as const);

  async function writers(): Promise<string[]> {
    const { rows: found } = await engine.run(CompiledQuery.raw(WRITERS));
    // the statement has this column
    return (found as { writer: string }[]).map(({ writer }) => writer);
  }

  /** Waits a moment until none of them is left. */
  async function haveEnded(seen: readonly string[]): Promise<boolean> {
    let left = seen;
    for (let look = 0; left.length > 0 && look < LOOKS; look++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const now = await writers();
      left = left.filter((writer) => now.includes(writer));
    }
    return left.length === 0;
  }

  return {
    counted: async () => (await one(counted({})))?.counted ?? 0,
    async settled() {
      const id = (await one(newestId({})))?.id ?? 0;
      if (dialect === 'sqlite') return id;
      // An insert locks the table before it takes an id. So who took a lower id holds the lock still, or has ended.
      return (await haveEnded(await writers())) ? id : null;
    },
    rows: async (after, to, limit) => (await all(oldest({ after, to, limit }))).map(toRow),
    async newest(user, after, limit) {
      const query = user === EVERYONE ? newest({ after, limit }) : newestOf({ user, after, limit });
      return (await all(query)).map(toRow);
    },
    async sizes(places) {
      const items = places.map((place, at) => ({ ...place, at }));
      const found = await Promise.all([...jsonPortions(items)].map((json) => all(sizes(json).compile())));
      const sizeAt = new Map(found.flat().map(({ at, size }) => [at, size]));
      return places.map((_, at) => sizeAt.get(at) ?? 0);
    },
    groups: ({ user_id: user, level, start }) => all(groups({ user, level, start })),
    async add(seen, next, counts) {
      const turn = crypto.randomUUID();
      const inserts = [...jsonPortions(counts.map(toStored))].map((json) => insert({ rows: json, turn }));
      const [, taken] = await batch([lock({}), take({ seen, next, turn }), ...inserts]);
      return taken.changes === 1;
    },
    async series(asked, { shift, seconds }) {
      const found = await all(
        countsOf(asked, levelFor(asked))
          // SQLite gets numbers as floats, and divides integers only by integers.
          .select(sql<number>`(start + cast(${shift} as bigint)) / cast(${seconds} as bigint)`.as('bucket'))
          .select(['cause', sum('calls'), ...durations])
          .groupBy([sql`1`, 'cause'])
          .compile(),
      );
      return found.map(({ bucket, cause, calls, ...ranges }) => ({
        bucket,
        cause,
        calls,
        durations: DURATION_COLUMNS.map((column) => ranges[column] ?? 0),
      }));
    },
    causes: (asked, to) =>
      all(
        countsOf(asked, levelFor(asked))
          .where('start', '<', to)
          .select(['cause', sum('calls')])
          .groupBy('cause')
          .compile(),
      ),
    async sums(asked) {
      const firstDay = Math.ceil(asked.from / DAY_SECONDS) * DAY_SECONDS;
      const names = ['integration', 'tool', 'actor', 'cause'] as const;
      const parts = [
        countsOf(asked, 'hour').where('start', '<', firstDay),
        countsOf({ ...asked, from: firstDay }, 'day'),
      ].map((part) =>
        all(
          part
            .select([...names, sum('calls')])
            .groupBy(names)
            .compile(),
        ),
      );
      return (await Promise.all(parts)).flat();
    },
    ofServiceKeys: (from) => all(ofServiceKeys({ from })),
    hoursOfActors: (asked) =>
      all(
        countsOf(asked, 'hour')
          .select(['actor', 'start', 'cause', sum('calls')])
          .groupBy(['actor', 'start', 'cause'])
          .compile(),
      ),
    async prune({ hours, days }) {
      const until = [
        ['total', hours],
        ['hour', hours],
        ['day', days],
      ] as const;
      const results = await batch([
        lock({}),
        ...until.map(([level, start]) => CompiledQuery.raw(deletePortion(dialect), [level, start])),
      ]);
      return results.slice(1).some(({ changes }) => changes >= PORTION_ROWS);
    },
  };

  function sizes(json: string) {
    return db
      .selectFrom(jsonItems(dialect, json).as('item'))
      .select([
        sql<number>`cast(item.value ->> 'at' as bigint)`.as('at'),
        sql<number>`(select count(*) from usage_counts where user_id = item.value ->> 'user_id' and level = item.value ->> 'level' and start = cast(item.value ->> 'start' as bigint))`.as(
          'size',
        ),
      ]);
  }
}

/** The transactions that write audit rows, by ids that never come again. Everybody may read this view. */
const WRITERS = `select virtualtransaction as writer from pg_locks where locktype = 'relation' and relation = to_regclass('audit') and database = (select oid from pg_database where datname = current_database()) and mode = 'RowExclusiveLock' and granted`;

function deletePortion(dialect: Dialect): string {
  const [row, one, two] = dialect === 'postgres' ? ['ctid', '$1', '$2'] : ['rowid', '?', '?'];
  return `delete from usage_counts where ${row} in (select ${row} from usage_counts where level = ${one} and start < ${two} limit ${PORTION_ROWS})`;
}

const toRow = ({ success, ...row }: Omit<UsageRow, 'success'> & { success: number }): UsageRow => ({
  ...row,
  success: success !== 0,
});

/** A range without calls is left out, and is stored as 0. */
const toStored = ({ durations, ...count }: UsageCount) => ({
  ...count,
  ...Object.fromEntries(
    durations.flatMap((calls, range) => {
      const column = DURATION_COLUMNS[range];
      return calls === 0 || column === undefined ? [] : [[column, calls]];
    }),
  ),
});

function addExcluded() {
  const added: Partial<Record<DurationColumn | 'calls', ReturnType<typeof sql<number>>>> = {};
  for (const column of ['calls', ...DURATION_COLUMNS] as const)
    added[column] = sql<number>`${sql.ref(`usage_counts.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  return added;
}
