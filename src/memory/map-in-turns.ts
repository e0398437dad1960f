// Works through a long list, and gives other requests a turn in between.
import type { Clock } from '../ports/clock.ts';
import { ITEMS_PER_TURN } from './limits.ts';

export async function mapInTurns<T, R>(
  clock: Pick<Clock, 'turn'>,
  items: readonly T[],
  use: (item: T) => R,
): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    if (results.length % ITEMS_PER_TURN === ITEMS_PER_TURN - 1) await clock.turn();
    results.push(use(item));
  }
  return results;
}
