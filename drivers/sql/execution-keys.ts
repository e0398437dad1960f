// The keys of executions. One insert or one update has one winner.
import { sql } from 'kysely';
import type { ExecutionKey, ExecutionKeys } from '../../src/ports/execution-keys.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

export function createExecutionKeys({ db, dialect, all, one, change, batch }: Sql): ExecutionKeys {
  const shown = columns('execution_keys').filter((name) => name !== 'characters');
  const rows = db.selectFrom('execution_keys').select(shown);
  const removeOver = prepare((p: { id: string; now: number }) =>
    db
      .deleteFrom('execution_keys')
      .where('id', '=', p.id)
      .where('expires_at', '<=', p.now)
      .where((or) => or.or([or('running_until', 'is', null), or('running_until', '<=', p.now)])),
  );
  const insert = prepare((p: Omit<ExecutionKey, 'sealed'> & { most: number }) =>
    db
      .insertInto('execution_keys')
      .columns(columns('execution_keys'))
      .expression(() => {
        const wanted = db
          .selectFrom('users')
          .select(selected('execution_keys', p, { characters: sql.lit(0), sealed: sql.lit(null) }))
          .where('users.id', '=', p.user_id)
          .where('deleted_at', 'is', null)
          .where(
            (is) =>
              is
                .selectFrom('execution_keys')
                .select(({ fn }) => fn.countAll<number>().as('count'))
                .where('user_id', '=', p.user_id),
            '<',
            p.most,
          );
        // A deletion waits for this write, and then finds its row.
        return dialect === 'postgres' ? wanted.forShare() : wanted;
      })
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  const get = prepare((p: { id: string; user: string }) =>
    rows.where('id', '=', p.id).where('user_id', '=', p.user),
  );
  const keysOf = prepare((p: { user: string }) =>
    db
      .selectFrom('users')
      .select((is) =>
        is
          .selectFrom('execution_keys')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', p.user)
          .as('keys'),
      )
      .where('id', '=', p.user)
      .where('deleted_at', 'is', null),
  );
  const sum = prepare((p: { user: string }) =>
    db
      .selectFrom('execution_keys')
      .select(sql<number>`cast(coalesce(sum(characters), 0) as bigint)`.as('total'))
      .where('user_id', '=', p.user),
  );
  const trim = prepare((p: { user: string; most: number }) =>
    db
      .updateTable('execution_keys')
      .set({ sealed: null, characters: 0 })
      .where('characters', '>', 0)
      .where('id', 'in', (is) =>
        is
          .selectFrom((inner) =>
            inner
              .selectFrom('execution_keys')
              .select([
                'id',
                sql<number>`sum(characters) over (order by created_at desc, id desc)`.as('total'),
              ])
              .where('user_id', '=', p.user)
              .where('characters', '>', 0)
              .as('newest'),
          )
          .select('newest.id')
          .where('total', '>', p.most),
      ),
  );
  const keepRunning = prepare((p: { id: string; run: string; until: number }) =>
    db
      .updateTable('execution_keys')
      .set({ running_until: p.until })
      .where('id', '=', p.id)
      .where('run', '=', p.run)
      .where('running_until', 'is not', null),
  );
  const release = prepare((p: { id: string; run: string }) =>
    db.deleteFrom('execution_keys').where('id', '=', p.id).where('run', '=', p.run),
  );
  const list = prepare((p: { user: string; now: number; after: string; limit: number }) =>
    rows
      .where('user_id', '=', p.user)
      .where('expires_at', '>', p.now)
      .where('id', '>', p.after)
      .orderBy('id')
      .limit(p.limit),
  );
  const page = prepare((p: { after: string; limit: number }) =>
    rows.where('sealed', 'is not', null).where('id', '>', p.after).orderBy('id').limit(p.limit),
  );
  const swapSealed = prepare((p: { id: string; seen: string; next: string }) =>
    db
      .updateTable('execution_keys')
      .set({ sealed: p.next })
      .where('id', '=', p.id)
      .where('sealed', '=', p.seen),
  );

  return {
    async claim({ sealed: _, ...row }, most) {
      const { id, user_id: user, created_at: now } = row;
      const [, inserted] = await batch([removeOver({ id, now }), insert({ ...row, most })]);
      if (inserted.changes === 1) return 'claimed';
      const found = await one(get({ id, user }));
      if (found !== null) return found;
      const person = await one(keysOf({ user }));
      if (person === null) return null;
      // The row was given back after the insert had met it.
      return Number(person.keys) < most ? 'free' : 'full';
    },
    async move({ id, run, state }, changes) {
      const moved = db
        .updateTable('execution_keys')
        .set(changes.sealed === undefined ? changes : { ...changes, characters: changes.sealed?.length ?? 0 })
        .where('id', '=', id)
        .where('run', '=', run)
        .where('state', '=', state);
      return (await change(moved.compile())) === 1;
    },
    async trim(user, most) {
      // Few people keep that much, and finding the oldest costs ten times what the sum does.
      const kept = await one(sum({ user }));
      if ((kept?.total ?? 0) > most) await change(trim({ user, most }));
    },
    async keepRunning(id, run, until) {
      await change(keepRunning({ id, run, until }));
    },
    async release(id, run) {
      await change(release({ id, run }));
    },
    list: (user, now, after, limit) => all(list({ user, now, after: after ?? '', limit })),
    page: (after, limit) => all(page({ after: after ?? '', limit })),
    swapSealed: async (id, seen, next) => (await change(swapSealed({ id, seen, next }))) === 1,
  };
}
