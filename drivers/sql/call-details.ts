// The details of calls: written a person at a time, and deleted the oldest first.
import { sql } from 'kysely';
import type { CallDetailsStore, StoredCallDetails } from '../../src/ports/call-details.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

export function createCallDetails({ db, dialect, all, one, change, batch }: Sql): CallDetailsStore {
  const insert = prepare((p: StoredCallDetails & { characters: number }) =>
    db
      .insertInto('call_details')
      .columns(columns('call_details'))
      .expression(() => {
        const wanted = db
          .selectFrom('users')
          .select(selected('call_details', p))
          .where('users.id', '=', p.user_id)
          .where('keeps_calls', '=', 1)
          .where('deleted_at', 'is', null);
        // A deletion or another choice waits for this write, and then finds its rows.
        return dialect === 'postgres' ? wanted.forShare() : wanted;
      }),
  );
  const trim = prepare((p: { user: string; calls: number; most: number }) =>
    db.deleteFrom('call_details').where('id', 'in', (is) =>
      is
        .selectFrom((inner) =>
          inner
            .selectFrom('call_details')
            .select([
              'id',
              sql<number>`row_number() over (order by created_at desc, id desc)`.as('place'),
              sql<number>`sum(characters) over (order by created_at desc, id desc)`.as('total'),
            ])
            .where('user_id', '=', p.user)
            .as('newest'),
        )
        .select('newest.id')
        .where((or) => or.or([or('place', '>', p.calls), or('total', '>', p.most)])),
    ),
  );
  const rows = db.selectFrom('call_details').select(['id', 'user_id', 'created_at', 'expires_at', 'sealed']);
  const get = prepare((p: { user: string; id: string; now: number }) =>
    rows.where('id', '=', p.id).where('user_id', '=', p.user).where('expires_at', '>', p.now),
  );
  const choose = prepare((p: { user: string; keeps: number }) =>
    db
      .updateTable('users')
      .set({ keeps_calls: p.keeps })
      .where('id', '=', p.user)
      .where('deleted_at', 'is', null),
  );
  const removeUnwanted = prepare((p: { user: string }) =>
    db
      .deleteFrom('call_details')
      .where('user_id', '=', p.user)
      .where('user_id', 'in', (is) =>
        is.selectFrom('users').select('id').where('id', '=', p.user).where('keeps_calls', '=', 0),
      ),
  );
  const page = prepare((p: { after: string; limit: number }) =>
    rows.where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const swapSealed = prepare((p: { id: string; seen: string; next: string }) =>
    db
      .updateTable('call_details')
      .set({ sealed: p.next })
      .where('id', '=', p.id)
      .where('sealed', '=', p.seen),
  );

  return {
    async keep(user, records, { calls, characters }) {
      if (records.length === 0) return;
      await batch([
        ...records.map((record) => insert({ ...record, user_id: user, characters: record.sealed.length })),
        trim({ user, calls, most: characters }),
      ]);
    },
    async get(user, id, now) {
      const row = await one(get({ user, id, now }));
      if (row === null) return null;
      const { user_id: _, ...record } = row;
      return record;
    },
    async list(user, ids, now) {
      if (ids.length === 0) return [];
      const chosen = rows.where('id', 'in', ids).where('user_id', '=', user).where('expires_at', '>', now);
      return (await all(chosen.compile())).map(({ user_id: _, ...record }) => record);
    },
    async choose(user, keeps) {
      const [changed] = await batch([choose({ user, keeps: keeps ? 1 : 0 }), removeUnwanted({ user })]);
      return changed.changes === 1;
    },
    page: (after, limit) => all(page({ after: after ?? '', limit })),
    swapSealed: async (id, seen, next) => (await change(swapSealed({ id, seen, next }))) === 1,
  };
}
