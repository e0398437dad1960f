// Lets a few tasks run at a time; the others wait their turn in order.
export type Gate = <T>(task: () => Promise<T>) => Promise<T>;

export function createGate(atOnce: number): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function enter(task) {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
