// The people as administrators see them, and how their access ends.
import type { CompiledQuery } from 'kysely';
import type { Changed, NewEnding, People, PersonSummary } from '../../src/ports/people.ts';
import { endApprovals } from './approvals.ts';
import { createErase } from './erase.ts';
import { createOwnerRule } from './owner-rule.ts';
import { POSITION } from './position.ts';
import { prepare } from './prepare.ts';
import type { Sql } from './sql.ts';
import { createInvite } from './users.ts';

type StoredSummary = Omit<PersonSummary, 'is_admin' | 'is_owner' | 'has_key'> & {
  is_admin: number;
  is_owner: number;
  api_key_hash: string | null;
};

export function createPeople(sql: Sql): People {
  const { db, all, one, change, batch } = sql;
  const owners = createOwnerRule(sql);
  const invite = createInvite(sql);
  const summaries = summariesOf(db);
  const get = prepare((p: { id: string; now: number }) => summaries(p.now).where('users.id', '=', p.id));
  const hasAdministrator = prepare(() =>
    db
      .selectFrom('users')
      .select('id')
      .where('is_admin', '=', 1)
      .where('disabled_at', 'is', null)
      .where('service_key_id', 'is', null)
      .limit(1),
  );
  const setRole = prepare((p: { id: string; admin: number; owner: number }) =>
    db
      .updateTable('users')
      .set({ is_admin: p.admin, is_owner: p.owner })
      .where('id', '=', p.id)
      .where('service_key_id', 'is', null)
      .where((is) => is.or([is(is.val(p.owner), '=', 1), owners.isNotLast(p.id)(is)])),
  );
  const disable = prepare((p: { id: string; now: number }) =>
    db
      .updateTable('users')
      .set((row) => ({ disabled_at: row.fn.coalesce('disabled_at', row.val(p.now)) }))
      .where('id', '=', p.id)
      .where(owners.isNotLast(p.id)),
  );
  const beginDeletion = prepare((p: { id: string; now: number }) =>
    db
      .updateTable('users')
      .set((row) => ({
        disabled_at: row.fn.coalesce('disabled_at', row.val(p.now)),
        deleted_at: row.fn.coalesce('deleted_at', row.val(p.now)),
      }))
      .where('id', '=', p.id)
      .where(owners.isNotLast(p.id)),
  );
  const enable = prepare((p: { id: string }) =>
    db.updateTable('users').set({ disabled_at: null }).where('id', '=', p.id).where('deleted_at', 'is', null),
  );
  const noteSignIn = prepare((p: { id: string; now: number }) =>
    db
      .updateTable('users')
      .set({ signed_in_at: p.now })
      .where('id', '=', p.id)
      .where('disabled_at', 'is', null),
  );
  const noteOutside = prepare((p: { id: string; since: number | null }) =>
    db.updateTable('users').set({ outside_since: p.since }).where('id', '=', p.id),
  );
  const endings = prepare((p: { now: number }) =>
    db.selectFrom('endings').select(['person', 'before']).where('expires_at', '>', p.now),
  );
  const end = createEnd(sql);

  async function reason(id: string): Promise<Changed> {
    return (await one(get({ id, now: 0 }))) === null ? 'gone' : 'last-owner';
  }

  async function shut(id: string, ending: NewEnding, write: CompiledQuery): Promise<Changed> {
    const [, changed] = await batch([
      owners.begin({ id }),
      write,
      owners.end({ id }),
      ...end(id, ending, 'disabled'),
    ]);
    return changed?.changes === 1 ? 'done' : reason(id);
  }

  return {
    page: async (query, now) => (await all(page(sql, query, now).compile())).map(toSummary),
    async get(id, now) {
      const row = await one(get({ id, now }));
      return row === null ? null : toSummary(row);
    },
    hasAdministrator: async () => (await one(hasAdministrator({}))) !== null,
    invite,
    async setRole(id, role) {
      const values = { admin: role === 'member' ? 0 : 1, owner: role === 'owner' ? 1 : 0 };
      const [, changed] = await batch([owners.begin({ id }), setRole({ id, ...values }), owners.end({ id })]);
      return changed.changes === 1 ? 'done' : reason(id);
    },
    disable: (id, ending) => shut(id, ending, disable({ id, now: ending.before })),
    beginDeletion: (id, ending) => shut(id, ending, beginDeletion({ id, now: ending.before })),
    ...createErase(sql),
    enable: async (id) => (await change(enable({ id }))) === 1,
    async signOut(id, ending) {
      await batch(end(id, ending, 'all'));
      return (await one(get({ id, now: 0 }))) === null ? 'gone' : 'done';
    },
    noteSignIn: async (id, now) => (await change(noteSignIn({ id, now }))) === 1,
    async noteOutside(id, since) {
      await change(noteOutside({ id, since }));
    },
    endings: (now) => all(endings({ now })),
  };
}

