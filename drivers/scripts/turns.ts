// Lets a bounded number of holders work at once. The others wait in the order in which they came.
import { MAX_OVERDUE } from './limits.ts';

export interface Turns {
  /** Resolves with false when the signal aborts first. */
  take: (signal: AbortSignal) => Promise<boolean>;
  give: () => void;
  /** Gives the turn of a holder that goes on all the same. False when too many do so. */
  pass: () => boolean;
  /** Says that such a holder stands still now. */
  cease: () => void;
  waiting: () => number;
}

/** `onWaiting` is told how many wait, whenever that changes. */
export function createTurns(places: number, onWaiting: (count: number) => void = () => {}): Turns {
  let free = places;
  let overdue = 0;
  const queue = new Set<() => void>();

  function give(): void {
    const [next] = queue;
    if (next === undefined) free++;
    else next();
  }

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
    give,
    pass() {
      if (overdue >= MAX_OVERDUE) return false;
      overdue++;
      give();
      return true;
    },
    cease() {
      overdue--;
    },
    waiting: () => queue.size,
  };
}
