// The jots of the store, and a glance at one for those who read.
import type { Ports } from '../ports/ports.ts';
import { createGlance } from '../memory/share-per-tick.ts';
import type { Jot } from '../ports/records.ts';
import type { Jots as StoredJots } from '../ports/store.ts';

export interface JotRecords extends StoredJots {
  glance(name: string): Promise<Jot | null>;
}

export function createJotRecords({ clock, store }: Pick<Ports, 'clock' | 'store'>): JotRecords {
  const { at, forget } = createGlance(clock, (name) => store.jots.get(name));

  return {
    ...store.jots,
    put: (jot, version) => store.jots.put(jot, version).finally(forget),
    delete: (name, userId) => store.jots.delete(name, userId).finally(forget),
    glance: at,
  };
}
