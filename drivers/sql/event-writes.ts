// Writes events. Every write of a person's events begins with the person's stream, so that they get their positions in the order
// in which they are committed: a reader that goes on behind the last one misses nothing.
import { sql, type SqlBool } from 'kysely';
import type { EventDraft, MostEvents } from '../../src/ports/events.ts';
import { jsonItems, jsonPortions } from './json-rows.ts';
import { prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { typed } from './typed.ts';

export function createEventWrites({ db, dialect }: Pick<Sql, 'db' | 'dialect'>) {
  /** Makes the writes of one person wait for each other. */
  const advance = prepare((p: { user: string; events: number; characters: number }) =>
    db
      .updateTable('event_streams')
      .set((is) => ({
        last: is('last', '+', typed(is).number(p.events)),
        written: is('written', '+', typed(is).number(p.characters)),
      }))
      .where('user_id', '=', p.user),
  );
  const noteDelivery = prepare((p: { id: string; at: number }) =>
    db.updateTable('event_subscriptions').set({ delivered_at: p.at }).where('id', '=', p.id),
  );
  const member = (name: string) => sql<string>`item.value ->> ${sql.lit(name)}`;
  const count = (name: string) => sql<number>`cast(item.value ->> ${sql.lit(name)} as bigint)`;
  /** `back` and `rest` say how far an event is behind the end of the stream. */
  const wantedOf = (json: string) =>
    db
      .selectFrom(jsonItems(dialect, json).as('item'))
      .innerJoin('event_subscriptions as of', (join) =>
        join.on(sql<SqlBool>`of.id = ${member('subscription_id')}`),
      )
      .innerJoin('event_streams as stream', 'stream.user_id', 'of.user_id')
      .where('of.ended', 'is', null)
      .select([
        member('id').as('id'),
        'of.user_id as user_id',
        'of.id as subscription_id',
        sql<number>`stream.last - ${count('back')}`.as('position'),
        sql<number>`stream.written - ${count('rest')}`.as('written'),
        count('received_at').as('received_at'),
        count('expires_at').as('expires_at'),
        count('characters').as('characters'),
        member('sealed').as('sealed'),
      ]);
  const EVENT_COLUMNS = [
    'id',
    'user_id',
    'subscription_id',
    'position',
    'written',
    'received_at',
    'expires_at',
    'characters',
    'sealed',
  ] as const;
  const insert = prepare((p: { json: string }) =>
    db
      .insertInto('events')
      .columns(EVENT_COLUMNS)
      .expression(wantedOf(p.json))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  );
  /** Only for the run that has just noted its end. */
  const insertOfRun = prepare((p: { json: string; id: string; run: string }) =>
    db
      .insertInto('events')
      .columns(EVENT_COLUMNS)
      .expression(
        wantedOf(p.json).where((is) =>
          is.exists(
            is
              .selectFrom('event_pollers')
              .select('subscription_id')
              .where('subscription_id', '=', p.id)
              .where('run', '=', p.run),
          ),
        ),
      )
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id'),
  );
  const streamOf = (user: string, column: 'last' | 'written', most: number) =>
    db
      .selectFrom('event_streams')
      .select((is) => is(column, '-', typed(is).number(most)).as('limit'))
      .where('event_streams.user_id', '=', user);
  /** The first event that is kept. `written` grows with the position, so that a look at the oldest events finds it. */
  const firstKept = (p: { user: string } & MostEvents) =>
    db
      .selectFrom('events')
      .select('position')
      .where('user_id', '=', p.user)
      .where('position', '>', streamOf(p.user, 'last', p.events))
      .where(sql<number>`written - characters`, '>=', streamOf(p.user, 'written', p.characters))
      .orderBy('position')
      .limit(1);
  const later = dialect === 'postgres' ? sql.raw('greatest') : sql.raw('max');
  const noteDropped = prepare((p: { user: string } & MostEvents) =>
    db
      .updateTable('event_streams')
      .set({
        dropped: sql`${later}(dropped, coalesce((${db
          .selectFrom('events')
          .select(({ fn }) => fn.max('position').as('most'))
          .where('user_id', '=', p.user)
          .where('position', '<', firstKept(p))}), 0))`,
      })
      .where('user_id', '=', p.user),
  );
  const trim = prepare((p: { user: string } & MostEvents) =>
    db.deleteFrom('events').where('user_id', '=', p.user).where('position', '<', firstKept(p)),
  );
  /** The statements that write drafts. People come in one order, so no two batches wait for each other. */
  function writesOf(
    drafts: readonly EventDraft[],
    most: MostEvents,
    insertRows: (json: string) => ReturnType<typeof insert>,
  ) {
    const people = [...Map.groupBy(drafts, ({ user_id }) => user_id)].toSorted(([former], [latter]) =>
      former < latter ? -1 : 1,
    );
    const placed: object[] = [];
    const lasts = new Map<string, number>();
    const advances = people.map(([user, own]) => {
      const characters = own.reduce((sum, draft) => sum + draft.characters, 0);
      let rest = characters;
      for (const [index, draft] of own.entries()) {
        rest -= draft.characters;
        placed.push({ ...draft, back: own.length - 1 - index, rest });
        lasts.set(draft.subscription_id, Math.max(lasts.get(draft.subscription_id) ?? 0, draft.received_at));
      }
      return advance({ user, events: own.length, characters });
    });
    return {
      advances,
      deliveries: [...lasts]
        .toSorted(([former], [latter]) => (former < latter ? -1 : 1))
        .map(([id, at]) => noteDelivery({ id, at })),
      inserts: [...jsonPortions(placed)].map(insertRows),
      trims: people.flatMap(([user]) => [noteDropped({ user, ...most }), trim({ user, ...most })]),
    };
  }

  return {
    advance,
    later,
    writesOf: (drafts: readonly EventDraft[], most: MostEvents) =>
      writesOf(drafts, most, (json) => insert({ json })),
    /** Stores only for the run that has just noted its end. */
    writesOfRun: (id: string, run: string, drafts: readonly EventDraft[], most: MostEvents) =>
      writesOf(drafts, most, (json) => insertOfRun({ json, id, run })),
  };
}

export type EventWrites = ReturnType<typeof createEventWrites>;

/** Only the inserts return rows. */
export function idsIn(results: readonly { rows: readonly unknown[] }[]): Set<string> {
  return new Set(
    results.flatMap(({ rows }) =>
      rows.flatMap((row) =>
        typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? [row.id] : [],
      ),
    ),
  );
}
