// Fills in what older versions did not write: a portion at a time, by one process at a time. decision: 005
import { CompiledQuery } from 'kysely';
import * as z from 'zod';
import type { Leases } from '../../src/ports/store.ts';
import type { Engine } from './engine.ts';
import { prepare } from './prepare.ts';
import type { Dialect } from './schema.ts';
import type { Sql } from './sql.ts';

const Finished = z.array(z.string());

export interface Backfill {
  /** Never used twice: a finished backfill does not run again. */
  name: string;
  /**
   * Changes at most as many rows as a portion, and none when every row has its value. It can be repeated at any point,
   * also by two processes at once.
   */
  statement: (dialect: Dialect) => string;
}

/** The backfills of this version, in order. */
export const BACKFILLS: readonly Backfill[] = [];

const LEASE = 'backfill';
const LEASE_SECONDS = 60;

/** Returns a function that runs one portion. It answers whether more may be left for this process. */
export function createRunBackfills(
  engine: Engine,
  { db, one, change }: Sql,
  leases: Leases,
  backfills: readonly Backfill[],
): (now: number) => Promise<boolean> {
  let isOver = backfills.length === 0;
  const read = prepare(() => db.selectFrom('gateway').select('backfills'));
  const finish = prepare((p: { seen: string; next: string }) =>
    db.updateTable('gateway').set({ backfills: p.next }).where('backfills', '=', p.seen),
  );

  async function runPortion(): Promise<void> {
    const seen = (await one(read({})))?.backfills ?? '[]';
    const finished = Finished.parse(JSON.parse(seen));
    const [next] = backfills.filter(({ name }) => !finished.includes(name));
    isOver = next === undefined;
    if (next === undefined) return;
    const { changes } = await engine.run(CompiledQuery.raw(next.statement(engine.dialect)));
    if (changes === 0) await change(finish({ seen, next: JSON.stringify([...finished, next.name]) }));
  }

  return async (now) => {
    if (isOver) return false;
    const holder = crypto.randomUUID();
    if (!(await leases.acquire(LEASE, holder, now, now + LEASE_SECONDS))) return false;
    try {
      await runPortion();
      return !isOver;
    } finally {
      await leases.release(LEASE, holder);
    }
  };
}
