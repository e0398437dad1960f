// The texts about the keys of this gateway, in the one row about the database. reference: Secrets at rest
import type { SwappedText } from '../../src/ports/store.ts';
import { prepare } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createSwappedText({ db, one, change }: Sql, column: 'key_check' | 'data_keys'): SwappedText {
  const read = prepare(() => db.selectFrom('gateway').select(`${column} as text`));
  const create = prepare((p: { next: string }) =>
    db
      .updateTable('gateway')
      .set({ [column]: p.next })
      .where(column, 'is', null),
  );
  const swap = prepare((p: { seen: string; next: string }) =>
    db
      .updateTable('gateway')
      .set({ [column]: p.next })
      .where(column, '=', p.seen),
  );
  return {
    read: async () => (await one(read({})))?.text ?? null,
    swap: async (seen, next) => (await change(seen === null ? create({ next }) : swap({ seen, next }))) === 1,
  };
}
