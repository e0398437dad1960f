// Sets of chosen tools, and when each caller last used them.
import { sql } from 'kysely';
import type { SetRecord, Sets, SetUse } from '../../src/ports/sets.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { selectJsonRows, toJson } from './json-rows.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';

// Held within one transaction only, so that sets are created one after the other.
const CREATING = 'create set';

type Name = Pick<SetRecord, 'owner' | 'name'>;

export function createSets(source: Sql): Sets {
  const { db, all, one, change, batch } = source;
  const sets = db.selectFrom('sets').select(columns('sets'));
  const lock = createLockUser(source);
  const find = prepare((p: { user: string; name: string }) =>
    sets
      .where('name', '=', p.name)
      .where('owner', 'in', [EVERYONE, p.user])
      // The owner of the team's sets is the empty text.
      .orderBy('owner', 'desc')
      .limit(1),
  );
  const get = prepare((p: Name) => sets.where('owner', '=', p.owner).where('name', '=', p.name));
  const list = prepare((p: { user: string }) =>
    sets.where('owner', 'in', [EVERYONE, p.user]).orderBy('name').orderBy('owner'),
  );

  /** The sets that keep an owner from a name. */
  const namesakes = (p: Name) =>
    db.selectFrom('sets').select('id').where('name', '=', p.name).where('owner', 'in', [EVERYONE, p.owner]);
  const owned = (p: { owner: string }) =>
    db
      .selectFrom('sets')
      .select(sql<number>`count(*)`.as('count'))
      .where('owner', '=', p.owner);
  const maker = (p: { created_by: string }) =>
    db.selectFrom('users').select('id').where('id', '=', p.created_by).where('disabled_at', 'is', null);
  const taken = prepare((p: Name) => namesakes(p).limit(1));
  const count = prepare(owned);
  const living = prepare(maker);
  // On PostgreSQL a second transaction waits at this row until the first one has committed.
  const begin = prepare((p: { id: string; now: number }) =>
    db
      .insertInto('leases')
      .values({ name: CREATING, holder: p.id, expires_at: p.now })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  );
  const insert = prepare((p: SetRecord & { rows: string; most: number }) =>
    db
      .insertInto('sets')
      .columns(columns('sets'))
      .expression(
        selectJsonRows(source, 'sets', p.rows)
          .where((is) => is.exists(maker(p)))
          .where((is) => is.not(is.exists(namesakes(p))))
          .where(owned(p), '<', p.most),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  const end = prepare((p: { id: string }) =>
    db.deleteFrom('leases').where('name', '=', CREATING).where('holder', '=', p.id),
  );
  const replace = prepare((p: SetRecord & { seen: string }) =>
    db
      .updateTable('sets')
      .set({
        title: p.title,
        description: p.description,
        tools: p.tools,
        servers: p.servers,
        updated_at: p.updated_at,
        version: p.version,
      })
      .where('id', '=', p.id)
      .where('version', '=', p.seen),
  );
  const remove = prepare((p: { id: string }) => db.deleteFrom('sets').where('id', '=', p.id));
  const forgetUses = prepare((p: { id: string }) => db.deleteFrom('set_uses').where('set_id', '=', p.id));
  // A person who is being deleted leaves nothing behind.
  const noteUse = prepare((p: SetUse & { rows: string }) =>
    db
      .insertInto('set_uses')
      .columns(columns('set_uses'))
      .expression(
        selectJsonRows(source, 'set_uses', p.rows)
          .where((is) => is.exists(db.selectFrom('sets').select('sets.id').where('sets.id', '=', p.set_id)))
          .where((is) =>
            is.exists(db.selectFrom('users').select('users.id').where('users.id', '=', p.user_id)),
          ),
      )
      .onConflict((conflict) =>
        conflict.columns(['set_id', 'user_id', 'caller']).doUpdateSet((is) => ({
          caller_name: is.ref('excluded.caller_name'),
          last_used_at: is.ref('excluded.last_used_at'),
          expires_at: is.ref('excluded.expires_at'),
        })),
      ),
  );
  const uses = prepare((p: { id: string; user: string; limit: number }) =>
    db
      .selectFrom('set_uses')
      .select(columns('set_uses'))
      .where('set_id', '=', p.id)
      .where('user_id', '=', p.user)
      .orderBy('last_used_at', 'desc')
      .orderBy('caller')
      .limit(p.limit),
  );

  /** Returns why the set cannot be created. */
  async function refusal(record: SetRecord, most: number): Promise<'taken' | 'full' | 'gone' | null> {
    if ((await one(taken(record))) !== null) return 'taken';
    if ((await one(living(record))) === null) return 'gone';
    return ((await one(count(record)))?.count ?? 0) >= most ? 'full' : null;
  }

  return {
    find: (user, name) => one(find({ user, name })),
    get: (owner, name) => one(get({ owner, name })),
    list: (user) => all(list({ user })),
    async create(record, most) {
      const { id, created_at: now, created_by: user } = record;
      const [, , created] = await batch([
        begin({ id, now }),
        lock({ user }),
        insert({ ...record, rows: toJson([record]), most }),
        end({ id }),
      ]);
      if (created.changes === 1) return 'created';
      const why = await refusal(record, most);
      if (why === null) throw new Unavailable('[sql] the set was not created: something else changed it');
      return why;
    },
    update: async (seen, next) => (await change(replace({ ...next, seen }))) === 1,
    async delete(id) {
      const [removed] = await batch([remove({ id }), forgetUses({ id })]);
      return removed.changes === 1;
    },
    async noteUse(use) {
      await change(noteUse({ ...use, rows: toJson([use]) }));
    },
    uses: (id, user, limit) => all(uses({ id, user, limit })),
  };
}
