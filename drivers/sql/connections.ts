// One row per user and integration, with the sealed credential.
import { type Expression, sql } from 'kysely';
import type { Connection } from '../../src/ports/records.ts';
import type { Connections } from '../../src/ports/store.ts';
import { columns, prepare, setToExcluded, values } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createConnections({ db, all, one, change }: Sql): Connections {
  const connections = db.selectFrom('connections').select(columns('connections'));
  const get = prepare((p: { user: string; integration: string }) =>
    connections.where('user_id', '=', p.user).where('integration', '=', p.integration),
  );
  const list = prepare((p: { user: string }) =>
    connections.where('user_id', '=', p.user).orderBy('integration'),
  );
  const put = prepare((p: Connection) =>
    db
      .insertInto('connections')
      .values(values('connections', p))
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'integration']).doUpdateSet((is) => ({
          ...setToExcluded('connections', 'user_id', 'integration', 'created_at', 'config'),
          config: is.fn.coalesce('excluded.config', 'connections.config'),
        })),
      ),
  );
  const remove = prepare((p: { user: string; integration: string }) =>
    db.deleteFrom('connections').where('user_id', '=', p.user).where('integration', '=', p.integration),
  );

  // Sealed texts never repeat, so a row that still holds these has not been written since it was read.
  const swap = prepare(
    (
      p: Connection & {
        seen_access: string | null;
        seen_refresh: string | null;
        seen_cookies: string | null;
      },
    ) =>
      db
        .updateTable('connections')
        .set({
          access_token: p.access_token,
          refresh_token: p.refresh_token,
          expires_at: p.expires_at,
          scopes: p.scopes,
          cookies: p.cookies,
          config: p.config,
          updated_at: p.updated_at,
        })
        .where('user_id', '=', p.user_id)
        .where('integration', '=', p.integration)
        .where((eb) => isSame(eb.ref('access_token'), p.seen_access))
        .where((eb) => isSame(eb.ref('refresh_token'), p.seen_refresh))
        .where((eb) => isSame(eb.ref('cookies'), p.seen_cookies)),
  );
  const inOrder = connections.orderBy('user_id').orderBy('integration');
  const firstPage = prepare((p: { limit: number }) => inOrder.limit(p.limit));
  const nextPage = prepare((p: { user: string; integration: string; limit: number }) =>
    inOrder
      .where((eb) =>
        eb.or([
          eb('user_id', '>', p.user),
          eb.and([eb('user_id', '=', p.user), eb('integration', '>', p.integration)]),
        ]),
      )
      .limit(p.limit),
  );

  return {
    get: (user, integration) => one(get({ user, integration })),
    list: (user) => all(list({ user })),
    async put(connection) {
      await change(put(connection));
    },
    async swap(seen, next) {
      const { access_token, refresh_token, cookies } = seen;
      const where = { seen_access: access_token, seen_refresh: refresh_token, seen_cookies: cookies };
      return (await change(swap({ ...next, ...where }))) === 1;
    },
    page: (after, limit) =>
      all(
        after === null
          ? firstPage({ limit })
          : nextPage({ user: after.user_id, integration: after.integration, limit }),
      ),
    delete: async (user, integration) => (await change(remove({ user, integration }))) === 1,
  };
}

// Compares like `=`, but null equals null.
function isSame(column: Expression<string | null>, value: string | null) {
  return sql<boolean>`${column} is not distinct from ${value}`;
}
