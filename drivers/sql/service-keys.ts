// Service keys, and the rows in `users` that stand for them. decision: 074
import { sql } from 'kysely';
import type { ServiceKey, ServiceKeyChange, ServiceKeys } from '../../src/ports/actors.ts';
import { selectJsonRows, toJson } from './json-rows.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Sql } from './sql.ts';
import { newRow } from './users.ts';

// Held within one transaction only, so that keys are made one after the other.
const MAKING = 'make service key';

/** What an actor is called is free again at once. */
const GONE = { email: sql<string>`'gone:' || id`, external_id: null, external_name: null };

/** The address of the actor's row. No sign-in can bring one like it. */
export const actorAddress = (keyId: string, externalId: string): string => `actor:${keyId}:${externalId}`;

export function createServiceKeys(source: Sql): ServiceKeys {
  const { db, all, one, change, batch } = source;
  const keys = db.selectFrom('service_keys').select(columns('service_keys'));
  const begin = prepare((p: { id: string; now: number }) =>
    db
      .insertInto('leases')
      .values({ name: MAKING, holder: p.id, expires_at: p.now })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  );
  const end = prepare((p: { id: string }) =>
    db.deleteFrom('leases').where('name', '=', MAKING).where('holder', '=', p.id),
  );
  const insert = prepare((p: { rows: string; most: number }) =>
    db
      .insertInto('service_keys')
      .columns(columns('service_keys'))
      .expression(
        selectJsonRows(source, 'service_keys', p.rows).where(
          (is) => is.selectFrom('service_keys').select(({ fn }) => fn.countAll<number>().as('count')),
          '<',
          p.most,
        ),
      ),
  );
  const isThere = (id: string) => db.selectFrom('service_keys').select('id').where('id', '=', id);
  const insertRow = prepare((p: Parameters<typeof insertUser>[0]) => insertUser(p));
  function insertUser(p: ReturnType<typeof rowOf>) {
    return db.insertInto('users').values(values('users', p));
  }
  // The key may be one too many.
  const removeRow = prepare((p: { id: string }) =>
    db.deleteFrom('users').where('id', '=', p.id).where('id', 'not in', isThere(p.id)),
  );
  const list = prepare(() => keys.orderBy('created_at', 'desc').orderBy('id'));
  const get = prepare((p: { id: string }) => keys.where('id', '=', p.id));
  const own = columns('service_keys').map((name) => `service_keys.${name}` as const);
  const bySha = prepare((p: { sha: string; external: string }) =>
    db
      .selectFrom('service_keys')
      .select(own)
      .select((is) =>
        is
          .selectFrom('users')
          .select('users.id')
          .where(
            'users.email',
            '=',
            sql<string>`'actor:' || service_keys.id || ':' || cast(${p.external} as text)`,
          )
          .where('users.disabled_at', 'is', null)
          .as('actor_id'),
      )
      .where('key_sha', '=', p.sha),
  );
  const acting = prepare((p: { id: string; user: string }) =>
    keys
      .where('id', '=', p.id)
      .where('key_sha', 'is not', null)
      .where((is) =>
        is.exists(
          is
            .selectFrom('users')
            .select('users.id')
            .where('users.id', '=', p.user)
            .where('users.service_key_id', '=', p.id)
            .where('users.disabled_at', 'is', null),
        ),
      ),
  );
  const setSha = prepare((p: { id: string; sha: string | null }) =>
    db.updateTable('service_keys').set({ key_sha: p.sha }).where('id', '=', p.id),
  );
  const remove = prepare((p: { id: string }) => db.deleteFrom('service_keys').where('id', '=', p.id));
  const beginDeletion = prepare((p: { id: string; now: number }) =>
    db
      .updateTable('users')
      .set((row) => ({
        ...GONE,
        disabled_at: row.fn.coalesce('disabled_at', row.val(p.now)),
        deleted_at: row.fn.coalesce('deleted_at', row.val(p.now)),
      }))
      .where('id', '=', p.id)
      .where('deleted_at', 'is', null),
  );
  const beginPortion = prepare((p: { id: string; now: number; limit: number }) =>
    db
      .updateTable('users')
      .set((row) => ({ ...GONE, disabled_at: row.val(p.now), deleted_at: row.val(p.now) }))
      .where('id', 'in', (is) =>
        is
          .selectFrom('users as actors')
          .select('actors.id')
          .where('actors.service_key_id', '=', p.id)
          .where('actors.external_id', 'is not', null)
          .limit(p.limit),
      ),
  );
  const noteUse = prepare((p: { id: string; now: number }) =>
    db
      .updateTable('service_keys')
      .set({ last_used_at: p.now })
      .where('id', '=', p.id)
      .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', p.now)])),
  );

  return {
    async add(key, most) {
      const { id, created_at: now } = key;
      const [, inserted] = await batch([
        begin({ id, now }),
        insert({ rows: toJson([key]), most }),
        insertRow(rowOf(key)),
        removeRow({ id }),
        end({ id }),
      ]);
      return inserted.changes === 1;
    },
    list: () => all(list({})),
    get: (id) => one(get({ id })),
    async bySha(sha, externalId) {
      const found = await one(bySha({ sha, external: externalId ?? '' }));
      if (found === null) return null;
      const { actor_id: actorId, ...key } = found;
      return { key, actorId };
    },
    acting: (id, user) => one(acting({ id, user })),
    async change(id, changes: ServiceKeyChange) {
      if (Object.keys(changes).length === 0) return (await one(get({ id }))) !== null;
      return (await change(db.updateTable('service_keys').set(changes).where('id', '=', id).compile())) === 1;
    },
    setSha: async (id, sha) => (await change(setSha({ id, sha }))) === 1,
    async erase(id, now) {
      const [removed] = await batch([remove({ id }), beginDeletion({ id, now })]);
      return removed.changes === 1;
    },
    async beginDeletions(gone, limit) {
      const left = new Set<string>();
      for (const { id, deleted_at: now } of gone)
        if ((await change(beginPortion({ id, now, limit }))) > 0) left.add(id);
      return left;
    },
    async noteUse(id, now) {
      await change(noteUse({ id, now }));
    },
  };
}

/** A tenant has what a person has: addresses for its events, and their limits. */
const rowOf = ({ id, created_at }: Pick<ServiceKey, 'id' | 'created_at'>) => ({
  ...newRow({ id, email: `service:${id}`, created_at, unverified_since: created_at }),
  service_key_id: id,
  keeps_calls: 0,
});
