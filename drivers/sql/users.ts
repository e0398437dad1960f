// Users, and the keys and subjects that identify them.
import type { ApiKeyColumns, NewUser, SignInProvider, Users } from '../../src/ports/store.ts';
import type { User } from '../../src/ports/records.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Stored } from './schema.ts';
import type { Sql } from './sql.ts';

export function createUsers({ db, all, one, change, batch }: Sql): Users {
  const users = db.selectFrom('users').select(columns('users'));
  const byId = prepare((p: { id: string }) => users.where('id', '=', p.id));
  const byEmail = prepare((p: { email: string }) => users.where('email', '=', p.email));
  const byKeySha = prepare((p: { sha: string }) => users.where('api_key_sha', '=', p.sha));
  const bySubject = subjectQueries((column) =>
    prepare((p: { subject: string }) => users.where(column, '=', p.subject)),
  );
  const insert = prepare((p: Stored<User>) =>
    db
      .insertInto('users')
      .values(values('users', p))
      .onConflict((conflict) => conflict.column('email').doNothing()),
  );
  const withLegacyKey = prepare(() =>
    db
      .selectFrom('users')
      .select(['id', 'api_key_hash'])
      .where('api_key_hash', 'is not', null)
      .where('api_key_sha', 'is', null)
      .$narrowType<{ api_key_hash: string }>(),
  );
  const linkSubject = subjectQueries((column) =>
    prepare((p: { id: string; subject: string }) =>
      db
        .updateTable('users')
        .set(column, p.subject)
        .where('id', '=', p.id)
        .where((or) => or.or([or(column, 'is', null), or(column, '=', p.subject)])),
    ),
  );
  const keyUpdate = (p: ApiKeyColumns & { id: string }) =>
    db
      .updateTable('users')
      .set({
        api_key_hash: p.api_key_hash,
        api_key_sha: p.api_key_sha,
        api_key_ciphertext: p.api_key_ciphertext,
      })
      .where('id', '=', p.id);
  const setKey = prepare(keyUpdate);
  const setFirstKey = prepare((p: ApiKeyColumns & { id: string }) =>
    keyUpdate(p).where('api_key_hash', 'is', null),
  );
  const backfillKeySha = prepare((p: { id: string; hash: string; sha: string }) =>
    db
      .updateTable('users')
      .set('api_key_sha', p.sha)
      .where('id', '=', p.id)
      .where('api_key_hash', '=', p.hash)
      .where('api_key_sha', 'is', null),
  );

  const sealedKeys = prepare((p: { after: string; limit: number }) =>
    db
      .selectFrom('users')
      .select(['id', 'api_key_ciphertext'])
      .where('api_key_ciphertext', 'is not', null)
      .where('id', '>', p.after)
      .$narrowType<{ api_key_ciphertext: string }>()
      .orderBy('id')
      .limit(p.limit),
  );
  const swapSealedKey = prepare((p: { id: string; seen: string; next: string }) =>
    db
      .updateTable('users')
      .set('api_key_ciphertext', p.next)
      .where('id', '=', p.id)
      .where('api_key_ciphertext', '=', p.seen),
  );

  return {
    async create(user) {
      const [, { rows }] = await batch([insert(newRow(user)), byEmail({ email: user.email })]);
      if (rows[0] === undefined) throw new Error('a user was inserted and is not there');
      return toUser(rows[0]);
    },
    byId: async (id) => found(await one(byId({ id }))),
    byEmail: async (email) => found(await one(byEmail({ email }))),
    bySubject: async (provider, subject) => found(await one(bySubject[provider]({ subject }))),
    byKeySha: async (sha) => found(await one(byKeySha({ sha }))),
    withLegacyKey: () => all(withLegacyKey({})),
    linkSubject: async (id, provider, subject) =>
      (await change(linkSubject[provider]({ id, subject }))) === 1,
    async setKey(id, key) {
      await change(setKey({ ...key, id }));
    },
    setFirstKey: async (id, key) => (await change(setFirstKey({ ...key, id }))) === 1,
    async backfillKeySha(id, hash, sha) {
      await change(backfillKeySha({ id, hash, sha }));
    },
    pageOfSealedKeys: (after, limit) => all(sealedKeys({ after: after ?? '', limit })),
    swapSealedKey: async (id, seen, next) => (await change(swapSealedKey({ id, seen, next }))) === 1,
  };
}

function subjectQueries<Q>(query: (column: 'hosted_sub' | 'idp_sub') => Q): Record<SignInProvider, Q> {
  return { hosted: query('hosted_sub'), idp: query('idp_sub') };
}

function newRow({ id, email, hosted_sub, idp_sub, created_at }: NewUser): Stored<User> {
  return {
    id,
    email,
    hosted_sub: hosted_sub ?? null,
    idp_sub: idp_sub ?? null,
    api_key_hash: null,
    api_key_sha: null,
    api_key_ciphertext: null,
    is_admin: 0,
    created_at,
  };
}

const toUser = (row: Stored<User>): User => ({ ...row, is_admin: row.is_admin !== 0 });
const found = (row: Stored<User> | null): User | null => (row === null ? null : toUser(row));
