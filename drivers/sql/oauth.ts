// Registered OAuth clients and their single-use authorization codes.
import type { AuthorizationCode, OAuthClient } from '../../src/ports/records.ts';
import type { AuthorizationCodes, OAuthClients } from '../../src/ports/store.ts';
import { excluded, prepare, values } from './prepare.ts';
import type { Stored } from './schema.ts';
import type { Sql } from './sql.ts';

export function createClients({ db, one, change, batch }: Sql): OAuthClients {
  const put = prepare((p: Stored<OAuthClient>) =>
    db
      .insertInto('oauth_clients')
      .values(values('oauth_clients', p))
      .onConflict((conflict) =>
        conflict.column('client_id').doUpdateSet(excluded('oauth_clients', 'client_id')),
      ),
  );
  const get = prepare((p: { id: string }) =>
    db.selectFrom('oauth_clients').selectAll().where('client_id', '=', p.id),
  );
  const removeAll = (['oauth_codes', 'refresh_tokens', 'used_refresh_tokens', 'oauth_clients'] as const).map(
    (table) => prepare((p: { id: string }) => db.deleteFrom(table).where('client_id', '=', p.id)),
  );

  return {
    async put(client) {
      await change(put({ ...client, redirect_uris: JSON.stringify(client.redirect_uris) }));
    },
    async get(id) {
      const row = await one(get({ id }));
      if (row === null) return null;
      // `put` is the only writer of this column.
      const redirect_uris: string[] = JSON.parse(row.redirect_uris);
      return { ...row, redirect_uris };
    },
    async delete(id) {
      await batch(removeAll.map((remove) => remove({ id })));
    },
  };
}

export function createCodes({ db, one, change }: Sql): AuthorizationCodes {
  const put = prepare((p: AuthorizationCode) =>
    db
      .insertInto('oauth_codes')
      .values(values('oauth_codes', p))
      .onConflict((conflict) => conflict.column('code').doUpdateSet(excluded('oauth_codes', 'code'))),
  );
  const take = prepare((p: { code: string }) =>
    db.deleteFrom('oauth_codes').where('code', '=', p.code).returningAll(),
  );

  return {
    async put(code) {
      await change(put(code));
    },
    take: (code) => one(take({ code })),
  };
}