/** Statements that end what the person holds. With `disabled` they do nothing for a person who may use the gateway. */
function createEnd({ db }: Pick<Sql, 'db'>) {
  type Whom = 'disabled' | 'all';
  const person = (id: string, whom: Whom) => {
    const row = db.selectFrom('users').select('id').where('id', '=', id);
    return whom === 'all' ? row : row.where('disabled_at', 'is not', null);
  };
  const OWNED = ['oauth_codes', 'refresh_tokens', 'agent_keys', 'flows'] as const;
  const build = (whom: Whom) => ({
    owned: OWNED.map((table) =>
      prepare((p: { id: string }) => db.deleteFrom(table).where('user_id', 'in', person(p.id, whom))),
    ),
    key: prepare((p: { id: string }) =>
      db
        .updateTable('users')
        .set({ api_key_hash: null, api_key_sha: null, api_key_ciphertext: null })
        .where('id', 'in', person(p.id, whom)),
    ),
    ending: prepare((p: { id: string; person: string; before: number; expires_at: number }) =>
      db
        .insertInto('endings')
        .columns(['person', 'before', 'expires_at'])
        .expression(
          person(p.id, whom)
            .clearSelect()
            .select((is) => [
              is.cast<string>(is.val(p.person), 'text').as('person'),
              is.cast<number>(is.val(p.before), 'bigint').as('before'),
              is.cast<number>(is.val(p.expires_at), 'bigint').as('expires_at'),
            ]),
        )
        .onConflict((conflict) =>
          conflict.column('person').doUpdateSet((row) => ({
            before: row.ref('excluded.before'),
            expires_at: row.ref('excluded.expires_at'),
          })),
        ),
    ),
  });
  const statements = { disabled: build('disabled'), all: build('all') };
  const approvals = endApprovals(db);
  return (id: string, { person: sha, before, expires_at }: NewEnding, whom: Whom) => [
    ...statements[whom].owned.map((remove) => remove({ id })),
    statements[whom].key({ id }),
    approvals[whom === 'all' ? 'ofUser' : 'ofDisabled']({ user: id }),
    statements[whom].ending({ id, person: sha, before, expires_at }),
  ];
}

/** The counts are sub-queries on indexes: a page has a hundred rows at most. */
const summariesOf = (db: Sql['db']) => (now: number) =>
  db
    .selectFrom('users')
    .select([
      'users.id',
      'users.email',
      'users.is_admin',
      'users.is_owner',
      'users.created_at',
      'users.disabled_at',
      'users.invited_at',
      'users.signed_in_at',
      'users.deleted_at',
      'users.unverified_since',
      'users.api_key_hash',
    ])
    // Actors are nobody that administrators have to do with. decision: 074
    .where('users.service_key_id', 'is', null)
    .select((is) => [
      is
        .selectFrom('connections')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('connections.user_id', '=', 'users.id')
        .$asScalar()
        .$notNull()
        .as('connections'),
      is
        .selectFrom('agent_keys')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('agent_keys.user_id', '=', 'users.id')
        .$asScalar()
        .$notNull()
        .as('keys'),
      is
        .selectFrom('refresh_tokens')
        .select(({ fn }) => fn.count<number>('refresh_tokens.client_id').distinct().as('count'))
        .whereRef('refresh_tokens.user_id', '=', 'users.id')
        .where('refresh_tokens.expires_at', '>', now)
        .$asScalar()
        .$notNull()
        .as('agents'),
      is
        .selectFrom('audit')
        .select('audit.created_at')
        .whereRef('audit.user_id', '=', 'users.id')
        .orderBy('audit.id', 'desc')
        .limit(1)
        .as('called_at'),
    ]);

/** A pattern would need its wildcards escaped. */
function page({ db, dialect }: Sql, query: Parameters<People['page']>[0], now: number) {
  let rows = summariesOf(db)(now);
  if (query.after !== undefined) rows = rows.where('users.email', '>', query.after);
  if (query.contains !== undefined)
    rows = rows.where((is) =>
      is(is.fn<number>(POSITION[dialect], ['users.email', is.val(query.contains)]), '>', 0),
    );
  return rows.orderBy('users.email').limit(query.limit);
}

function toSummary({ api_key_hash, ...row }: StoredSummary): PersonSummary {
  return {
    ...row,
    is_admin: row.is_admin !== 0,
    is_owner: row.is_owner !== 0,
    has_key: api_key_hash !== null,
  };
}
