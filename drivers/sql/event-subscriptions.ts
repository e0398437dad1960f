// What people have subscribed to.
import type { Events, EventSubscription } from '../../src/ports/events.ts';
import { createPollerStatements } from './event-pollers.ts';
import type { EventWrites } from './event-writes.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected, typed } from './typed.ts';

type Subscriptions = Pick<
  Events,
  | 'subscribe'
  | 'byAddress'
  | 'get'
  | 'list'
  | 'swapSealed'
  | 'end'
  | 'noteRefused'
  | 'remove'
  | 'pageOfSubscriptions'
>;

export function createEventSubscriptions(
  { db, all, one, change, batch }: Sql,
  { advance }: EventWrites,
): Subscriptions {
  const subscriptions = db.selectFrom('event_subscriptions').select(columns('event_subscriptions'));
  const { insertPoller, removePoller } = createPollerStatements({ db });

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
  const insertSubscription = prepare((p: EventSubscription & { most: number }) =>
    db
      .insertInto('event_subscriptions')
      .columns(columns('event_subscriptions'))
      .expression(
        db
          .selectFrom('event_streams')
          .select(selected('event_subscriptions', p))
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
  const byAddress = prepare((p: { address: string }) => subscriptions.where('address', '=', p.address));
  const get = prepare((p: { user: string; id: string }) =>
    subscriptions.where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const list = prepare((p: { user: string }) =>
    subscriptions.where('user_id', '=', p.user).orderBy('created_at').orderBy('id'),
  );
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
  const noteRefused = prepare((p: { id: string; at: number; why: string }) =>
    db.updateTable('event_subscriptions').set({ refused_at: p.at, refused: p.why }).where('id', '=', p.id),
  );
  const remove = prepare((p: { user: string; id: string }) =>
    db.deleteFrom('event_subscriptions').where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const removeEvents = prepare((p: { user: string; id: string }) =>
    db.deleteFrom('events').where('subscription_id', '=', p.id).where('user_id', '=', p.user),
  );
  const pageOfSubscriptions = prepare((p: { after: string; limit: number }) =>
    subscriptions.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
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
    pageOfSubscriptions: (from, limit) => all(pageOfSubscriptions({ after: from ?? '', limit })),
  };
}
