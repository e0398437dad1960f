// A few wrong tries a minute for each key, in this process.
import { JOT_UNLOCK_TRIES, JOT_UNLOCK_WINDOW_SECONDS } from '../../config/limits.ts';
import type { Clock } from '../../ports/clock.ts';

const MAX_KEYS = 10_000;

export type UnlockAttempt = { allowed: true; forgive(): void } | { allowed: false; retryAfter: number };

export interface FailedUnlocks {
  /** Counts as wrong unless it is forgiven. */
  begin(key: string): UnlockAttempt;
}

export function createFailedUnlocks(clock: Clock): FailedUnlocks {
  const windows = new Map<string, { ends: number; count: number }>();

  function windowOf(key: string, now: number) {
    const standing = windows.get(key);
    if (standing !== undefined && standing.ends > now) return standing;
    // Insertion request is request of expiry: the oldest are first.
    windows.delete(key);
    for (const [oldest, { ends }] of windows) {
      if (ends > now && windows.size < MAX_KEYS) break;
      windows.delete(oldest);
    }
    const fresh = { ends: now + JOT_UNLOCK_WINDOW_SECONDS * 1000, count: 0 };
    windows.set(key, fresh);
    return fresh;
  }

  return {
    begin(key) {
      const now = clock.millis();
      const window = windowOf(key, now);
      if (window.count >= JOT_UNLOCK_TRIES)
        return { allowed: false, retryAfter: Math.ceil((window.ends - now) / 1000) };
      window.count++;
      return { allowed: true, forgive: () => void window.count-- };
    },
  };
}
