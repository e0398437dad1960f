// Pending connections in the database: one truth for any number of processes.
import type { Clock } from '../../src/ports/clock.ts';
import {
  type PendingConnection,
  type PendingConnections,
  RECORDS_PER_PLACE,
} from '../../src/ports/pending.ts';
import type { Engine } from '../sql/engine.ts';
import { createDeletePortion } from '../sql/portions.ts';
import { prepare } from '../sql/prepare.ts';
import { createSql } from '../sql/sql.ts';

const RETENTION_SECONDS = 3600;

export function createSqlPending(engine: Engine, clock: Clock): PendingConnections {
  const { db, one, change, batch } = createSql(engine);
  const remove = prepare((p: { id: string }) =>
    db.deleteFrom('pending_connections').where('connection_id', '=', p.id),
  );
  const insert = prepare((p: Omit<PendingConnection, 'status'>) =>
    db.insertInto('pending_connections').values({
      connection_id: p.connection_id,
      user_id: p.user_id,
      integration: p.integration,
      status: 'PENDING',
      expires_at: p.expires_at,
    }),
  );
  const get = prepare((p: { id: string }) =>
    db
      .selectFrom('pending_connections')
      .select(['connection_id', 'user_id', 'integration', 'status', 'expires_at'])
      .where('connection_id', '=', p.id),
  );
  const count = prepare((p: { user: string; now: number }) =>
    db
      .selectFrom('pending_connections')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', p.user)
      .where('status', '=', 'PENDING')
      .where('expires_at', '>', p.now),
  );
  const connect = prepare((p: { user: string; integration: string; now: number }) =>
    db
      .updateTable('pending_connections')
      .set({ status: 'CONNECTED' })
      .where('status', '=', 'PENDING')
      .where('connection_id', '=', (newest) =>
        newest
          .selectFrom('pending_connections')
          .select('connection_id')
          .where('user_id', '=', p.user)
          .where('integration', '=', p.integration)
          .where('status', '=', 'PENDING')
          .where('expires_at', '>', p.now)
          .orderBy('seq', 'desc')
          .limit(1),
      ),
  );
  const expire = prepare((p: { id: string }) =>
    db
      .updateTable('pending_connections')
      .set({ status: 'EXPIRED' })
      .where('connection_id', '=', p.id)
      .where('status', '=', 'PENDING'),
  );
  const evict = prepare((p: { user: string; now: number; most: number }) =>
    db
      .updateTable('pending_connections')
      .set({ status: 'EXPIRED' })
      .where('user_id', '=', p.user)
      .where('status', '=', 'PENDING')
      .where('seq', '<=', (newestBeyond) =>
        newestBeyond
          .selectFrom('pending_connections')
          .select('seq')
          .where('user_id', '=', p.user)
          .where('status', '=', 'PENDING')
          .where('expires_at', '>', p.now)
          .orderBy('seq', 'desc')
          .limit(1)
          .offset(p.most),
      )
      .returning('connection_id'),
  );
  const forget = prepare((p: { user: string; kept: number }) =>
    db
      .deleteFrom('pending_connections')
      .where('user_id', '=', p.user)
      .where('seq', '<=', (newestBeyond) =>
        newestBeyond
          .selectFrom('pending_connections')
          .select('seq')
          .where('user_id', '=', p.user)
          .orderBy('seq', 'desc')
          .limit(1)
          .offset(p.kept),
      ),
  );
  const forgetUser = prepare((p: { user: string }) =>
    db.deleteFrom('pending_connections').where('user_id', '=', p.user),
  );
  const deletePortion = createDeletePortion(engine, 'pending_connections', 'connection_id');

  return {
    async put(record, most) {
      const user = record.user_id;
      // Inserts a new row each time, so that the latest put has the highest number.
      const writes = [remove({ id: record.connection_id }), insert(record)] as const;
      if (most === undefined) {
        await batch(writes);
        return [];
      }
      const [, , evicted] = await batch([
        ...writes,
        evict({ user, now: clock.now(), most }),
        forget({ user, kept: most * RECORDS_PER_PLACE }),
      ]);
      return evicted.rows.map(({ connection_id }) => connection_id);
    },
    async get(id) {
      const record = await one(get({ id }));
      if (record?.status !== 'PENDING' || clock.now() < record.expires_at) return record;
      return { ...record, status: 'EXPIRED' };
    },
    async count(user) {
      return (await one(count({ user, now: clock.now() })))?.count ?? 0;
    },
    connect: async (user, integration) =>
      (await change(connect({ user, integration, now: clock.now() }))) === 1,
    async expire(id) {
      await change(expire({ id }));
    },
    async forget(user) {
      await change(forgetUser({ user }));
    },
    sweep: () => deletePortion(clock.now() - RETENTION_SECONDS - 1),
    // The store closes the engine, because it owns it.
    close: async () => {},
  };
}
