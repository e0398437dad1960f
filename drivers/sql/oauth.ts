// Registered OAuth clients and their single-use authorization codes.
import * as z from 'zod';
import type { AuthorizationCode, OAuthClient } from '../../src/ports/records.ts';
import type { AuthorizationCodes, BegunFamily, OAuthClients } from '../../src/ports/store.ts';
import { PORTION_ROWS } from './portions.ts';
import { columns, prepare, setToExcluded, values } from './prepare.ts';
import { begunHash } from './refresh-tokens.ts';
import type { Stored, Unused } from './schema.ts';
import type { Sql } from './sql.ts';

const RedirectUris = z.array(z.string());
const RECORD = [
  'client_id',
  'client_name',
  'redirect_uris',
  'created_at',
] as const satisfies (keyof OAuthClient)[];

export function createClients({ db, all, one, change, batch }: Sql): OAuthClients {
  const put = prepare((p: Stored<OAuthClient> & Unused) =>
    db
      .insertInto('oauth_clients')
      .values(values('oauth_clients', p))
      .onConflict((conflict) =>
        conflict.column('client_id').doUpdateSet(setToExcluded('oauth_clients', 'client_id')),
      ),
  );
  const get = prepare((p: { id: string }) =>
    db.selectFrom('oauth_clients').select(RECORD).where('client_id', '=', p.id),
  );
  // The two groups read their tables once for a page, because neither has an index by client.
  const page = prepare((p: { after: string; limit: number; now: number }) =>
    db
      .selectFrom('oauth_clients')
      .leftJoin(
        db
          .selectFrom('refresh_tokens')
          .select(({ fn }) => ['client_id', fn.count<number>('user_id').distinct().as('people')])
          .where('expires_at', '>', p.now)
          .groupBy('client_id')
          .as('tokens'),
        'tokens.client_id',
        'oauth_clients.client_id',
      )
      .leftJoin(
        db
          .selectFrom('agent_grants')
          .select(({ fn }) => ['client_id', fn.max('last_used_at').as('last_used_at')])
          .groupBy('client_id')
          .as('grants'),
        'grants.client_id',
        'oauth_clients.client_id',
      )
      .select([
        'oauth_clients.client_id',
        'oauth_clients.client_name',
        'oauth_clients.created_at',
        'tokens.people',
        'grants.last_used_at',
      ])
      .where('oauth_clients.unused_since', 'is', null)
      .where('oauth_clients.client_id', '>', p.after)
      .orderBy('oauth_clients.client_id')
      .limit(p.limit),
  );
  const owned = ['oauth_codes', 'refresh_tokens', 'oauth_client_uses'] as const;
  const removeAll = ([...owned, 'oauth_clients'] as const).map((table) =>
    prepare((p: { id: string }) => db.deleteFrom(table).where('client_id', '=', p.id)),
  );
  const use = prepare((p: { now: number }) =>
    db
      .insertInto('oauth_client_uses')
      .columns(['client_id', 'last_used_at'])
      .expression((from) =>
        from
          .selectFrom('refresh_tokens')
          .distinct()
          .select((is) => ['client_id', is.cast<number>(is.val(p.now), 'bigint').as('last_used_at')])
          .where('expires_at', '>', p.now),
      )
      .onConflict((conflict) =>
        conflict.column('client_id').doUpdateSet(setToExcluded('oauth_client_uses', 'client_id')),
      ),
  );
  const forgetUses = prepare((p: { before: number }) =>
    db
      .deleteFrom('oauth_client_uses')
      .where('last_used_at', '<=', p.before)
      .where(
        'client_id',
        'in',
        db
          .selectFrom('oauth_client_uses')
          .select('client_id')
          .where('last_used_at', '<=', p.before)
          .limit(PORTION_ROWS),
      ),
  );
  const purge = prepare((p: { before: number }) =>
    db
      .deleteFrom('oauth_clients')
      .where(
        'client_id',
        'in',
        db
          .selectFrom('oauth_clients')
          .select('client_id')
          .where('created_at', '<=', p.before)
          .where('client_id', 'not in', db.selectFrom('oauth_client_uses').select('client_id'))
          .where('client_id', 'not in', db.selectFrom('oauth_codes').select('client_id'))
          .limit(PORTION_ROWS),
      ),
  );
  // A client that is a document at an https address may come back under the same id, and meets its limits then.
  // The limits of any other client stay until no access token of it can be left.
  const purgeGrants = prepare((p: { before: number }) =>
    db.deleteFrom('agent_grants').where((is) =>
      is(
        is.refTuple('user_id', 'client_id'),
        'in',
        db
          .selectFrom('agent_grants')
          .select(['user_id', 'client_id'])
          .where('client_id', 'not like', 'https://%')
          .where('client_id', 'not in', db.selectFrom('oauth_clients').select('client_id'))
          .where('updated_at', '<=', p.before)
          .where((or) => or.or([or('last_used_at', 'is', null), or('last_used_at', '<=', p.before)]))
          .limit(PORTION_ROWS)
          .$asTuple('user_id', 'client_id'),
      ),
    ),
  );
  const markUsed = prepare((p: { id: string }) =>
    db.updateTable('oauth_clients').set({ unused_since: null }).where('client_id', '=', p.id),
  );
  const noteUse = prepare((p: { id: string; now: number }) =>
    db
      .insertInto('oauth_client_uses')
      .values({ client_id: p.id, last_used_at: p.now })
      .onConflict((conflict) =>
        conflict.column('client_id').doUpdateSet(setToExcluded('oauth_client_uses', 'client_id')),
      ),
  );
  // The subquery reads the index of never-used clients only, which is as long as `keep`.
  const trim = prepare((p: { keep: number }) =>
    db
      .deleteFrom('oauth_clients')
      .where(
        'unused_since',
        '<=',
        db
          .selectFrom('oauth_clients')
          .select('unused_since')
          .where('unused_since', '>', 0)
          .orderBy('unused_since', 'desc')
          .limit(1)
          .offset(p.keep),
      ),
  );
  const stored = (client: OAuthClient) => ({
    ...client,
    redirect_uris: JSON.stringify(client.redirect_uris),
  });

  return {
    async put(client) {
      await change(put({ ...stored(client), unused_since: null }));
    },
    async register(client, turn) {
      await change(put({ ...stored(client), unused_since: turn }));
    },
    async use(id, now) {
      await batch([markUsed({ id }), noteUse({ id, now })]);
    },
    async trim(keep) {
      await change(trim({ keep }));
    },
    async get(id) {
      const row = await one(get({ id }));
      if (row === null) return null;
      return { ...row, redirect_uris: RedirectUris.parse(JSON.parse(row.redirect_uris)) };
    },
    async page(after, limit, now) {
      const rows = await all(page({ after: after ?? '', limit, now }));
      return rows.map((row) => ({ ...row, people: row.people ?? 0 }));
    },
    async delete(id) {
      await batch(removeAll.map((remove) => remove({ id })));
    },
    async purge({ idle, unused }, now) {
      const [, ...portions] = await batch([
        use({ now }),
        forgetUses({ before: idle }),
        purge({ before: unused }),
        purgeGrants({ before: unused }),
      ]);
      return portions.some(({ changes }) => changes >= PORTION_ROWS);
    },
  };
}

