// Limits the wrong passwords per minute and key in this process.
import { JOT_UNLOCK_TRIES, JOT_UNLOCK_WINDOW_SECONDS } from '../../config/limits.ts';
import { createWindows } from '../../memory/windows.ts';
import type { Clock } from '../../ports/clock.ts';

export type CountedAttempt = { allowed: true; forgive(): void } | { allowed: false; retryAfter: number };

export interface FailedUnlocks {
  /** Counts an attempt as wrong unless it is forgiven. */
  begin(key: string): CountedAttempt;
}

export function createFailedUnlocks(clock: Clock): FailedUnlocks {
  const windows = createWindows(clock, JOT_UNLOCK_WINDOW_SECONDS);

  return {
    begin(key) {
      const window = windows.find(key);
      if (window.count >= JOT_UNLOCK_TRIES)
        return { allowed: false, retryAfter: windows.secondsLeft(window) };
      window.count++;
      return { allowed: true, forgive: () => void window.count-- };
    },
  };
}
