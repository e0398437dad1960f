// Grants that are to end at their providers, moved out of the connections.
import type { Connection, PendingRevocation } from '../../src/ports/records.ts';
import type { PendingRevocations } from '../../src/ports/store.ts';
import { holdsSeen, type Seen, seenIn } from './connections.ts';
import { isOneOf, jsonPortions, selectJsonRows, toJson } from './json-rows.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

export function createPendingRevocations(source: Sql): PendingRevocations {
  const { db, dialect, all, change, batch } = source;
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

  const ofUsers = prepare((p: { users: string }) => pending.where(isOneOf(dialect, 'user_id', p.users)));
  const insertAll = prepare((p: { rows: string }) =>
    db
      .insertInto('pending_revocations')
      .columns(columns('pending_revocations'))
      .expression(selectJsonRows(source, 'pending_revocations', p.rows)),
  );
  const removeAll = prepare((p: { users: string }) =>
    db.deleteFrom('connections').where(isOneOf(dialect, 'user_id', p.users)),
  );
  const handOver = prepare((p: { id: string; user_id: string; credential: string }) =>
    db
      .updateTable('pending_revocations')
      .set({ user_id: p.user_id, credential: p.credential })
      .where('id', '=', p.id),
  );

  return {
    ofUsers: (users) => all(ofUsers({ users: toJson(users) })),
    async beginAll(users, revocations) {
      const inserts = [...jsonPortions(revocations)].map((rows) => insertAll({ rows }));
      await batch([...inserts, removeAll({ users: toJson(users) })]);
    },
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