export function createCodes({ db, change, batch }: Sql): AuthorizationCodes {
  const put = prepare((p: AuthorizationCode) =>
    db
      .insertInto('oauth_codes')
      .values(values('oauth_codes', p))
      .onConflict((conflict) => conflict.column('code').doUpdateSet(setToExcluded('oauth_codes', 'code'))),
  );
  const begin = prepare((p: BegunFamily & { code: string; begun: string }) =>
    db
      .insertInto('refresh_tokens')
      .columns([
        'token_hash',
        'family',
        'client_id',
        'user_id',
        'scope',
        'created_at',
        'expires_at',
        'resource',
      ])
      .expression((from) =>
        from
          .selectFrom('oauth_codes')
          .select((is) => [
            is.cast<string>(is.val(p.begun), 'text').as('token_hash'),
            is.cast<string>(is.val(p.family), 'text').as('family'),
            'client_id',
            'user_id',
            'scope',
            is.cast<number>(is.val(p.created_at), 'bigint').as('created_at'),
            is.cast<number>(is.val(p.expires_at), 'bigint').as('expires_at'),
            'resource',
          ])
          .where('code', '=', p.code),
      )
      .onConflict((conflict) => conflict.column('token_hash').doNothing()),
  );
  const take = prepare((p: { code: string }) =>
    db.deleteFrom('oauth_codes').where('code', '=', p.code).returning(columns('oauth_codes')),
  );

  return {
    async put(code) {
      await change(put(code));
    },
    // A take that loses a race on PostgreSQL may also have begun the family. Its caller revokes the family.
    async take(code, begun) {
      const [, { rows }] = await batch([
        begin({ ...begun, code, begun: begunHash(begun.family) }),
        take({ code }),
      ]);
      return rows[0] ?? null;
    },
  };
}
