// Which events go on to an address of their person, and up to which one they have.
import type { EventForward, EventForwards } from '../../src/ports/event-forwards.ts';
import { selectJsonTexts, toJson } from './json-rows.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { typed } from './typed.ts';

type Own = Pick<EventForward, 'user_id' | 'subscription_id' | 'destination'>;

export function createEventForwards({ db, dialect, all, batch, change }: Sql): EventForwards {
  const own = columns('event_forwards');
  const lock = createLockUser({ db });
  const rows = db.selectFrom('event_forwards').select(own);
  const put = prepare((p: Own) =>
    db
      .insertInto('event_forwards')
      .columns(['subscription_id', 'user_id', 'destination', 'position'])
      .expression(
        db
          .selectFrom('event_subscriptions')
          .innerJoin('event_streams', 'event_streams.user_id', 'event_subscriptions.user_id')
          .select((is) => [
            'event_subscriptions.id as subscription_id',
            'event_subscriptions.user_id as user_id',
            typed(is).text(p.destination).as('destination'),
            'event_streams.last as position',
          ])
          .where('event_subscriptions.id', '=', p.subscription_id)
          .where('event_subscriptions.user_id', '=', p.user_id),
      )
      .onConflict((conflict) =>
        conflict.column('subscription_id').doUpdateSet((is) => ({
          destination: is.ref('excluded.destination'),
          position: is.ref('excluded.position'),
        })),
      ),
  );
  const of = prepare((p: { json: string }) =>
    rows.where('subscription_id', 'in', selectJsonTexts({ db, dialect }, p.json)),
  );
  const list = prepare((p: { user: string }) => rows.where('user_id', '=', p.user));
  const move = prepare((p: { subscription: string; destination: string; position: number }) =>
    db
      .updateTable('event_forwards')
      .set({ position: p.position })
      .where('subscription_id', '=', p.subscription)
      .where('destination', '=', p.destination)
      .where('position', '<', p.position),
  );
  const remove = prepare((p: Own) =>
    db
      .deleteFrom('event_forwards')
      .where('subscription_id', '=', p.subscription_id)
      .where('user_id', '=', p.user_id)
      .where('destination', '=', p.destination),
  );
  const behind = prepare((p: { after: string; limit: number }) =>
    rows
      .innerJoin('event_streams as stream', 'stream.user_id', 'event_forwards.user_id')
      .whereRef('event_forwards.position', '<', 'stream.last')
      .where('event_forwards.subscription_id', '>', p.after)
      .orderBy('event_forwards.subscription_id')
      .limit(p.limit)
      .clearSelect()
      .select(own.map((name) => `event_forwards.${name}` as const)),
  );
  return {
    async put({ subscription_id, user_id, destination }) {
      const [, made] = await batch([lock({ user: user_id }), put({ subscription_id, user_id, destination })]);
      return made.changes === 1;
    },
    of: (subscriptions) => all(of({ json: toJson(subscriptions) })),
    list: (user) => all(list({ user })),
    async move({ subscription_id: subscription, destination }, position) {
      await change(move({ subscription, destination, position }));
    },
    remove: async ({ subscription_id, user_id, destination }) =>
      (await change(remove({ subscription_id, user_id, destination }))) === 1,
    behind: (after, limit) => all(behind({ after: after ?? '', limit })),
  };
}
