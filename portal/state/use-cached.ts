// Shows components what the cache has.
import { useLayoutEffect, useState } from 'preact/hooks';
import { cached, whenCacheChanges } from './cache.ts';

/** Returns the value of the key, and renders the component again when the value changes. */
export function useCached(key: string): unknown {
  const [, setLooks] = useState(0);
  useLayoutEffect(() => whenCacheChanges(key, () => setLooks((count) => count + 1)), [key]);
  return cached(key);
}
