// Events of the outside: reads of what event-writes.ts stores, and the end of their time.
import { sql } from 'kysely';
import type { Events } from '../../src/ports/events.ts';
import { createEventPollers } from './event-pollers.ts';
import { createEventSubscriptions } from './event-subscriptions.ts';
import { createEventWrites, idsIn } from './event-writes.ts';
import { selectJsonTexts, toJson } from './json-rows.ts';
import { PORTION_ROWS } from './portions.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';

/** The people of whom one portion of a sweep deletes events. */
const PORTION_PEOPLE = 20;

export function createEvents(given: Sql): Events {
  const { db, dialect, all, one, change, batch } = given;
  const writes = createEventWrites(given);
  const { later } = writes;
  const rows = db.selectFrom('events').select(columns('events'));

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
  const pageOfEvents = prepare((p: { after: string; limit: number }) =>
    rows.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const swapEvent = prepare((p: { id: string; seen: string; next: string }) =>
    db.updateTable('events').set({ sealed: p.next }).where('id', '=', p.id).where('sealed', '=', p.seen),
  );
  return {
    ...createEventSubscriptions(given, writes),
    ...createEventPollers(given, writes),
    async append(drafts, most) {
      if (drafts.length === 0) return new Set();
      const { advances, deliveries, inserts, trims } = writes.writesOf(drafts, most);
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
    async expire(now) {
      const people = await all(expiredPeople({ now }));
      for (const { user_id: user } of people)
        await batch([noteExpired({ user, now }), removeExpired({ user, now })]);
      return people.length > 0;
    },
    pageOfEvents: (from, limit) => all(pageOfEvents({ after: from ?? '', limit })),
    swapEvent: async (id, seen, next) => (await change(swapEvent({ id, seen, next }))) === 1,
  };
}
