// Shares one read of the store among all callers that ask within the same turn of the event loop.
import type { Clock } from '../ports/clock.ts';

export interface SharePerTick<T> {
  /** An answer is never older than the turn of the event loop in which the caller asked. */
  read: (key: string) => Promise<T>;
  /** Writers call `forget`, so that the next read sees the write. */
  forget: () => void;
}

export function createSharePerTick<T>(clock: Clock, load: (key: string) => Promise<T>): SharePerTick<T> {
  let shared = new Map<string, Promise<T>>();
  const forget = () => {
    shared = new Map();
  };

  return {
    forget,
    read(key) {
      const known = shared.get(key);
      if (known !== undefined) return known;
      const loading = load(key);
      if (shared.size === 0) void clock.turn().then(forget);
      shared.set(key, loading);
      return loading;
    },
  };
}
