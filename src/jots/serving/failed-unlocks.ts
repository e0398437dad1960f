// A few wrong tries a minute for each key, in this process.
import { JOT_UNLOCK_TRIES, JOT_UNLOCK_WINDOW_SECONDS } from '../../config/limits.ts';
import type { Clock } from '../../ports/clock.ts';

const KEYS_AT_MOST = 10_000;

export type Try = { allowed: true; forgive(): void } | { allowed: false; retryAfter: number };

export interface Tries {
  /** Counts as wrong unless it is forgiven. */
  begin(key: string): Try;
}

export function createTries(clock: Clock): Tries {
  const windows = new Map<string, { ends: number; count: number }>();

  function windowOf(key: string, now: number) {
    const standing = windows.get(key);
    if (standing !== undefined && standing.ends > now) return standing;
    // Insertion order is order of expiry: the oldest are first.
    windows.delete(key);
    for (const [oldest, { ends }] of windows) {
      if (ends > now && windows.size < KEYS_AT_MOST) break;
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
