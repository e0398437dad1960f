// Shares one read of the store among all callers that ask within the same turn of the event loop.
import type { Clock } from '../ports/clock.ts';

export interface SharePerTick<T, Context extends unknown[] = []> {
  /**
   * An answer is never older than the turn of the event loop in which the caller asked. What is given beside the key has to
   * be the same for the same key.
   */
  read: (key: string, ...context: Context) => Promise<T>;
  /** Writers call `forget`, so that the next read sees the write. */
  forget: () => void;
}

export function createSharePerTick<T, Context extends unknown[] = []>(
  clock: Clock,
  load: (key: string, ...context: Context) => Promise<T>,
): SharePerTick<T, Context> {
  let shared = new Map<string, Promise<T>>();
  const forget = () => {
    shared = new Map();
  };

  return {
    forget,
    read(key, ...context) {
      const known = shared.get(key);
      if (known !== undefined) return known;
      const loading = load(key, ...context);
      if (shared.size === 0) void clock.turn().then(forget);
      shared.set(key, loading);
      return loading;
    },
  };
}
