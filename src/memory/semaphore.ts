// Limits how many tasks run at the same time; the other tasks wait in the order they came.
export type Semaphore = <T>(task: () => Promise<T>) => Promise<T>;

export function createSemaphore(maxRunning: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function run(task) {
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
