// One row per user and integration, with the sealed credential.
import { type RawBuilder, sql } from 'kysely';
import type { Connection, Standing } from '../../src/ports/records.ts';
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

  const swap = prepare((p: Connection & Seen) =>
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
      .where(holdsSeen(p)),
  );
  const mark = prepare((p: Standing & Seen) =>
    db
      .updateTable('connections')
      .set({
        status: p.status,
        cause: p.cause,
        since: p.since,
        checked_at: p.checked_at,
        account_id: p.account_id,
        account_label: p.account_label,
      })
      .where(holdsSeen(p)),
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
    swap: async (seen, next) => (await change(swap({ ...next, ...seenIn(seen) }))) === 1,
    mark: async (seen, standing) => (await change(mark({ ...standing, ...seenIn(seen) }))) === 1,
    due: (integrations, before, limit) => {
      const checked = sql<number>`coalesce(checked_at, 0)`;
      const query = connections
        .where('integration', 'in', integrations)
        .where(checked, '<=', before)
        .orderBy(checked)
        .limit(limit);
      return integrations.length === 0 ? Promise.resolve([]) : all(query.compile());
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

/** A row as it was read. */
export interface Seen {
  seen_user: string;
  seen_integration: string;
  seen_access: string | null;
  seen_refresh: string | null;
  seen_cookies: string | null;
}

export const seenIn = (row: Connection): Seen => ({
  seen_user: row.user_id,
  seen_integration: row.integration,
  seen_access: row.access_token,
  seen_refresh: row.refresh_token,
  seen_cookies: row.cookies,
});

/** Sealed texts never repeat, so a row that still holds these has not been written since it was read. */
export const holdsSeen = (p: Seen): RawBuilder<boolean> =>
  sql<boolean>`user_id = ${p.seen_user} and integration = ${p.seen_integration} and ${isSame('access_token', p.seen_access)} and ${isSame('refresh_token', p.seen_refresh)} and ${isSame('cookies', p.seen_cookies)}`;

// Compares like `=`, but null equals null.
const isSame = (column: string, value: string | null) =>
  sql`${sql.ref(column)} is not distinct from ${value}`;
