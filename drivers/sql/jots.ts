// Published jots: one row each, written by compare-and-swap on its version.
import type { SelectQueryBuilder } from 'kysely';
import type { Jot } from '../../src/ports/records.ts';
import type { Jots, JotViews, Leftover } from '../../src/ports/store.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Database, StoredJot } from './schema.ts';
import type { Sql } from './sql.ts';

export function createJots({ db, all, one, change, batch }: Sql): Jots {
  const jots = db.selectFrom('jots').select(columns('jots'));
  const get = prepare((p: { name: string }) => jots.where('name', '=', p.name));
  const list = prepare((p: { user: string }) => jots.where('user_id', '=', p.user).orderBy('name'));
  const insert = prepare((p: StoredJot) =>
    db
      .insertInto('jots')
      .values(values('jots', p))
      .onConflict((conflict) => conflict.column('name').doNothing()),
  );
  const replace = prepare((p: StoredJot & { seen: string }) =>
    db
      .updateTable('jots')
      .set({
        user_id: p.user_id,
        access: p.access,
        password_hash: p.password_hash,
        cors: p.cors,
        cors_chosen: p.cors_chosen,
        manifest: p.manifest,
        files: p.files,
        bytes: p.bytes,
        held_bytes: p.held_bytes,
        thumbnail: p.thumbnail,
        version: p.version,
        updated_at: p.updated_at,
      })
      .where('name', '=', p.name)
      .where('version', '=', p.seen),
  );
  const remove = prepare((p: { name: string; user: string }) =>
    db.deleteFrom('jots').where('name', '=', p.name).where('user_id', '=', p.user),
  );
  /** Adds what a jot leaves behind to its owner's row of that time. */
  const insertLeftover = (p: Leftover, from: SelectQueryBuilder<Database, 'jots', object>) =>
    db
      .insertInto('jot_leftovers')
      .columns(['user_id', 'expires_at', 'bytes'])
      .expression(
        from.select((is) => [
          'user_id',
          is.cast<number>(is.val(p.until), 'bigint').as('expires_at'),
          is.cast<number>(is.val(p.bytes), 'bigint').as('bytes'),
        ]),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'expires_at'])
          .doUpdateSet((is) => ({ bytes: is('jot_leftovers.bytes', '+', is.ref('excluded.bytes')) })),
      );
  const leaveVersion = prepare((p: { name: string; version: string } & Leftover) =>
    insertLeftover(p, db.selectFrom('jots').where('name', '=', p.name).where('version', '=', p.version)),
  );
  const leaveOwn = prepare((p: { name: string; user: string } & Leftover) =>
    insertLeftover(p, db.selectFrom('jots').where('name', '=', p.name).where('user_id', '=', p.user)),
  );
  /** Makes deletes and puts of the jot wait for each other on PostgreSQL, so that each leftover counts once. */
  const lock = prepare((p: { name: string; user: string }) =>
    db
      .updateTable('jots')
      .set((is) => ({ version: is.ref('version') }))
      .where('name', '=', p.name)
      .where('user_id', '=', p.user),
  );
  const removeViews = prepare((p: { name: string; user: string }) =>
    db
      .deleteFrom('jot_views')
      .where('jot', 'in', (is) =>
        is.selectFrom('jots').select('name').where('name', '=', p.name).where('user_id', '=', p.user),
      ),
  );
  const isJot = (p: Pick<JotViews, 'name' | 'created_at'>) =>
    db.selectFrom('jots').where('name', '=', p.name).where('created_at', '=', p.created_at);
  const countViews = prepare((p: JotViews) =>
    db
      .updateTable('jots')
      .set((is) => ({ views: is('views', '+', p.views) }))
      .where('name', '=', p.name)
      .where('created_at', '=', p.created_at),
  );
  const countRecent = prepare((p: JotViews) =>
    db
      .insertInto('jot_views')
      .columns(['jot', 'made_at', 'expires_at', 'views'])
      .expression(
        isJot(p).select((is) => [
          'name as jot',
          'created_at as made_at',
          is.cast<number>(is.val(p.until), 'bigint').as('expires_at'),
          is.cast<number>(is.val(p.views), 'bigint').as('views'),
        ]),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['jot', 'made_at', 'expires_at'])
          .doUpdateSet((is) => ({ views: is('jot_views.views', '+', is.ref('excluded.views')) })),
      ),
  );
  const recent = prepare((p: { user: string; now: number }) =>
    db
      .selectFrom('jots')
      .innerJoin('jot_views', (on) =>
        on.onRef('jot_views.jot', '=', 'jots.name').onRef('jot_views.made_at', '=', 'jots.created_at'),
      )
      .select(['jots.name', 'jot_views.views'])
      .where('jots.user_id', '=', p.user)
      .where('jot_views.expires_at', '>', p.now),
  );
  const leftovers = prepare((p: { user: string; now: number }) =>
    db
      .selectFrom('jot_leftovers')
      .select('bytes')
      .where('user_id', '=', p.user)
      .where('expires_at', '>', p.now),
  );

  return {
    async get(name) {
      const row = await one(get({ name }));
      return row === null ? null : toJot(row);
    },
    list: async (user) => (await all(list({ user }))).map(toJot),
    async put(jot, seen, leftover) {
      const row = { ...jot, cors: jot.cors ? 1 : 0, cors_chosen: jot.cors_chosen ? 1 : 0 };
      const write = seen === null ? insert(row) : replace({ ...row, seen });
      if (leftover === undefined) return (await change(write)) === 1;
      // The second statement finds the new version only if the first one wrote it.
      const [written] = await batch([
        write,
        leaveVersion({ name: jot.name, version: jot.version, ...leftover }),
      ]);
      return written.changes === 1;
    },
    async delete(name, user, leftover) {
      const own = { name, user };
      const leaves = leftover === undefined ? [] : [leaveOwn({ ...own, ...leftover })];
      const results = await batch([lock(own), ...leaves, removeViews(own), remove(own)]);
      return results.at(-1)?.changes === 1;
    },
    async addViews(views) {
      await batch([countViews(views), countRecent(views)]);
    },
    async recentViews(user, now) {
      const sums = new Map<string, number>();
      for (const { name, views } of await all(recent({ user, now })))
        sums.set(name, (sums.get(name) ?? 0) + views);
      return sums;
    },
    async leftoverBytes(user, now) {
      let bytes = 0;
      for (const row of await all(leftovers({ user, now }))) bytes += row.bytes;
      return bytes;
    },
  };
}

// Version 0.1 turned cors on only for somebody who asked for it.
const toJot = (row: StoredJot): Jot => ({
  ...row,
  cors: row.cors !== 0,
  cors_chosen: (row.cors_chosen ?? row.cors) !== 0,
});
