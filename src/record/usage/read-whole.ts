// Reads counts together with the calls that no round has counted yet. reference: Usage
import { USAGE_TAIL } from '../model/limits.ts';
import type { Usage, UsageRow } from '../../ports/usage.ts';

/** How often a read begins again because a round has counted meanwhile. */
const MAX_READS = 4;

interface Whole<T> {
  found: T;
  rows: UsageRow[];
  /** Whether there are more rows than an answer counts itself. */
  isBehind: boolean;
}

/** Reads until no round has counted in between: a row is then either counted or among the newest rows. */
export async function readWhole<T>(
  usage: Pick<Usage, 'counted' | 'newest'>,
  userId: string,
  readCounts: () => Promise<T>,
): Promise<Whole<T>> {
  for (let read = 1; ; read++) {
    const counted = await usage.counted();
    const found = await readCounts();
    const rows = await usage.newest(userId, counted, USAGE_TAIL + 1);
    if (read < MAX_READS && (await usage.counted()) !== counted) continue;
    return { found, rows: rows.slice(0, USAGE_TAIL), isBehind: rows.length > USAGE_TAIL };
  }
}
