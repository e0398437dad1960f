// Events of the outside. Every write of a person's events begins with the person's stream, so that they get their positions in
// the order in which they are committed: a reader that goes on behind the last one misses nothing.
import { sql, type SqlBool } from 'kysely';
import type {
  EndedRun,
  EventDraft,
  EventPoller,
  Events,
  EventSubscription,
  MostEvents,
} from '../../src/ports/events.ts';
import { jsonItems, jsonPortions, selectJsonTexts, toJson } from './json-rows.ts';
import { columns, prepare } from './prepare.ts';
import { PORTION_ROWS } from './portions.ts';
import type { Sql } from './sql.ts';
import { typed } from './typed.ts';

/** The people of whom one portion of a sweep deletes events. */
const PORTION_PEOPLE = 20;

export function createEvents(given: Sql): Events {
  const { db, dialect, all, one, change, batch } = given;
  const subscriptions = db.selectFrom('event_subscriptions').select(columns('event_subscriptions'));
  const pollers = db.selectFrom('event_pollers').select(columns('event_pollers'));
  const rows = db.selectFrom('events').select(columns('events'));

  const openStream = prepare((p: { user: string }) =>
    db
      .insertInto('event_streams')
      .columns(['user_id', 'last', 'written', 'dropped'])
      .expression(
        db
          .selectFrom('users')
          .select((is) => [
            'users.id as user_id',
            ...(['last', 'written', 'dropped'] as const).map((name) => typed(is).number(0).as(name)),
          ])
          .where('users.id', '=', p.user)
          .where('deleted_at', 'is', null),
      )
      .onConflict((conflict) => conflict.column('user_id').doNothing()),
  );
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
  const insertSubscription = prepare((p: EventSubscription & { most: number }) =>
    db
      .insertInto('event_subscriptions')
      .columns(columns('event_subscriptions'))
      .expression(
        db
          .selectFrom('event_streams')
          .select((is) => {
            const { text, number } = typed(is);
            return [
              text(p.id).as('id'),
              'event_streams.user_id as user_id',
              text(p.caller).as('caller'),
              text(p.kind).as('kind'),
              text(p.integration).as('integration'),
              text(p.event).as('event'),
              text(p.account).as('account'),
              text(p.address).as('address'),
              text(p.ended).as('ended'),
              number(p.created_at).as('created_at'),
              number(p.delivered_at).as('delivered_at'),
              number(p.refused_at).as('refused_at'),
              text(p.refused).as('refused'),
              text(p.sealed).as('sealed'),
            ];
          })
          .where('event_streams.user_id', '=', p.user_id)
          .where(
            (is) =>
              is
                .selectFrom('event_subscriptions as other')
                .select(({ fn }) => fn.countAll<number>().as('count'))
                .where('other.user_id', '=', p.user_id)
                .where('other.kind', '=', p.kind),
            '<',
            p.most,
          ),
      ),
  );
  const insertPoller = prepare((p: EventPoller) =>
    db
      .insertInto('event_pollers')
      .columns(columns('event_pollers'))
      .expression(
        db
          .selectFrom('event_subscriptions')
          .select((is) => {
            const { text, number } = typed(is);
            return [
              'event_subscriptions.id as subscription_id',
              'event_subscriptions.user_id as user_id',
              number(p.every).as('every'),
              number(p.next_run).as('next_run'),
              text(p.holder).as('holder'),
              number(p.lease_until).as('lease_until'),
              text(p.run).as('run'),
              number(p.last_run).as('last_run'),
              number(p.failures).as('failures'),
              text(p.error).as('error'),
              text(p.cursor).as('cursor'),
            ];
          })
          .where('event_subscriptions.id', '=', p.subscription_id),
      )
      .onConflict((conflict) => conflict.column('subscription_id').doNothing()),
  );
  const byAddress = prepare((p: { address: string }) => subscriptions.where('address', '=', p.address));
  const get = prepare((p: { user: string; id: string }) =>
    subscriptions.where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const list = prepare((p: { user: string }) =>
    subscriptions.where('user_id', '=', p.user).orderBy('created_at').orderBy('id'),
  );
  const poller = prepare((p: { id: string }) => pollers.where('subscription_id', '=', p.id));
  const pollersOf = prepare((p: { user: string }) => pollers.where('user_id', '=', p.user));
  const swapSealed = prepare((p: { id: string; seen: string; next: string }) =>
    db
      .updateTable('event_subscriptions')
      .set({ sealed: p.next })
      .where('id', '=', p.id)
      .where('sealed', '=', p.seen),
  );
  const end = prepare((p: { id: string; why: string }) =>
    db
      .updateTable('event_subscriptions')
      .set({ ended: p.why })
      .where('id', '=', p.id)
      .where('ended', 'is', null),
  );
  const removeForward = prepare((p: { user: string; id: string }) =>
    db.deleteFrom('event_forwards').where('subscription_id', '=', p.id).where('user_id', '=', p.user),
  );
  const removePoller = prepare((p: { id: string }) =>
    db.deleteFrom('event_pollers').where('subscription_id', '=', p.id),
  );
  const noteRefused = prepare((p: { id: string; at: number; why: string }) =>
    db.updateTable('event_subscriptions').set({ refused_at: p.at, refused: p.why }).where('id', '=', p.id),
  );
  const remove = prepare((p: { user: string; id: string }) =>
    db.deleteFrom('event_subscriptions').where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const removeEvents = prepare((p: { user: string; id: string }) =>
    db.deleteFrom('events').where('subscription_id', '=', p.id).where('user_id', '=', p.user),
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
  const isOver = (p: { user: string } & MostEvents) =>
    db
      .selectFrom('events')
      .where('user_id', '=', p.user)
      .where((is) =>
        is.or([
          is('position', '<=', streamOf(p.user, 'last', p.events)),
          is(sql<number>`written - characters`, '<', streamOf(p.user, 'written', p.characters)),
        ]),
      );
  const later = dialect === 'postgres' ? sql.raw('greatest') : sql.raw('max');
  const noteDropped = prepare((p: { user: string } & MostEvents) =>
    db
      .updateTable('event_streams')
      .set({
        dropped: sql`${later}(dropped, coalesce((${isOver(p).select(({ fn }) => fn.max('position').as('most'))}), 0))`,
      })
      .where('user_id', '=', p.user),
  );
  const trim = prepare((p: { user: string } & MostEvents) =>
    db.deleteFrom('events').where('id', 'in', isOver(p).select('id')),
  );
  const known = prepare((p: { json: string }) =>
    db.selectFrom('events').select('id').where('id', 'in', selectJsonTexts({ db, dialect }, p.json)),
  );
  const after = prepare((p: { user: string; position: number; limit: number }) =>
    rows.where('user_id', '=', p.user).where('position', '>', p.position).orderBy('position').limit(p.limit),
  );
  const afterOf = prepare((p: { user: string; position: number; limit: number; subscription: string }) =>
    rows
      .where('user_id', '=', p.user)
      .where('subscription_id', '=', p.subscription)
      .where('position', '>', p.position)
      .orderBy('position')
      .limit(p.limit),
  );
  const before = prepare((p: { user: string; position: number; limit: number }) =>
    rows
      .where('user_id', '=', p.user)
      .where('position', '<', p.position)
      .orderBy('position', 'desc')
      .limit(p.limit),
  );
  const beforeOf = prepare((p: { user: string; position: number; limit: number; subscription: string }) =>
    rows
      .where('user_id', '=', p.user)
      .where('subscription_id', '=', p.subscription)
      .where('position', '<', p.position)
      .orderBy('position', 'desc')
      .limit(p.limit),
  );
  const event = prepare((p: { user: string; id: string }) =>
    rows.where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const streams = prepare((p: { json: string }) =>
    db
      .selectFrom('event_streams')
      .select(['user_id', 'last', 'dropped'])
      .where('user_id', 'in', selectJsonTexts({ db, dialect }, p.json)),
  );
  const counted = prepare((p: { user: string }) =>
    db
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('events'))
      .where('user_id', '=', p.user),
  );
  const due = prepare((p: { until: number; now: number; limit: number }) =>
    pollers
      .where('next_run', '<=', p.until)
      .where((is) => is.or([is('lease_until', 'is', null), is('lease_until', '<=', p.now)]))
      .orderBy('next_run')
      .limit(p.limit),
  );
  const claim = prepare((p: { id: string; holder: string; now: number; until: number }) =>
    db
      .updateTable('event_pollers')
      .set({ holder: p.holder, lease_until: p.until })
      .where('subscription_id', '=', p.id)
      .where('next_run', '<=', p.now)
      .where((is) => is.or([is('lease_until', 'is', null), is('lease_until', '<=', p.now)]))
      .returning(columns('event_pollers')),
  );
  const finish = prepare((p: Omit<EndedRun, 'user_id'>) =>
    db
      .updateTable('event_pollers')
      .set({
        run: p.holder,
        holder: null,
        lease_until: null,
        last_run: p.last_run,
        next_run: p.next_run,
        failures: p.failures,
        error: p.error,
        cursor: p.cursor,
      })
      .where('subscription_id', '=', p.subscription_id)
      .where('holder', '=', p.holder),
  );
  const expiredPeople = prepare((p: { now: number }) =>
    db
      .selectFrom('events')
      .select('user_id')
      .distinct()
      .where(
        'id',
        'in',
        db
          .selectFrom('events')
          .select('id')
          .where('expires_at', '<=', p.now)
          .orderBy('expires_at')
          .limit(PORTION_ROWS),
      )
      .limit(PORTION_PEOPLE),
  );
  const oldest = (p: { user: string; now: number }) =>
    db
      .selectFrom('events')
      .where('user_id', '=', p.user)
      .where('expires_at', '<=', p.now)
      .orderBy('expires_at')
      .limit(PORTION_ROWS);
  const noteExpired = prepare((p: { user: string; now: number }) =>
    db
      .updateTable('event_streams')
      .set({
        dropped: sql`${later}(dropped, coalesce((select max(position) from (${oldest(p).select('position')}) as gone), 0))`,
      })
      .where('user_id', '=', p.user),
  );
  const removeExpired = prepare((p: { user: string; now: number }) =>
    db.deleteFrom('events').where('id', 'in', oldest(p).select('id')),
  );
  const pageOfSubscriptions = prepare((p: { after: string; limit: number }) =>
    subscriptions.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const pageOfPollers = prepare((p: { after: string; limit: number }) =>
    pollers
      .where('cursor', 'is not', null)
      .where('subscription_id', '>', p.after)
      .orderBy('subscription_id')
      .limit(p.limit),
  );
  const swapCursor = prepare((p: { id: string; seen: string; next: string }) =>
    db
      .updateTable('event_pollers')
      .set({ cursor: p.next })
      .where('subscription_id', '=', p.id)
      .where('cursor', '=', p.seen),
  );
  const pageOfEvents = prepare((p: { after: string; limit: number }) =>
    rows.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const swapEvent = prepare((p: { id: string; seen: string; next: string }) =>
    db.updateTable('events').set({ sealed: p.next }).where('id', '=', p.id).where('sealed', '=', p.seen),
  );

  /** The statements that write drafts, around `between`. People come in one order, so no two batches wait for each other. */
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
    async subscribe(subscription, row, most) {
      const { user_id: user } = subscription;
      const [, locked, inserted] = await batch([
        openStream({ user }),
        advance({ user, events: 0, characters: 0 }),
        insertSubscription({ ...subscription, most }),
        ...(row === null ? [] : [insertPoller(row)]),
      ]);
      if (locked.changes === 0) return 'gone';
      return inserted.changes === 1 ? 'added' : 'full';
    },
    byAddress: (address) => one(byAddress({ address })),
    get: (user, id) => one(get({ user, id })),
    list: (user) => all(list({ user })),
    async addPoller(row) {
      await batch([advance({ user: row.user_id, events: 0, characters: 0 }), insertPoller(row)]);
    },
    poller: (id) => one(poller({ id })),
    pollers: (user) => all(pollersOf({ user })),
    swapSealed: async (id, seen, next) => (await change(swapSealed({ id, seen, next }))) === 1,
    async end(id, why) {
      await batch([removePoller({ id }), end({ id, why })]);
    },
    async noteRefused(id, at, why) {
      await change(noteRefused({ id, at, why }));
    },
    async remove(user, id) {
      const [, , , removed] = await batch([
        advance({ user, events: 0, characters: 0 }),
        removePoller({ id }),
        removeForward({ user, id }),
        remove({ user, id }),
        removeEvents({ user, id }),
      ]);
      return removed.changes === 1;
    },
    async append(drafts, most) {
      if (drafts.length === 0) return new Set();
      const { advances, deliveries, inserts, trims } = writesOf(drafts, most, (json) => insert({ json }));
      const results = await batch([...advances, ...deliveries, ...inserts, ...trims]);
      return idsIn(results);
    },
    known: async (ids) => new Set((await all(known({ json: toJson(ids) }))).map(({ id }) => id)),
    after: (user, position, limit, subscription) =>
      all(
        subscription === undefined
          ? after({ user, position, limit })
          : afterOf({ user, position, limit, subscription }),
      ),
    before: (user, position, limit, subscription) =>
      all(
        subscription === null
          ? before({ user, position, limit })
          : beforeOf({ user, position, limit, subscription }),
      ),
    event: (user, id) => one(event({ user, id })),
    async streams(users) {
      const found = await all(streams({ json: toJson(users) }));
      return new Map(found.map(({ user_id, last, dropped }) => [user_id, { last, dropped }]));
    },
    count: async (user) => (await one(counted({ user })))?.events ?? 0,
    due: (until, now, limit) => all(due({ until, now, limit })),
    claim: (id, holder, now, until) => one(claim({ id, holder, now, until })),
    async finish({ user_id: user, ...run }, drafts, most) {
      const { subscription_id: id, holder } = run;
      const write = writesOf(drafts, most, (json) => insertOfRun({ json, id, run: holder }));
      const lock =
        write.advances.length === 0 ? [advance({ user, events: 0, characters: 0 })] : write.advances;
      const results = await batch([
        ...lock,
        finish(run),
        ...write.deliveries,
        ...write.inserts,
        ...write.trims,
      ]);
      return results[lock.length]?.changes === 1 ? idsIn(results.slice(lock.length + 1)) : null;
    },
    async expire(now) {
      const people = await all(expiredPeople({ now }));
      for (const { user_id: user } of people)
        await batch([noteExpired({ user, now }), removeExpired({ user, now })]);
      return people.length > 0;
    },
    pageOfSubscriptions: (from, limit) => all(pageOfSubscriptions({ after: from ?? '', limit })),
    pageOfPollers: (from, limit) => all(pageOfPollers({ after: from ?? '', limit })),
    swapCursor: async (id, seen, next) => (await change(swapCursor({ id, seen, next }))) === 1,
    pageOfEvents: (from, limit) => all(pageOfEvents({ after: from ?? '', limit })),
    swapEvent: async (id, seen, next) => (await change(swapEvent({ id, seen, next }))) === 1,
  };
}

/** Only the inserts return rows. */
function idsIn(results: readonly { rows: readonly unknown[] }[]): Set<string> {
  return new Set(
    results.flatMap(({ rows }) =>
      rows.flatMap((row) =>
        typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'string' ? [row.id] : [],
      ),
    ),
  );
}
