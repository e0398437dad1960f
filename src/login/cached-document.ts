// Caches a document of a provider: fetched when needed, kept while fresh. A failure is never cached. decision: 016
import type { Clock } from '../ports/clock.ts';

const FRESH_SECONDS = 3_600;
const MIN_RENEWAL_SECONDS = 30;

export interface CachedDocument<T> {
  get(): Promise<T>;
  /**
   * Call this when the cached document has proved too old. It is fetched again, unless that happened a moment
   * ago.
   */
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
