// Leases: one holder at a time. Anyone may take an expired lease.
import type { Leases } from '../../src/ports/store.ts';
import { prepare } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createLeases({ db, one, change }: Sql): Leases {
  const acquire = prepare((p: { name: string; holder: string; now: number; until: number }) =>
    db
      .insertInto('leases')
      .values({ name: p.name, holder: p.holder, expires_at: p.until })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ holder: p.holder, expires_at: p.until })
          .where('leases.expires_at', '<=', p.now),
      )
      .returning('holder'),
  );
  const release = prepare((p: { name: string; holder: string }) =>
    db.deleteFrom('leases').where('name', '=', p.name).where('holder', '=', p.holder),
  );

  return {
    acquire: async (name, holder, now, until) => (await one(acquire({ name, holder, now, until }))) !== null,
    async release(name, holder) {
      await change(release({ name, holder }));
    },
  };
}
