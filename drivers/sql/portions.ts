// Deletes what has expired a portion at a time, so that other statements run in between. reference: Maintenance
import { CompiledQuery } from 'kysely';
import type { Engine } from './engine.ts';
import type { Database, Table } from './schema.ts';

/** The rows that one statement of a sweep deletes or changes at most. */
export const PORTION_ROWS = 500;

/** Deletes the oldest rows whose `expires_at` is at most `until`. Returns whether more may be left. */
export function createDeletePortion<T extends Table>(
  engine: Engine,
  table: T,
  key: keyof Database[T] & string,
): (until: number) => Promise<boolean> {
  const slot = (number: number) => (engine.dialect === 'postgres' ? `$${number}` : '?');
  // The lock keeps two sweeps from waiting for each other, and a lease that is taken again meanwhile from being deleted.
  const lock = engine.dialect === 'postgres' ? ' for update skip locked' : '';
  const oldest = `select ${key} from ${table} where expires_at <= ${slot(1)} order by expires_at limit ${PORTION_ROWS}${lock}`;
  const text = `delete from ${table} where ${key} in (${oldest}) and expires_at <= ${slot(2)}`;
  return async (until) => {
    const { changes } = await engine.run(CompiledQuery.raw(text, [until, until]));
    return changes >= PORTION_ROWS;
  };
}
