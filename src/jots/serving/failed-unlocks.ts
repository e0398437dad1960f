// Limits the wrong passwords per minute and key in this process.
import { JOT_UNLOCK_TRIES, JOT_UNLOCK_WINDOW_SECONDS } from '../../config/limits.ts';
import type { Clock } from '../../ports/clock.ts';

/** Bounds the memory: callers choose the keys. */
const MAX_KEYS = 10_000;

export type CountedAttempt = { allowed: true; forgive(): void } | { allowed: false; retryAfter: number };

export interface FailedUnlocks {
  /** Counts an attempt as wrong unless it is forgiven. */
  begin(key: string): CountedAttempt;
}

export function createFailedUnlocks(clock: Clock): FailedUnlocks {
  const windows = new Map<string, { ends: number; count: number }>();

  function findWindow(key: string, now: number) {
    const current = windows.get(key);
    if (current !== undefined && current.ends > now) return current;
    // A map keeps the order of insertion, so the windows that end first come first.
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
      const window = findWindow(key, now);
      if (window.count >= JOT_UNLOCK_TRIES)
        return { allowed: false, retryAfter: Math.ceil((window.ends - now) / 1000) };
      window.count++;
      return { allowed: true, forgive: () => void window.count-- };
    },
  };
}
