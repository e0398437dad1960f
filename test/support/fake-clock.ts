// A clock that stands still until a test moves it.
import type { Clock } from '../../src/ports/clock.ts';

export interface FakeClock extends Clock {
  advance(seconds: number): void;
  /** As when somebody sets the time of day: nothing has taken longer for it. */
  setForward(seconds: number): void;
}

export function createFakeClock(start = 1_800_000_000): FakeClock {
  let millis = start * 1000;
  let ahead = 0;
  return {
    now: () => Math.floor(millis / 1000) + ahead,
    millis: () => millis,
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    async sleep(milliseconds, signal) {
      if (!signal?.aborted) millis += milliseconds;
    },
    advance(seconds) {
      millis += seconds * 1000;
    },
    setForward(seconds) {
      ahead += seconds;
    },
  };
}
