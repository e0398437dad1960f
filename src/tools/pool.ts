// Runs a task for every item, a few at a time, results in the order of the items. spec: Execution rules, 4
import { BATCH_BYTES, POOL_SIZE } from '../config/limits.ts';
import type { Lease } from '../memory/budget.ts';

export const TOO_MUCH = `The results before this one take ${BATCH_BYTES / 1024 ** 2} MiB already, and it was not run: ask for it in another batch`;

/** Once the results are too much to hold, the items that are left are answered by `refuse` without having run. */
export async function inPool<T, R>(
  items: readonly T[],
  task: (item: T, lease?: Lease) => Promise<R>,
  refuse: (item: T) => R,
  lease?: Lease,
): Promise<R[]> {
  const [only] = items;
  if (only !== undefined && items.length === 1) return [await task(only, lease)];
  let held = 0;
  // Of what was read for a result the result alone is kept.
  const run = async (item: T): Promise<R> => {
    const reading = lease?.child();
    try {
      const result = await task(item, reading);
      const weight = weightOf(result);
      held += weight;
      lease?.charge(weight);
      return result;
    } finally {
      reading?.close();
    }
  };
  if (items.length <= POOL_SIZE) return Promise.all(items.map(run));
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) {
      results[index] = held > BATCH_BYTES ? refuse(item) : await run(item);
    }
  };
  await Promise.all(Array.from({ length: POOL_SIZE }, worker));
  return results;
}

const NODE_BYTES = 32;

/** About what a value takes in memory: many small things take more than their text. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return NODE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return NODE_BYTES;
  let weight = NODE_BYTES;
  for (const each of Object.values(value)) weight += weightOf(each);
  return weight;
}
