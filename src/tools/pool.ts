// Runs a task for every item, a few at a time, results in the order of the items. spec: Execution rules, 4
import { POOL_SIZE } from '../limits.ts';

export async function inPool<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  if (items.length <= POOL_SIZE) return Promise.all(items.map(task));
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: POOL_SIZE }, worker));
  return results;
}
