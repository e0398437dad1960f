// Scripts that people have saved, a row for each version. Every write also renews the revision of its owner.
import { sql } from 'kysely';
import type { MostScripts, SavedScripts, ScriptRecord } from '../../src/ports/scripts.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { createLockUser } from './lock-user.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

/** The owner of the revision of an owner's scripts. No person and no import has such an id. */
export const scriptsOf = (owner: string): string => `scripts:${owner}`;

type Name = Pick<ScriptRecord, 'owner' | 'name'>;
type Made = Omit<ScriptRecord, 'version'> & MostScripts;

/** How often a version is tried again when another process has taken its number. */
const TRIES = 5;

export function createScripts({ db, all, change, batch }: Sql): SavedScripts {
  const rows = db.selectFrom('scripts').select(columns('scripts'));
  const lock = createLockUser({ db });
  const newest = (p: Name) =>
    db
      .selectFrom('scripts as known')
      .select(({ fn }) => fn.max<number>('known.version').as('version'))
      .where('known.owner', '=', p.owner)
      .where('known.name', '=', p.name);
  const others = (p: Name) =>
    db
      .selectFrom('scripts as other')
      .select(sql<number>`count(distinct other.name)`.as('count'))
      .where('other.owner', '=', p.owner)
      .where('other.name', '!=', p.name);
  const insert = prepare((p: Made) =>
    db
      .insertInto('scripts')
      .columns(columns('scripts'))
      .expression(
        db
          .selectFrom('users')
          .select(selected('scripts', p, { version: sql`coalesce((${newest(p)}), 0) + 1` }))
          .where('users.deleted_at', 'is', null)
          // A script of the team outlives its author.
          .where((is) =>
            is(
              'users.id',
              '=',
              is.fn.coalesce(is.cast<string>(is.val(p.reviewed_by), 'text'), is.val(p.created_by)),
            ),
          )
          .where(others(p), '<', p.scripts),
      )
      .onConflict((conflict) => conflict.doNothing()),
  );
  const forget = prepare((p: Name & { versions: number }) =>
    db
      .deleteFrom('scripts')
      .where('owner', '=', p.owner)
      .where('name', '=', p.name)
      .where(
        'version',
        '<=',
        sql<number>`(select max(known.version) from scripts as known where known.owner = ${p.owner} and known.name = ${p.name}) - ${p.versions}`,
      ),
  );
  const renew = prepare((p: { owner: string; revision: string }) =>
    db
      .insertInto('import_revisions')
      .values({ owner: p.owner, revision: p.revision })
      .onConflict((conflict) =>
        conflict.column('owner').doUpdateSet((is) => ({ revision: is.ref('excluded.revision') })),
      ),
  );
  const byId = prepare((p: { id: string }) => rows.where('id', '=', p.id));
  const list = prepare((p: { owner: string }) =>
    rows
      .where('owner', '=', p.owner)
      .where('version', '=', (is) =>
        is
          .selectFrom('scripts as known')
          .select(({ fn }) => fn.max<number>('known.version').as('version'))
          .whereRef('known.owner', '=', 'scripts.owner')
          .whereRef('known.name', '=', 'scripts.name'),
      )
      .orderBy('name'),
  );
  const versions = prepare((p: Name) =>
    rows.where('owner', '=', p.owner).where('name', '=', p.name).orderBy('version', 'desc'),
  );
  const pending = prepare((p: { limit: number }) =>
    // The index serves only statements with this literal.
    rows.where('shared', '=', sql.lit('pending')).orderBy('created_at').limit(p.limit),
  );
  const remove = prepare((p: Name) =>
    db.deleteFrom('scripts').where('owner', '=', p.owner).where('name', '=', p.name),
  );

  return {
    async save(script, most) {
      const { id, owner, name, reviewed_by, created_by } = script;
      for (let tries = 0; tries < TRIES; tries++) {
        const [, saved] = await batch([
          lock({ user: reviewed_by ?? created_by }),
          insert({ ...script, ...most }),
          forget({ owner, name, versions: most.versions }),
          renew({ owner: scriptsOf(owner), revision: id }),
        ]);
        if (saved.changes === 1) return (await all(byId({ id })))[0] ?? null;
        const known = await all(list({ owner }));
        const isFull = known.filter((each) => each.name !== name).length >= most.scripts;
        if (isFull || known.length === 0) return null;
      }
      throw new Unavailable('[sql] the script was not saved: something else changed it');
    },
    list: (owner) => all(list({ owner })),
    versions: (owner, name) => all(versions({ owner, name })),
    pending: (limit) => all(pending({ limit })),
    async share({ id, shared: seen }, shared) {
      const moved = db
        .updateTable('scripts')
        .set({ shared })
        .where('id', '=', id)
        .where('shared', seen === null ? 'is' : '=', seen);
      return (await change(moved.compile())) === 1;
    },
    async delete(owner, name) {
      const [removed] = await batch([
        remove({ owner, name }),
        renew({ owner: scriptsOf(owner), revision: crypto.randomUUID() }),
      ]);
      return removed.changes > 0;
    },
  };
}
