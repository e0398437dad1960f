// Keeps long work in the background from taking a process away from its requests. decision: 013
import type { Clock } from '../ports/clock.ts';

/** The work takes a tenth of the time. */
const PAUSE_FACTOR = 9;
/** A longer pause would leave the work behind on a busy gateway, where a portion also waits for its turn. */
const MAX_PAUSE_MS = 250;

export interface Pace {
  /** Whether the time of the work is not over. */
  hasTime: () => boolean;
  /** Waits nine times as long as the work took since the last pause, but not longer than MAX_PAUSE_MS. */
  pause: () => Promise<void>;
}

export function createPace(clock: Clock, milliseconds: number, stop?: AbortSignal): Pace {
  const began = clock.millis();
  let resumed = began;
  return {
    hasTime: () => stop?.aborted !== true && clock.millis() - began < milliseconds,
    async pause() {
      const worked = clock.millis() - resumed;
      await clock.sleep(Math.min(worked * PAUSE_FACTOR, MAX_PAUSE_MS), stop);
      resumed = clock.millis();
    },
  };
}
