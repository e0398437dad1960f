// A document of a provider: fetched when it is needed, kept while it is fresh. A failure is never kept. design: O9
import type { Clock } from '../ports/clock.ts';

const FRESH_SECONDS = 3_600;
const MIN_RENEWAL_SECONDS = 30;

export interface CachedDocument<T> {
  get(): Promise<T>;
  /** For when what is kept has proved too old: fetched again, unless that was done a moment ago. */
  renew(): Promise<T>;
}

export function cacheDocument<T>(clock: Pick<Clock, 'millis'>, ask: () => Promise<T>): CachedDocument<T> {
  let kept: { value: T; at: number } | null = null;
  let fetching: Promise<T> | null = null;

  async function load(): Promise<T> {
    try {
      const value = await ask();
      kept = { value, at: clock.millis() };
      return value;
    } finally {
      fetching = null;
    }
  }

  function notOlderThan(seconds: number): Promise<T> {
    if (kept !== null && clock.millis() - kept.at < seconds * 1000) return Promise.resolve(kept.value);
    return (fetching ??= load());
  }

  return {
    get: () => notOlderThan(FRESH_SECONDS),
    renew: () => notOlderThan(MIN_RENEWAL_SECONDS),
  };
}
