// Counts the calls for the actors of service keys, also those that no round has counted yet. reference: Service keys
import { serviceKeyIdOf } from '../../kit/actor.ts';
import type { Ports } from '../../ports/ports.ts';
import { EVERYONE } from '../../ports/store.ts';
import { causeOf } from './causes.ts';
import { DAY_SECONDS, floorTo, groupOf, HOUR_SECONDS, isCall } from './count.ts';
import { readWhole } from './read-whole.ts';

export interface CallsOfProducts {
  /** The calls of each service key: since the beginning of the day that was so many days ago, and all that are kept. */
  ofKeys(days: number): Promise<(keyId: string) => { recent: number; all: number }>;
  /** The calls for an actor in so many days, by integration and cause. */
  ofActor(userId: string, days: number): Promise<{ integration: string; cause: string; calls: number }[]>;
}

export function createCallsOfProducts({
  clock,
  store: { usage },
}: Pick<Ports, 'clock' | 'store'>): CallsOfProducts {
  return {
    async ofKeys(days) {
      const from = floorTo(clock.now(), DAY_SECONDS) - (days - 1) * DAY_SECONDS;
      const { found, rows } = await readWhole(usage, EVERYONE, () => usage.ofServiceKeys(from));
      const counts = new Map(found.map(({ key, ...count }) => [key, count]));
      for (const row of rows.filter(isCall)) {
        const key = serviceKeyIdOf({ id: row.actor ?? '' });
        if (key === null) continue;
        const { recent, all } = counts.get(key) ?? { recent: 0, all: 0 };
        counts.set(key, { recent: row.created_at >= from ? recent + 1 : recent, all: all + 1 });
      }
      return (keyId) => counts.get(keyId) ?? { recent: 0, all: 0 };
    },

    async ofActor(userId, days) {
      // Counted hours begin at full hours.
      const from = floorTo(clock.now() - days * DAY_SECONDS, HOUR_SECONDS);
      const { found, rows } = await readWhole(usage, userId, () => usage.sums({ user_id: userId, from }));
      const late = rows
        .filter((row) => isCall(row) && row.created_at >= from)
        .map((row) => ({ ...groupOf(userId, row), cause: causeOf(row), calls: 1 }));
      return [...found, ...late];
    },
  };
}
