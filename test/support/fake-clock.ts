// A clock that moves only when a test advances it.
import type { Clock } from '../../src/ports/clock.ts';

export interface FakeClock extends Clock {
  advance(seconds: number): void;
  /** Changes the time of day only, as an administrator would: measured durations stay the same. */
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
