// Limits how many tasks run at the same time; the other tasks wait in the order they came.

/** Too many tasks wait already. Callers read the message and get 503. */
export class TooBusy extends Error {
  override readonly name = 'TooBusy';
}

export type Semaphore = <T>(task: () => Promise<T>) => Promise<T>;

/** `refuseBeyond` bounds how many tasks wait; the next one throws `TooBusy`. */
export function createSemaphore(
  maxRunning: number,
  refuseBeyond: { maxWaiting: number; message: string } | null = null,
): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function run(task) {
    if (refuseBeyond !== null && waiting.length >= refuseBeyond.maxWaiting)
      throw new TooBusy(refuseBeyond.message);
    if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // A task that ends hands its place to the next task, so `running` stays the same.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
