// Published jots: one row each, written by compare-and-swap on its version.
import type { Jot } from '../../src/ports/records.ts';
import type { Jots } from '../../src/ports/store.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Stored } from './schema.ts';
import type { Sql } from './sql.ts';

export function createJots({ db, all, one, change }: Sql): Jots {
  const jots = db.selectFrom('jots').select(columns('jots'));
  const get = prepare((p: { name: string }) => jots.where('name', '=', p.name));
  const list = prepare((p: { user: string }) => jots.where('user_id', '=', p.user).orderBy('name'));
  const insert = prepare((p: Stored<Jot>) =>
    db
      .insertInto('jots')
      .values(values('jots', p))
      .onConflict((conflict) => conflict.column('name').doNothing()),
  );
  const replace = prepare((p: Stored<Jot> & { seen: string }) =>
    db
      .updateTable('jots')
      .set({
        user_id: p.user_id,
        access: p.access,
        password_hash: p.password_hash,
        cors: p.cors,
        manifest: p.manifest,
        files: p.files,
        bytes: p.bytes,
        version: p.version,
        updated_at: p.updated_at,
      })
      .where('name', '=', p.name)
      .where('version', '=', p.seen),
  );
  const remove = prepare((p: { name: string; user: string }) =>
    db.deleteFrom('jots').where('name', '=', p.name).where('user_id', '=', p.user),
  );

  return {
    async get(name) {
      const row = await one(get({ name }));
      return row === null ? null : toJot(row);
    },
    list: async (user) => (await all(list({ user }))).map(toJot),
    async put(jot, seen) {
      const row = { ...jot, cors: jot.cors ? 1 : 0 };
      return (await change(seen === null ? insert(row) : replace({ ...row, seen }))) === 1;
    },
    delete: async (name, user) => (await change(remove({ name, user }))) === 1,
  };
}

const toJot = (row: Stored<Jot>): Jot => ({ ...row, cors: row.cors !== 0 });
