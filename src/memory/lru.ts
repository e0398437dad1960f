// What was used last, up to a budget; the least recently used goes first.
export interface Lru<V> {
  get(key: string): V | undefined;
  /** A value dearer than the whole budget is not kept. */
  set(key: string, value: V, cost: number): void;
}

export function createLru<V>(budget: number): Lru<V> {
  // A Map keeps the order of insertion: the first is the one that was not used for longest.
  const entries = new Map<string, { value: V; cost: number }>();
  let spent = 0;
  let newest: string | undefined;

  function drop(key: string): void {
    spent -= entries.get(key)?.cost ?? 0;
    entries.delete(key);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (key !== newest) {
        entries.delete(key);
        entries.set(key, entry);
        newest = key;
      }
      return entry.value;
    },
    set(key, value, cost) {
      drop(key);
      if (cost > budget) return;
      entries.set(key, { value, cost });
      newest = key;
      spent += cost;
      for (const oldest of entries.keys()) {
        if (spent <= budget) break;
        drop(oldest);
      }
    },
  };
}
