// Reads and writes the jots of the store. Readers of the same jot share one query.
import type { Ports } from '../../ports/ports.ts';
import { createSharePerTick } from '../../memory/share-per-tick.ts';
import type { Jot } from '../../ports/records.ts';

type StoredJots = Ports['store']['jots'];

export interface JotRecords extends StoredJots {
  /** Shares the query with other readers of the same moment. */
  getShared(name: string): Promise<Jot | null>;
}

export function createJotRecords({ clock, store }: Pick<Ports, 'clock' | 'store'>): JotRecords {
  const { read, forget } = createSharePerTick(clock, (name) => store.jots.get(name));

  return {
    ...store.jots,
    put: (jot, version, leftover) => store.jots.put(jot, version, leftover).finally(forget),
    delete: (name, userId, leftover) => store.jots.delete(name, userId, leftover).finally(forget),
    getShared: read,
  };
}
