// Single-use states of sign-in and connect flows.
import { sql } from 'kysely';
import type { Flow } from '../../src/ports/records.ts';
import type { Flows } from '../../src/ports/store.ts';
import { createLockUser } from './lock-user.ts';
import { prepare, setToExcluded, values } from './prepare.ts';
import type { FlowPlace } from './schema.ts';
import type { Sql } from './sql.ts';

const FLOW = [
  'state',
  'user_id',
  'integration',
  'expires_at',
  'session_data',
  'code_verifier',
  'config',
] as const satisfies (keyof Flow)[];

type Row = Flow & FlowPlace;

export function createFlows({ db, one, change, batch }: Sql): Flows {
  const lock = createLockUser({ db });
  const flows = db.selectFrom('flows as others');
  const put = prepare((p: Row) =>
    db
      .insertInto('flows')
      .values({
        ...values('flows', p),
        place: flows
          .select(sql<number>`coalesce(max(others.place), 0) + 1`.as('next'))
          .where('others.user_id', '=', p.user_id)
          .where('others.kind', '=', p.kind),
      })
      .onConflict((conflict) => conflict.column('state').doUpdateSet(setToExcluded('flows', 'state'))),
  );
  const removeBeyond = prepare((p: { user: string; kind: string; most: number }) =>
    db
      .deleteFrom('flows')
      .where('user_id', '=', p.user)
      .where('kind', '=', p.kind)
      .where(
        'place',
        '<=',
        flows
          .select('others.place')
          .where('others.user_id', '=', p.user)
          .where('others.kind', '=', p.kind)
          .orderBy('others.place', 'desc')
          .limit(1)
          .offset(p.most),
      ),
  );
  const take = prepare((p: { state: string }) =>
    db.deleteFrom('flows').where('state', '=', p.state).returning(FLOW),
  );
  const drop = prepare((p: { user: string; connection: string }) =>
    db.deleteFrom('flows').where('user_id', '=', p.user).where('connection_id', '=', p.connection),
  );

  return {
    async put(flow, bound) {
      const { user_id: user } = flow;
      const { kind = null, connectionId: connection_id = null, most = 0 } = bound ?? {};
      const row = put({ ...flow, kind, connection_id, place: null });
      if (kind === null || user === null) await change(row);
      else await batch([lock({ user }), row, removeBeyond({ user, kind, most })]);
    },
    take: (state) => one(take({ state })),
    async drop(user, connectionIds) {
      if (connectionIds.length > 0)
        await batch(connectionIds.map((connection) => drop({ user, connection })));
    },
  };
}
