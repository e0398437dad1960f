// Destinations, deliveries, and what people have chosen for them.
import type { NoticeSettings, OutboxKey, OutboxStore } from '../../src/ports/outbox.ts';
import { createDeliveries } from './deliveries.ts';
import { createDestinations } from './destinations.ts';
import { columns, prepare, setToExcluded, values } from './prepare.ts';
import type { Sql } from './sql.ts';
import { selected } from './typed.ts';

export function createOutboxStore(sql: Sql): OutboxStore {
  const { db, all, one, change } = sql;
  const settings = prepare((p: { user: string }) =>
    db.selectFrom('notice_settings').select(columns('notice_settings')).where('user_id', '=', p.user),
  );
  const putSettings = prepare((p: NoticeSettings) =>
    db
      .insertInto('notice_settings')
      .columns(columns('notice_settings'))
      .expression(
        db
          .selectFrom('users')
          .select(selected('notice_settings', p))
          .where('users.id', '=', p.user_id)
          .where('deleted_at', 'is', null),
      )
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(setToExcluded('notice_settings', 'user_id')),
      ),
  );
  const keys = db.selectFrom('outbox_keys').select(columns('outbox_keys'));
  const key = prepare((p: { id: string }) => keys.where('id', '=', p.id));
  const allKeys = prepare(() => keys.orderBy('id'));
  const makeKey = prepare((p: OutboxKey) =>
    db
      .insertInto('outbox_keys')
      .values(values('outbox_keys', p))
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  const swapKey = prepare((p: { id: string; seen: string; next: string }) =>
    db.updateTable('outbox_keys').set({ sealed: p.next }).where('id', '=', p.id).where('sealed', '=', p.seen),
  );

  return {
    destinations: createDestinations(sql),
    deliveries: createDeliveries(sql),
    settings: {
      get: (user) => one(settings({ user })),
      async put(next) {
        await change(putSettings(next));
      },
    },
    keys: {
      get: (id) => one(key({ id })),
      async make(made) {
        await change(makeKey(made));
        return (await one(key(made))) ?? made;
      },
      list: () => all(allKeys({})),
      swapSealed: async (id, seen, next) => (await change(swapKey({ id, seen, next }))) === 1,
    },
  };
}
