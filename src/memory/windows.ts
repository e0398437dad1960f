// Keeps a window of time with a count for each key, and bounds their memory: callers choose the keys.
import type { Clock } from '../ports/clock.ts';

const MAX_KEYS = 10_000;

export interface Window {
  /** Monotonic milliseconds. */
  ends: number;
  count: number;
}

export interface Windows {
  /** Returns the window of a key; a new one begins when there is none or it has ended. */
  find(key: string): Window;
  /** Whole seconds until the window ends, at least 1. */
  secondsLeft(window: Window): number;
}

export function createWindows(clock: Clock, seconds: number): Windows {
  const windows = new Map<string, Window>();

  return {
    find(key) {
      const now = clock.millis();
      const current = windows.get(key);
      if (current !== undefined && current.ends > now) return current;
      // A map keeps the order of insertion, so the windows that end first come first.
      windows.delete(key);
      for (const [oldest, { ends }] of windows) {
        if (ends > now && windows.size < MAX_KEYS) break;
        windows.delete(oldest);
      }
      const fresh = { ends: now + seconds * 1000, count: 0 };
      windows.set(key, fresh);
      return fresh;
    },
    secondsLeft: ({ ends }) => Math.max(1, Math.ceil((ends - clock.millis()) / 1000)),
  };
}
