// What this person has seen and typed since the portal was opened, so that going back finds it.
import { useLayoutEffect, useState } from 'preact/hooks';

const kept = new Map<string, unknown>();
const changes = new EventTarget();

export function keep(key: string, value: unknown): void {
  kept.set(key, value);
  changes.dispatchEvent(new Event(key));
}

/** What lies under the key, for the first that asks. */
export function take(key: string): unknown {
  const value = kept.get(key);
  kept.delete(key);
  return value;
}

export function clearCache(): void {
  kept.clear();
}

/** What lies under the key, now and whenever it changes, whoever changes it. */
export function useCached(key: string): unknown {
  const [, setLooks] = useState(0);
  useLayoutEffect(() => {
    const look = () => setLooks((count) => count + 1);
    changes.addEventListener(key, look);
    return () => changes.removeEventListener(key, look);
  }, [key]);
  return kept.get(key);
}
