// Limits the wrong passwords per minute and key.
import { JOT_UNLOCK_TRIES, JOT_UNLOCK_WINDOW_SECONDS } from '../model/limits.ts';
import { createWindows } from '../../memory/windows.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SharedCounts } from '../../ports/shared-counts.ts';

export type CountedAttempt = { allowed: true; forgive(): void } | { allowed: false; retryAfter: number };

export interface FailedUnlocks {
  /** Counts an attempt as wrong unless it is forgiven. */
  begin(key: string): CountedAttempt;
}

export function createFailedUnlocks(needs: {
  clock: Clock;
  sharedCounts?: SharedCounts | undefined;
}): FailedUnlocks {
  const windows = createWindows(needs, 'jot passwords', JOT_UNLOCK_WINDOW_SECONDS);

  return {
    begin(key) {
      if (windows.count(key) >= JOT_UNLOCK_TRIES)
        return { allowed: false, retryAfter: windows.secondsLeft(key) };
      windows.add(key, 1);
      return { allowed: true, forgive: () => void windows.add(key, -1) };
    },
  };
}
