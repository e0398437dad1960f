// Users, and the keys and subjects that identify them.
import type { CompiledQuery } from 'kysely';
import {
  type ApiKeyColumns,
  EVERYONE,
  type NewUser,
  type SignInProvider,
  type Subject,
  type Users,
} from '../../src/ports/store.ts';
import type { People } from '../../src/ports/people.ts';
import type { User } from '../../src/ports/records.ts';
import { createRemoveBelongings } from './erase.ts';
import { createMakeFirstOwner, createOwnerRule, type SignInSetting } from './owner-rule.ts';
import { columns, prepare, values } from './prepare.ts';
import type { Stored } from './schema.ts';
import type { Sql } from './sql.ts';

export function createUsers(sql: Sql, setting: SignInSetting): Users {
  const { db, all, one, change, batch } = sql;
  const users = db.selectFrom('users').select(columns('users'));
  const byId = prepare((p: { id: string }) => users.where('id', '=', p.id));
  const byEmail = prepare((p: { email: string }) => users.where('email', '=', p.email));
  // The two look-ups cost less than a statement of their own, which nearly every call would need otherwise.
  const byKeySha = prepare((p: { sha: string }) =>
    db
      .selectFrom('users')
      .select((is) => [
        'id',
        is.selectFrom('policies').select('owner').whereRef('owner', '=', 'users.id').as('own'),
        is.selectFrom('policies').select('owner').where('owner', '=', EVERYONE).as('everyone'),
      ])
      .where('api_key_sha', '=', p.sha)
      .where('disabled_at', 'is', null),
  );
  const bySubject = subjectQueries((sub, iss) =>
    prepare((p: Subject) =>
      users.where(sub, '=', p.subject).where((or) => or.or([or(iss, 'is', null), or(iss, '=', p.issuer)])),
    ),
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
      .where('disabled_at', 'is', null)
      .$narrowType<{ api_key_hash: string }>(),
  );
  // The column of subjects is unique, so the same subject of a former issuer has to go first.
  const freeSubject = subjectQueries((sub, iss) =>
    prepare((p: Subject) =>
      db
        .updateTable('users')
        .set(sub, null)
        .set(iss, null)
        .where(sub, '=', p.subject)
        .where(iss, '<>', p.issuer),
    ),
  );
  const linkSubject = subjectQueries((sub, iss) =>
    prepare((p: Subject & { id: string }) =>
      db
        .updateTable('users')
        .set(sub, p.subject)
        .set(iss, p.issuer)
        .where('id', '=', p.id)
        .where('unverified_since', 'is', null)
        .where((or) => or.or([or(sub, 'is', null), or(sub, '=', p.subject), or(iss, '<>', p.issuer)])),
    ),
  );
  const confirmEmail = prepare((p: { id: string }) =>
    db.updateTable('users').set('unverified_since', null).where('id', '=', p.id),
  );
  // What an administrator has decided about the address stays: the invitation, the role, and that it is disabled.
  const replaceUnverified = prepare((p: { former: string; id: string; created_at: number }) =>
    db
      .updateTable('users')
      .set({
        id: p.id,
        created_at: p.created_at,
        hosted_sub: null,
        hosted_iss: null,
        idp_sub: null,
        idp_iss: null,
        unverified_since: null,
        api_key_hash: null,
        api_key_sha: null,
        api_key_ciphertext: null,
        signed_in_at: null,
        outside_since: null,
      })
      .where('id', '=', p.former)
      .where('unverified_since', 'is not', null),
  );
  const removeBelongings = createRemoveBelongings(sql);
  const removeUnlessFirst = prepare((p: { id: string }) =>
    db
      .deleteFrom('users')
      .where('id', '=', p.id)
      .where((is) =>
        is.exists(is.selectFrom('users as other').select('other.id').where('other.id', '<>', p.id)),
      ),
  );
  const owners = createOwnerRule(sql);
  const makeFirstOwner = createMakeFirstOwner(sql, setting);
  const keyUpdate = (p: ApiKeyColumns & { id: string }) =>
    db
      .updateTable('users')
      .set({
        api_key_hash: p.api_key_hash,
        api_key_sha: p.api_key_sha,
        api_key_ciphertext: p.api_key_ciphertext,
      })
      .where('id', '=', p.id)
      .where('disabled_at', 'is', null);
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

  /** The writes that may bring in the first person, who becomes the owner. */
  const asFirst = (id: string, ...writes: readonly CompiledQuery[]): readonly CompiledQuery[] => [
    owners.begin({ id }),
    ...writes,
    makeFirstOwner({ id }),
    owners.end({ id }),
  ];

  return {
    async create(user, subject) {
      await batch([
        ...(subject === undefined ? [] : [freeSubject[subject.provider](subject)]),
        ...asFirst(user.id, insert(newRow(user, subject))),
      ]);
      return inserted(await one(byEmail({ email: user.email })));
    },
    async createFirst(user) {
      const { id } = user;
      await batch(asFirst(id, insert(newRow(user)), removeUnlessFirst({ id })));
      return found(await one(byId({ id })));
    },
    byId: async (id) => found(await one(byId({ id }))),
    byEmail: async (email) => found(await one(byEmail({ email }))),
    bySubject: async (subject) => found(await one(bySubject[subject.provider](subject))),
    async byKeySha(sha) {
      const holder = await one(byKeySha({ sha }));
      return holder && { id: holder.id, hasRules: holder.own !== null || holder.everyone !== null };
    },
    withLegacyKey: () => all(withLegacyKey({})),
    async linkSubject(id, subject) {
      const { provider } = subject;
      const [, linked] = await batch([
        freeSubject[provider](subject),
        linkSubject[provider]({ ...subject, id }),
      ]);
      return linked.changes === 1;
    },
    async confirmEmail(id) {
      const [, confirmed] = await batch(asFirst(id, confirmEmail({ id })));
      return confirmed?.changes === 1;
    },
    async takeOver(id, next) {
      const [replaced] = await batch([
        replaceUnverified({ former: id, id: next.id, created_at: next.created_at }),
        ...removeBelongings([id]),
        ...asFirst(next.id, insert(newRow(next))),
      ]);
      const user = inserted(await one(byEmail({ email: next.email })));
      return { user, tookOver: replaced.changes === 1 };
    },
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

export function createInvite({ db, one, change }: Sql): People['invite'] {
  const insert = prepare((p: Stored<User>) =>
    db
      .insertInto('users')
      .values(values('users', p))
      .onConflict((conflict) =>
        conflict
          .column('email')
          .doUpdateSet((is) => ({ invited_at: is.fn.coalesce('users.invited_at', 'excluded.invited_at') })),
      ),
  );
  const byEmail = prepare((p: { email: string }) =>
    db.selectFrom('users').select(columns('users')).where('email', '=', p.email),
  );
  return async function invite(person) {
    await change(insert(newRow({ ...person, invited_at: person.created_at })));
    return inserted(await one(byEmail({ email: person.email })));
  };
}

function subjectQueries<Q>(
  query: (sub: 'hosted_sub' | 'idp_sub', iss: 'hosted_iss' | 'idp_iss') => Q,
): Record<SignInProvider, Q> {
  return { hosted: query('hosted_sub', 'hosted_iss'), idp: query('idp_sub', 'idp_iss') };
}

export function newRow(
  { id, email, unverified_since, created_at, invited_at = null }: NewUser,
  subject?: Subject,
): Stored<User> {
  const at = (provider: SignInProvider) => (subject?.provider === provider ? subject : null);
  return {
    id,
    email,
    hosted_sub: at('hosted')?.subject ?? null,
    idp_sub: at('idp')?.subject ?? null,
    hosted_iss: at('hosted')?.issuer ?? null,
    idp_iss: at('idp')?.issuer ?? null,
    unverified_since: unverified_since ?? null,
    api_key_hash: null,
    api_key_sha: null,
    api_key_ciphertext: null,
    is_admin: 0,
    is_owner: 0,
    created_at,
    disabled_at: null,
    invited_at,
    signed_in_at: null,
    deleted_at: null,
    keeps_calls: 1,
    outside_since: null,
    service_key_id: null,
    external_id: null,
    external_name: null,
  };
}

function inserted(row: Stored<User> | null): User {
  if (row === null) throw new Error('a user was inserted and is not there');
  return toUser(row);
}

const toUser = (row: Stored<User>): User => ({
  ...row,
  is_admin: row.is_admin !== 0,
  is_owner: row.is_owner !== 0,
  keeps_calls: row.keeps_calls !== 0,
});
const found = (row: Stored<User> | null): User | null => (row === null ? null : toUser(row));
