// Keeps a window of time with a count for each key, and bounds their memory: callers choose the keys.
import type { Clock } from '../ports/clock.ts';
import type { SharedCounts } from '../ports/shared-counts.ts';

const MAX_KEYS = 10_000;

interface Window {
  /** Monotonic milliseconds. */
  ends: number;
  count: number;
}

export interface Windows {
  count(key: string): number;
  /** Returns the new count, which is never below 0. */
  add(key: string, change: 1 | -1): number;
  /** Whole seconds until the window of the key ends, at least 1. */
  secondsLeft(key: string): number;
}

interface Needs {
  clock: Clock;
  /** Absent where this process counts alone. */
  sharedCounts?: SharedCounts | undefined;
}

/** The processes of a gateway share the counts of windows with the same name. */
export function createWindows({ clock, sharedCounts }: Needs, name: string, seconds: number): Windows {
  const windows = new Map<string, Window>();
  sharedCounts?.hear(name, change);

  /** Returns the window of a key. Begins a new one if the key has none or its window has ended. */
  function find(key: string): Window {
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
  }

  function change(key: string, by: number): number {
    const window = find(key);
    window.count = Math.max(0, window.count + by);
    return window.count;
  }

  return {
    count: (key) => find(key).count,
    add(key, by) {
      sharedCounts?.tell(name, key, by);
      return change(key, by);
    },
    secondsLeft: (key) => Math.max(1, Math.ceil((find(key).ends - clock.millis()) / 1000)),
  };
}
