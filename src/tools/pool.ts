// Runs a task for every item, a few at a time, and returns the results in the order of the items. spec: Execution rules, 4
import { BATCH_BYTES, POOL_SIZE } from '../config/limits.ts';
import type { Hold } from '../memory/budget.ts';

export const TOO_MUCH = `The results before this one take ${BATCH_BYTES / 1024 ** 2} MiB already, and it was not run: ask for it in another batch`;

/** When the results exceed BATCH_BYTES, `refuse` answers the remaining items and their tasks do not run. */
export async function inPool<T, R>(
  items: readonly T[],
  task: (item: T, hold?: Hold) => Promise<R>,
  refuse: (item: T) => R,
  hold?: Hold,
): Promise<R[]> {
  const [only] = items;
  if (only !== undefined && items.length === 1) return [await task(only, hold)];
  let held = 0;
  // Each task reads on a share of its own, which closes with the task. Only its result stays charged.
  const run = async (item: T): Promise<R> => {
    const reading = hold?.part();
    try {
      const result = await task(item, reading);
      const weight = weightOf(result);
      held += weight;
      hold?.take(weight);
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

/** Estimates the memory that a value takes. Many small values take more than their text. */
function weightOf(value: unknown): number {
  if (typeof value === 'string') return NODE_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return NODE_BYTES;
  let weight = NODE_BYTES;
  for (const each of Object.values(value)) weight += weightOf(each);
  return weight;
}
