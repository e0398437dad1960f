// The jots of the store, and a glance at one for those who read.
import type { Ports } from '../ports/ports.ts';
import { createSharePerTick } from '../memory/share-per-tick.ts';
import type { Jot } from '../ports/records.ts';
import type { Jots as StoredJots } from '../ports/store.ts';

export interface Rows extends StoredJots {
  glance(name: string): Promise<Jot | null>;
}

export function createRows({ clock, store }: Pick<Ports, 'clock' | 'store'>): Rows {
  const { read, forget } = createSharePerTick(clock, (name) => store.jots.get(name));

  return {
    ...store.jots,
    put: (jot, version) => store.jots.put(jot, version).finally(forget),
    delete: (name, userId) => store.jots.delete(name, userId).finally(forget),
    glance: read,
  };
}
