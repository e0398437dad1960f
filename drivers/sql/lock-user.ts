// Makes the batches of one person wait for each other on PostgreSQL, so that they can count.
import { prepare } from './prepare.ts';
import type { Sql } from './sql.ts';

/** A batch that begins with this statement sees everything that an earlier one has written. */
export const createLockUser = ({ db }: Pick<Sql, 'db'>) =>
  prepare((p: { user: string }) =>
    db
      .updateTable('users')
      .set((is) => ({ id: is.ref('id') }))
      .where('id', '=', p.user),
  );
