// Lets a bounded number of holders work at once. The others wait in the order in which they came.

export interface Turns {
  /** Resolves with false when the signal aborts first. */
  take: (signal: AbortSignal) => Promise<boolean>;
  give: () => void;
  waiting: () => number;
}

/** `onWaiting` is told how many wait, whenever that changes. */
export function createTurns(places: number, onWaiting: (count: number) => void = () => {}): Turns {
  let free = places;
  const queue = new Set<() => void>();

  return {
    take(signal) {
      if (signal.aborted) return Promise.resolve(false);
      if (free > 0) {
        free--;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const leave = (): void => {
          queue.delete(enter);
          onWaiting(queue.size);
          resolve(false);
        };
        const enter = (): void => {
          queue.delete(enter);
          signal.removeEventListener('abort', leave);
          onWaiting(queue.size);
          resolve(true);
        };
        signal.addEventListener('abort', leave, { once: true });
        queue.add(enter);
        onWaiting(queue.size);
      });
    },
    give() {
      const [next] = queue;
      if (next === undefined) free++;
      else next();
    },
    waiting: () => queue.size,
  };
}
