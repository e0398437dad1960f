// What this person has seen and typed since the portal was opened, so that going back finds it.
import { useLayoutEffect, useState } from 'preact/hooks';

const kept = new Map<string, unknown>();
const changes = new EventTarget();

/** When what lies under each key was asked for, as a count of everything that ever was. */
const since = new Map<string, number>();
let asked = 0;
let generation = 0;

export function keep(key: string, value: unknown): void {
  put(key, value, (asked += 1));
}

/** For an answer that is asked for now: what is newer stays, and so does an emptied cache. */
export function keepLater(key: string): (value: unknown) => void {
  const when = (asked += 1);
  return forThisPerson((value: unknown) => {
    if (when > (since.get(key) ?? 0)) put(key, value, when);
  });
}

/** Does nothing any more once the cache was cleared: by then it is somebody else's. */
export function forThisPerson<T>(work: (value: T) => void): (value: T) => void {
  const mine = generation;
  return (value) => {
    if (mine === generation) work(value);
  };
}

function put(key: string, value: unknown, when: number): void {
  kept.set(key, value);
  since.set(key, when);
  changes.dispatchEvent(new Event(key));
}

/** Changes what lies under the key, where anything does. */
export function rekeep(key: string, change: (value: unknown) => unknown): void {
  if (kept.has(key)) keep(key, change(kept.get(key)));
}

/** What lies under the key, for the first that asks. */
export function take(key: string): unknown {
  const value = kept.get(key);
  kept.delete(key);
  return value;
}

export function clearCache(): void {
  kept.clear();
  since.clear();
  generation += 1;
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
