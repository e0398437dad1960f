// The addresses that people have chosen, and how well each of them takes what is sent.
import type { DestinationRecord, DestinationState, Destinations } from '../../src/ports/outbox.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

export function createDestinations({ db, all, one, change, batch }: Sql): Destinations {
  const rows = db.selectFrom('destinations').select(columns('destinations'));
  const lock = createLockUser({ db });
  const add = prepare((p: DestinationRecord & { most: number }) =>
    db
      .insertInto('destinations')
      .columns(columns('destinations'))
      .expression(
        db
          .selectFrom('users')
          .select(selected('destinations', p))
          .where('users.id', '=', p.user_id)
          .where('users.deleted_at', 'is', null)
          .where(
            (is) =>
              is
                .selectFrom('destinations as others')
                .select(({ fn }) => fn.countAll<number>().as('count'))
                .where('others.user_id', '=', p.user_id)
                .where('others.purpose', '=', p.purpose),
            '<',
            p.most,
          ),
      ),
  );
  const list = prepare((p: { user: string }) =>
    rows.where('user_id', '=', p.user).orderBy('created_at').orderBy('id'),
  );
  const get = prepare((p: { user: string; id: string }) =>
    rows.where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const own = (p: { user: string; id: string }) =>
    db.updateTable('destinations').where('id', '=', p.id).where('user_id', '=', p.user);
  const rename = prepare((p: { user: string; id: string; name: string; muted: string }) =>
    own(p).set({ name: p.name, muted: p.muted }),
  );
  const enable = prepare((p: { user: string; id: string }) =>
    own(p).set({ failures: 0, failing_since: null, last_error: null, paused_until: 0, disabled_at: null }),
  );
  const remove = prepare((p: { user: string; id: string }) =>
    db.deleteFrom('destinations').where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const removeDeliveries = prepare((p: { user: string; id: string }) =>
    db.deleteFrom('deliveries').where('destination', '=', p.id).where('user_id', '=', p.user),
  );
  const note = prepare((p: DestinationState & { id: string; seen: number }) =>
    db
      .updateTable('destinations')
      .set({
        failures: p.failures,
        failing_since: p.failing_since,
        last_error: p.last_error,
        last_ok_at: p.last_ok_at,
        paused_until: p.paused_until,
        disabled_at: p.disabled_at,
      })
      .where('id', '=', p.id)
      .where('failures', '=', p.seen)
      .where('disabled_at', 'is', null),
  );
  const countMail = prepare((p: { id: string; seenHour: number; seen: number; hour: number; next: number }) =>
    db
      .updateTable('destinations')
      .set({ hour: p.hour, hour_count: p.next })
      .where('id', '=', p.id)
      .where('hour', '=', p.seenHour)
      .where('hour_count', '=', p.seen),
  );
  const page = prepare((p: { after: string; limit: number }) =>
    rows.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const swapSealed = prepare((p: { id: string; seen: string; next: string }) =>
    db
      .updateTable('destinations')
      .set({ sealed: p.next })
      .where('id', '=', p.id)
      .where('sealed', '=', p.seen),
  );

  return {
    async add(record, most) {
      const [, added] = await batch([lock({ user: record.user_id }), add({ ...record, most })]);
      return added.changes === 1;
    },
    list: (user) => all(list({ user })),
    get: (user, id) => one(get({ user, id })),
    change: async (user, id, { name, muted }) => (await change(rename({ user, id, name, muted }))) === 1,
    enable: async (user, id) => (await change(enable({ user, id }))) === 1,
    async delete(user, id) {
      const [, removed] = await batch([removeDeliveries({ user, id }), remove({ user, id })]);
      return removed.changes === 1;
    },
    note: async ({ id, failures: seen }, next) => (await change(note({ ...next, id, seen }))) === 1,
    async countMail({ id, hour: seenHour, hour_count: seen }, hour, most) {
      const before = seenHour === hour ? seen : 0;
      return before < most && (await change(countMail({ id, seenHour, seen, hour, next: before + 1 }))) === 1;
    },
    page: (after, limit) => all(page({ after: after ?? '', limit })),
    swapSealed: async (id, seen, next) => (await change(swapSealed({ id, seen, next }))) === 1,
  };
}
