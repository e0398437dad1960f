// How far the audit log was sent to its collectors.
import { sql } from 'kysely';
import type { AuditPush, AuditPushes } from '../../src/ports/audit-pushes.ts';
import { columns, prepare } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createAuditPushes({ db, one, change }: Sql): AuditPushes {
  const find = prepare((p: { place: string }) =>
    db.selectFrom('audit_pushes').select(columns('audit_pushes')).where('place', '=', p.place),
  );
  const take = prepare((p: Pick<AuditPush, 'place' | 'segment'> & { now: number }) =>
    db
      .insertInto('audit_pushes')
      .values({ place: p.place, segment: p.segment, pushed_at: p.now, failed_at: null, error: null })
      .onConflict((conflict) =>
        conflict
          .column('place')
          .doUpdateSet({ segment: p.segment, pushed_at: p.now, failed_at: null, error: null })
          .where('audit_pushes.segment', '<', p.segment),
      ),
  );
  const fail = prepare((p: { place: string; error: string; now: number }) =>
    db
      .insertInto('audit_pushes')
      .values({ place: p.place, segment: 0, pushed_at: null, failed_at: p.now, error: p.error })
      .onConflict((conflict) =>
        conflict.column('place').doUpdateSet({
          error: p.error,
          failed_at: sql`coalesce(audit_pushes.failed_at, ${p.now})`,
        }),
      ),
  );
  return {
    get: (place) => one(find({ place })),
    async taken(place, segment, now) {
      await change(take({ place, segment, now }));
    },
    async failed(place, error, now) {
      await change(fail({ place, error, now }));
    },
  };
}
