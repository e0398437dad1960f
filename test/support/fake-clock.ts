// A clock that moves only when a test advances it.
import { CALL_DETAILS_WRITE_MS } from '../../src/record/model/limits.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import type { Clock } from '../../src/ports/clock.ts';

export interface FakeClock extends Clock {
  advance(seconds: number): void;
  /** Changes the time of day only, as an administrator would: measured durations stay the same. */
  setForward(seconds: number): void;
}

export function createFakeClock(start = 1_800_000_000): FakeClock {
  let millis = start * 1000;
  let ahead = 0;
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
  return {
    now: () => Math.floor(millis / 1000) + ahead,
    millis: () => millis,
    turn,
    async sleep(milliseconds, signal) {
      // Every call makes the gateway wait for this in the background. It must not move the time of the test.
      if (milliseconds === CALL_DETAILS_WRITE_MS) return;
      if (milliseconds === 0) return turn();
      if (!signal?.aborted) millis += milliseconds;
    },
    // Nothing that a test waits for has a time limit of this clock.
    later: createSystemClock().later,
    advance(seconds) {
      millis += seconds * 1000;
    },
    setForward(seconds) {
      ahead += seconds;
    },
  };
}
