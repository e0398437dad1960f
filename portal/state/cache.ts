// Caches what this person loaded and typed, so that a page they return to shows it at once.
const values = new Map<string, unknown>();
const changes = new EventTarget();

/** The number of the request that each value came from. A higher number is a newer request. */
const requestOf = new Map<string, number>();
let requests = 0;
let generation = 0;

export function keep(key: string, value: unknown): void {
  put(key, value, (requests += 1));
}

/** Stores the response of a request that starts now, unless a newer value is there or the cache was cleared. */
export function keepLater(key: string): (value: unknown) => void {
  const number = (requests += 1);
  return forThisPerson((value: unknown) => {
    if (number > (requestOf.get(key) ?? 0)) put(key, value, number);
  });
}

/** Wraps a function that does nothing once the cache was cleared, because another person may be signed in by then. */
export function forThisPerson<T>(work: (value: T) => void): (value: T) => void {
  const mine = generation;
  return (value) => {
    if (mine === generation) work(value);
  };
}

function put(key: string, value: unknown, number: number): void {
  values.set(key, value);
  requestOf.set(key, number);
  changes.dispatchEvent(new Event(key));
}

/** Changes the value of the key, if there is a value. */
export function changeKept(key: string, change: (value: unknown) => unknown): void {
  if (values.has(key)) keep(key, change(values.get(key)));
}

/** Returns the value of the key and removes it. */
export function take(key: string): unknown {
  const value = values.get(key);
  values.delete(key);
  return value;
}

export function clearCache(): void {
  values.clear();
  requestOf.clear();
  generation += 1;
}

export function cached(key: string): unknown {
  return values.get(key);
}

/** Calls back when the value of the key changes. Returns a function that stops listening. */
export function whenCacheChanges(key: string, callback: () => void): () => void {
  changes.addEventListener(key, callback);
  return () => changes.removeEventListener(key, callback);
}
