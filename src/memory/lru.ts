// A cache with a budget: when the budget is spent, the least recently used entries are dropped.
export interface Lru<V> {
  get(key: string): V | undefined;
  /** Does not keep a value that costs more than the whole budget. */
  set(key: string, value: V, cost: number): void;
  delete(key: string): void;
}

export function createLru<V>(budget: number): Lru<V> {
  // A Map keeps the order of insertion, so the first entry is the least recently used one.
  const entries = new Map<string, { value: V; cost: number }>();
  let spent = 0;
  let newest: string | undefined;

  function drop(key: string): void {
    spent -= entries.get(key)?.cost ?? 0;
    entries.delete(key);
  }

  return {
    delete: drop,
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
