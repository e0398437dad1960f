// Grants that are to end at their providers, moved out of the connections.
import type { Connection, PendingRevocation } from '../../src/ports/records.ts';
import type { PendingRevocations } from '../../src/ports/store.ts';
import { holdsSeen, type Seen, seenIn } from './connections.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

export function createPendingRevocations({ db, all, change, batch }: Sql): PendingRevocations {
  const pending = db.selectFrom('pending_revocations').select(columns('pending_revocations'));
  /** Makes PostgreSQL hold the row until the batch ends. */
  const lock = prepare((p: Seen) =>
    db
      .updateTable('connections')
      .set((is) => ({ user_id: is.ref('user_id') }))
      .where(holdsSeen(p)),
  );
  const insert = prepare((p: PendingRevocation & Seen) =>
    db
      .insertInto('pending_revocations')
      .columns(columns('pending_revocations'))
      .expression(
        db.selectFrom('connections').where(holdsSeen(p)).select(selected('pending_revocations', p)),
      ),
  );
  const remove = prepare((p: Seen) => db.deleteFrom('connections').where(holdsSeen(p)));
  const list = prepare((p: { user: string; integration: string }) =>
    pending.where('user_id', '=', p.user).where('integration', '=', p.integration).orderBy('created_at'),
  );
  const due = prepare((p: { now: number; limit: number }) =>
    pending.where('due_at', '<=', p.now).orderBy('due_at').limit(p.limit),
  );
  const take = prepare((p: { id: string; seen: number; next: number; dueAt: number }) =>
    db
      .updateTable('pending_revocations')
      .set({ attempts: p.next, due_at: p.dueAt })
      .where('id', '=', p.id)
      .where('attempts', '=', p.seen),
  );
  const end = prepare((p: { id: string }) => db.deleteFrom('pending_revocations').where('id', '=', p.id));

  const ofUser = prepare((p: { user: string }) => pending.where('user_id', '=', p.user));
  const handOver = prepare((p: { id: string; user_id: string; credential: string }) =>
    db
      .updateTable('pending_revocations')
      .set({ user_id: p.user_id, credential: p.credential })
      .where('id', '=', p.id),
  );

  return {
    ofUser: (user) => all(ofUser({ user })),
    async handOver(id, { user_id, credential }) {
      await change(handOver({ id, user_id, credential }));
    },
    async begin(seen: Connection, revocation) {
      const was = seenIn(seen);
      const [, , removed] = await batch([lock(was), insert({ ...revocation, ...was }), remove(was)]);
      return removed.changes === 1;
    },
    list: (user, integration) => all(list({ user, integration })),
    due: (now, limit) => all(due({ now, limit })),
    take: async ({ id, attempts }, dueAt) =>
      (await change(take({ id, seen: attempts, next: attempts + 1, dueAt }))) === 1,
    async delete(id) {
      await change(end({ id }));
    },
  };
}
