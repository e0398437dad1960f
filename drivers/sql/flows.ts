// Single-use states of sign-in and connect flows.
import type { Flow } from '../../src/ports/records.ts';
import type { Flows } from '../../src/ports/store.ts';
import { columns, prepare, setToExcluded, values } from './prepare.ts';
import type { Sql } from './sql.ts';

export function createFlows({ db, one, change }: Sql): Flows {
  const put = prepare((p: Flow) =>
    db
      .insertInto('flows')
      .values(values('flows', p))
      .onConflict((conflict) => conflict.column('state').doUpdateSet(setToExcluded('flows', 'state'))),
  );
  const take = prepare((p: { state: string }) =>
    db.deleteFrom('flows').where('state', '=', p.state).returning(columns('flows')),
  );

  return {
    async put(flow) {
      await change(put(flow));
    },
    take: (state) => one(take({ state })),
  };
}
