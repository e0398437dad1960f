// One row for each user and integration: their sealed credential.
import type { Connection } from '../../src/ports/records.ts';
import type { Connections } from '../../src/ports/store.ts';
import { excluded, prepare, values } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createConnections({ db, all, one, change }: Sql): Connections {
  const connections = db.selectFrom('connections').selectAll();
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
          ...excluded('connections', 'user_id', 'integration', 'created_at', 'config'),
          config: is.fn.coalesce('excluded.config', 'connections.config'),
        })),
      ),
  );
  const remove = prepare((p: { user: string; integration: string }) =>
    db.deleteFrom('connections').where('user_id', '=', p.user).where('integration', '=', p.integration),
  );

  return {
    get: (user, integration) => one(get({ user, integration })),
    list: (user) => all(list({ user })),
    async put(connection) {
      await change(put(connection));
    },
    delete: async (user, integration) => (await change(remove({ user, integration }))) === 1,
  };
}
