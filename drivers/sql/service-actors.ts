// The actors of service keys: rows in `users` that nobody signs in to. decision: 074
import { sql } from 'kysely';
import type { ListedActor, ServiceActor, ServiceActors } from '../../src/ports/actors.ts';
import { POSITION } from './position.ts';
import { columns, prepare } from './prepare.ts';
import { actorAddress } from './service-keys.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';
import { newRow } from './users.ts';

const COLUMNS = [
  'users.id',
  'users.service_key_id',
  'users.external_id',
  'users.external_name',
  'users.created_at',
] as const;

export function createServiceActors({ db, dialect, all, one, change, batch }: Sql): ServiceActors {
  // Also lets the batches of one key wait for each other on PostgreSQL.
  const lock = prepare((p: { key: string }) =>
    db
      .updateTable('service_keys')
      .set((is) => ({ id: is.ref('id') }))
      .where('id', '=', p.key),
  );
  const insert = prepare((p: ReturnType<typeof rowOf>) =>
    db
      .insertInto('users')
      .columns(columns('users'))
      .expression(
        db
          .selectFrom('service_keys')
          .select(selected('users', p))
          .where('service_keys.id', '=', p.service_key_id)
          .whereRef('service_keys.actors', '<', 'service_keys.max_actors'),
      )
      .onConflict((conflict) => conflict.column('email').doNothing()),
  );
  const count = prepare((p: { key: string; id: string }) =>
    db
      .updateTable('service_keys')
      .set((is) => ({ actors: is('actors', '+', 1) }))
      .where('id', '=', p.key)
      .where((is) => is.exists(is.selectFrom('users').select('users.id').where('users.id', '=', p.id))),
  );
  const listed = db
    .selectFrom('users')
    .select(COLUMNS)
    .select((is) =>
      is
        .selectFrom('connections')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('connections.user_id', '=', 'users.id')
        .$asScalar()
        .$notNull()
        .as('connections'),
    )
    .where('external_id', 'is not', null)
    .where('disabled_at', 'is', null)
    .$narrowType<{ service_key_id: string; external_id: string }>();
  const get = prepare((p: { email: string }) => listed.where('email', '=', p.email));
  const rename = prepare((p: { id: string; name: string | null }) =>
    db
      .updateTable('users')
      .set({ external_name: p.name })
      .where('id', '=', p.id)
      .where('external_id', 'is not', null),
  );
  const pageOf = (p: { key: string; after: string; limit: number }) =>
    listed
      .where('service_key_id', '=', p.key)
      .where('external_id', '>', p.after)
      .orderBy('external_id')
      .limit(p.limit);
  const page = prepare(pageOf);
  const search = prepare((p: Parameters<typeof pageOf>[0] & { contains: string }) =>
    pageOf(p).where((is) =>
      is(
        is.fn<number>(POSITION[dialect], [is.fn<string>('lower', ['external_id']), is.val(p.contains)]),
        '>',
        0,
      ),
    ),
  );
  const ofUser = prepare((p: { id: string }) =>
    db
      .selectFrom('users')
      .select(COLUMNS)
      .where('users.id', '=', p.id)
      .where('external_id', 'is not', null)
      .where('disabled_at', 'is', null)
      .$narrowType<{ service_key_id: string; external_id: string }>(),
  );
  const keyOf = prepare((p: { id: string }) =>
    db.selectFrom('service_keys').select(columns('service_keys')).where('id', '=', p.id),
  );
  const isNamed = (id: string) =>
    db.selectFrom('users').select('users.id').where('users.id', '=', id).where('external_id', 'is not', null);
  const uncount = prepare((p: { key: string; id: string }) =>
    db
      .updateTable('service_keys')
      .set((is) => ({ actors: is('actors', '-', 1) }))
      .where('id', '=', p.key)
      .where((is) => is.exists(isNamed(p.id))),
  );
  const beginDeletion = prepare((p: { key: string; id: string; gone: string; now: number }) =>
    db
      .updateTable('users')
      .set((row) => ({
        email: p.gone,
        external_id: null,
        external_name: null,
        disabled_at: row.fn.coalesce('disabled_at', row.val(p.now)),
        deleted_at: row.fn.coalesce('deleted_at', row.val(p.now)),
      }))
      .where('id', '=', p.id)
      .where('service_key_id', '=', p.key)
      .where('external_id', 'is not', null),
  );
  // The row of a deleted key stays until its actors are gone. They are counted key by key: a join would read those of all keys.
  const countErasing = prepare(() =>
    db.selectNoFrom(
      sql<number>`cast((select count(*) from users where deleted_at is not null and service_key_id <> id) + coalesce((select sum((select count(*) from users as actors where actors.service_key_id = keys.id and actors.external_id is not null)) from users as keys where keys.deleted_at is not null and keys.service_key_id = keys.id), 0) as bigint)`.as(
        'count',
      ),
    ),
  );
  const endLinks = prepare((p: { id: string }) => db.deleteFrom('actor_links').where('user_id', '=', p.id));

  async function found(keyId: string, externalId: string): Promise<ListedActor | null> {
    return one(get({ email: actorAddress(keyId, externalId) }));
  }

  return {
    async add(actor) {
      const { id, service_key_id: key } = actor;
      const [, inserted] = await batch([lock({ key }), insert(rowOf(actor)), count({ key, id })]);
      if (inserted.changes === 1) return 'added';
      if ((await found(key, actor.external_id)) !== null) return 'known';
      return (await one(keyOf({ id: key }))) === null ? 'gone' : 'full';
    },
    get: found,
    async rename(id, name) {
      await change(rename({ id, name }));
    },
    page({ keyId: key, contains, after = '', limit }) {
      const asked = { key, after, limit };
      return all(
        contains === undefined ? page(asked) : search({ ...asked, contains: contains.toLowerCase() }),
      );
    },
    async ofUser(id) {
      const actor = await one(ofUser({ id }));
      const key = actor === null ? null : await one(keyOf({ id: actor.service_key_id }));
      return actor === null || key === null ? null : { actor, key };
    },
    countErasing: async () => (await one(countErasing({})))?.count ?? 0,
    async beginDeletion({ id, service_key_id: key }, now) {
      const [, , begun] = await batch([
        lock({ key }),
        uncount({ key, id }),
        beginDeletion({ key, id, gone: `gone:${id}`, now }),
        endLinks({ id }),
      ]);
      return begun?.changes === 1;
    },
  };
}

/** Nobody looks at the arguments and results of an actor's calls, so they are not kept. */
const rowOf = ({ id, service_key_id, external_id, external_name, created_at }: ServiceActor) => ({
  ...newRow({
    id,
    email: actorAddress(service_key_id, external_id),
    created_at,
    unverified_since: created_at,
  }),
  service_key_id,
  external_id,
  external_name,
  keeps_calls: 0,
});
