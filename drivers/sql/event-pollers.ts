// What runs again and again for a subscription: one process at a time, its end noted together with the events that it found.
import { sql } from 'kysely';
import type { EndedRun, EventPoller, Events } from '../../src/ports/events.ts';
import { type EventWrites, idsIn } from './event-writes.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

type Pollers = Pick<
  Events,
  'addPoller' | 'poller' | 'pollers' | 'due' | 'claim' | 'finish' | 'pageOfPollers' | 'swapCursor'
>;

/** The statements that a subscription begins and ends with. */
export function createPollerStatements({ db }: Pick<Sql, 'db'>) {
  const insertPoller = prepare((p: EventPoller) =>
    db
      .insertInto('event_pollers')
      .columns(columns('event_pollers'))
      .expression(
        db
          .selectFrom('event_subscriptions')
          .select(selected('event_pollers', p, { user_id: sql.ref('event_subscriptions.user_id') }))
          .where('event_subscriptions.id', '=', p.subscription_id),
      )
      .onConflict((conflict) => conflict.column('subscription_id').doNothing()),
  );
  const removePoller = prepare((p: { id: string }) =>
    db.deleteFrom('event_pollers').where('subscription_id', '=', p.id),
  );
  return { insertPoller, removePoller };
}

export function createEventPollers(
  { db, all, one, change, batch }: Sql,
  { advance, writesOfRun }: EventWrites,
): Pollers {
  const pollers = db.selectFrom('event_pollers').select(columns('event_pollers'));
  const { insertPoller } = createPollerStatements({ db });
  const poller = prepare((p: { id: string }) => pollers.where('subscription_id', '=', p.id));
  const pollersOf = prepare((p: { user: string }) => pollers.where('user_id', '=', p.user));
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
  return {
    async addPoller(row) {
      await batch([advance({ user: row.user_id, events: 0, characters: 0 }), insertPoller(row)]);
    },
    poller: (id) => one(poller({ id })),
    pollers: (user) => all(pollersOf({ user })),
    due: (until, now, limit) => all(due({ until, now, limit })),
    claim: (id, holder, now, until) => one(claim({ id, holder, now, until })),
    async finish({ user_id: user, ...run }, drafts, most) {
      const { subscription_id: id, holder } = run;
      const write = writesOfRun(id, holder, drafts, most);
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
    pageOfPollers: (from, limit) => all(pageOfPollers({ after: from ?? '', limit })),
    swapCursor: async (id, seen, next) => (await change(swapCursor({ id, seen, next }))) === 1,
  };
}
