// Runs a task for every item, a few at a time, and returns the results in the order of the items. reference: Execution rules
import { BATCH_BYTES } from '../memory/limits.ts';
import { POOL_SIZE } from './limits.ts';
import type { Caller } from '../kit/integration.ts';
import type { Lease } from '../memory/budget.ts';
import { ALONE, createReadingOrder, type Place } from './reading-order.ts';

export const TOO_MUCH =
  'The results before this one fill the memory that one batch may use, so it was not run. Run it in another batch';

/** REST holds a result as a value, as text and as bytes, until it is sent. MCP writes it in pieces and holds less. */
const COPIES = 3;

/** When the results exceed what a batch may take, `refuse` answers the remaining items and their tasks do not run. */
export async function inPool<T, R, C extends Caller>(
  caller: C,
  items: readonly T[],
  task: (taskCaller: C, item: T, place: Place) => Promise<R>,
  refuse: (item: T) => R,
): Promise<R[]> {
  const [only] = items;
  if (only !== undefined && items.length === 1) return [await task(caller, only, ALONE)];
  const nextPlace = createReadingOrder();
  const limit = caller.lease?.batchBytes ?? BATCH_BYTES;
  let held = 0;
  // Each task reads on a lease of its own. When the task is over, only its result stays charged to the caller's.
  const run = async ([item, place]: readonly [T, Place]): Promise<R> => {
    const lease = caller.lease?.child();
    try {
      await waitForSpace(lease, caller.signal);
      const result = await task({ ...caller, lease }, item, place);
      const weight = weightOf(result);
      held += weight;
      caller.lease?.charge(weight * COPIES);
      return result;
    } finally {
      // One that never came so far reads nothing.
      place.tell(null);
      lease?.close();
    }
  };
  const placed = items.map((item) => [item, nextPlace()] as const);
  if (items.length <= POOL_SIZE) return Promise.all(placed.map(run));
  const results: R[] = [];
  const queue = placed.entries();
  const worker = async (): Promise<void> => {
    for (const [index, next] of queue) {
      results[index] = held > limit ? refuse(next[0]) : await run(next);
    }
  };
  await Promise.all(Array.from({ length: POOL_SIZE }, worker));
  return results;
}

/** A cancelled caller waits no longer. Its tasks still begin, and each ends as cancelled and has its audit row. */
async function waitForSpace(lease: Lease | undefined, signal: AbortSignal | undefined): Promise<void> {
  try {
    await lease?.waitForSpace(signal);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
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
