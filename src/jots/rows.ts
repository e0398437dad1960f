// The jots of the store, and a glance at one for those who read: all that ask in one turn of the event loop share a look.
// No answer is older than the turn its request came in, and a write of this process is seen at once.
import type { Deps } from '../deps.ts';
import type { Jot } from '../ports/records.ts';
import type { Jots as StoredJots } from '../ports/store.ts';

export interface Rows extends StoredJots {
  glance(name: string): Promise<Jot | null>;
}

export function createRows({ clock, store }: Pick<Deps, 'clock' | 'store'>): Rows {
  let seen = new Map<string, Promise<Jot | null>>();
  const forget = () => {
    seen = new Map();
  };

  async function written<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } finally {
      forget();
    }
  }

  return {
    ...store.jots,
    put: (jot, version) => written(store.jots.put(jot, version)),
    delete: (name, userId) => written(store.jots.delete(name, userId)),
    glance(name) {
      const standing = seen.get(name);
      if (standing !== undefined) return standing;
      const look = store.jots.get(name);
      if (seen.size === 0) void clock.turn().then(forget);
      seen.set(name, look);
      return look;
    },
  };
}
