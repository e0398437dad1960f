// Counts audit rows in the maintenance round: a portion at a time, each row once. reference: Usage; decision: 040
import {
  USAGE_DAY_SECONDS,
  USAGE_HOUR_SECONDS,
  USAGE_LEASE_SECONDS,
  USAGE_PORTION,
  USAGE_ROUND_MS,
} from '../model/limits.ts';
import { createPace } from '../../memory/pace.ts';
import { withLease } from '../../memory/with-lease.ts';
import type { Ports } from '../../ports/ports.ts';
import { EVERYONE } from '../../ports/store.ts';
import type { UsageCount, UsageGroup, UsagePlace } from '../../ports/usage.ts';
import { countRows, createCounts, MAX_GROUPS, OTHER } from './count.ts';

export interface RollUsage {
  /** Counts what has been written since the last round. A full database takes several rounds. */
  round(stop?: AbortSignal): Promise<void>;
}

const LEASE = 'usage';
/** All people together have more integrations and clients than one person. */
const EVERYONES_FACTOR = 4;

type Needs = Pick<Ports, 'clock' | 'random' | 'store'>;

export function createRollUsage(deps: Needs): RollUsage {
  const { clock, store } = deps;
  const { usage } = store;

  const oldest = () => ({
    hours: clock.now() - USAGE_HOUR_SECONDS,
    days: clock.now() - USAGE_DAY_SECONDS,
  });

  /** Returns whether more rows may be left. */
  async function countPortion(to: number): Promise<boolean> {
    const seen = await usage.counted();
    const rows = await usage.rows(seen, to, USAGE_PORTION);
    const last = rows.at(-1);
    if (last === undefined) return false;
    const counts = await boundGroups(countRows(rows, oldest()));
    return (await usage.add(seen, last.id, counts)) && rows.length === USAGE_PORTION;
  }

  /** Callers choose the paths of raw requests, and people the tools that they add. What is too much is counted together. */
  async function boundGroups(counts: readonly UsageCount[]): Promise<UsageCount[]> {
    const places = groupsByPlace(counts);
    const sizes = await usage.sizes(places.map(({ place }) => place));
    const folded = new Map<string, ReadonlySet<string>>();
    for (const [at, { place, groups }] of places.entries()) {
      const most = mostGroups(place);
      if ((sizes[at] ?? 0) + groups.size <= most) continue;
      const known = new Set((await usage.groups(place)).map(keyOf));
      const added = [...groups].filter((group) => !known.has(group));
      folded.set(placeKey(place), new Set(added.slice(Math.max(0, most - known.size))));
    }
    if (folded.size === 0) return [...counts];
    const bounded = createCounts();
    for (const count of counts) {
      const isFolded = folded.get(placeKey(count))?.has(keyOf(count)) === true;
      bounded.add(isFolded ? { ...count, integration: OTHER, tool: OTHER, actor: OTHER } : count);
    }
    return bounded.list();
  }

  return {
    async round(stop) {
      await withLease(deps, LEASE, USAGE_LEASE_SECONDS, async () => {
        const to = (await usage.settled()) ?? 0;
        const { hasTime, pause } = createPace(clock, USAGE_ROUND_MS, stop);
        while (hasTime() && (await countPortion(to))) await pause();
        while (hasTime() && (await usage.prune(oldest()))) await pause();
      });
    },
  };
}

const keyOf = ({ integration, tool, actor }: UsageGroup): string =>
  JSON.stringify([integration, tool, actor]);
const placeKey = ({ user_id, level, start }: UsagePlace): string => JSON.stringify([user_id, level, start]);

function mostGroups({ user_id, level }: UsagePlace): number {
  const most = level === 'total' ? Infinity : MAX_GROUPS[level];
  return user_id === EVERYONE ? most * EVERYONES_FACTOR : most;
}

function groupsByPlace(counts: readonly UsageCount[]): { place: UsagePlace; groups: Set<string> }[] {
  const places = new Map<string, { place: UsagePlace; groups: Set<string> }>();
  for (const count of counts) {
    const { user_id, level, start } = count;
    if (level === 'total') continue;
    const key = placeKey(count);
    const known = places.get(key) ?? { place: { user_id, level, start }, groups: new Set<string>() };
    places.set(key, known);
    known.groups.add(keyOf(count));
  }
  return [...places.values()];
}
