// The sealed text that tells whether the encryption key still is the right one. reference: Secrets at rest
import type { KeyCheck } from '../../src/ports/store.ts';
import { prepare } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createKeyCheck({ db, one, change }: Sql): KeyCheck {
  const read = prepare(() => db.selectFrom('gateway').select('key_check'));
  const create = prepare((p: { next: string }) =>
    db.updateTable('gateway').set({ key_check: p.next }).where('key_check', 'is', null),
  );
  const swap = prepare((p: { seen: string; next: string }) =>
    db.updateTable('gateway').set({ key_check: p.next }).where('key_check', '=', p.seen),
  );
  return {
    read: async () => (await one(read({})))?.key_check ?? null,
    swap: async (seen, next) => (await change(seen === null ? create({ next }) : swap({ seen, next }))) === 1,
  };
}
