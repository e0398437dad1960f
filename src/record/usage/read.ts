// Answers how much was called: counted hours and days, and the newest audit rows that no round has counted yet.
// reference: Usage; decision: 040
import { USAGE_LIST } from '../model/limits.ts';
import type { Ports } from '../../ports/ports.ts';
import type { UsageBucket, UsageFilter, UsageGroup, UsageSum } from '../../ports/usage.ts';
import { type DescribeActor, createDescribeActor } from './actors.ts';
import { type Cause, CAUSES, causeOf, classOf } from './causes.ts';
import { durationsOf, floorTo, groupOf, HOUR_SECONDS, isCall } from './count.ts';
import { noDurations, percentilesOf } from './durations.ts';
import { readWhole } from './read-whole.ts';
import type { Range, UsageAnswer } from './operations.ts';

export interface UsageWanted extends UsageFilter {
  /** `EVERYONE` is everybody. */
  userId: string;
  range: Range;
  /** The minutes that the reader's clock is ahead of UTC. */
  offset: number;
  /** The rows of each list. */
  limit?: number | undefined;
}

export type ReadUsage = (wanted: UsageWanted) => Promise<UsageAnswer>;

const GRIDS: Readonly<Record<Range, { seconds: number; buckets: number }>> = {
  '24h': { seconds: HOUR_SECONDS, buckets: 24 },
  '7d': { seconds: 6 * HOUR_SECONDS, buckets: 28 },
  '30d': { seconds: 24 * HOUR_SECONDS, buckets: 30 },
};

interface Grid {
  seconds: number;
  shift: number;
  /** The number of the first bucket. */
  first: number;
  buckets: number;
  from: number;
  before: number;
}

export interface Calls {
  ok: number;
  failed: number;
  refused: number;
}

export function createReadUsage({ clock, store }: Pick<Ports, 'clock' | 'store'>): ReadUsage {
  const { usage } = store;

  function read(wanted: UsageWanted, grid: Grid) {
    const { userId: user_id, range: _, offset: __, limit: ___, ...filter } = wanted;
    const asked = { user_id, from: grid.from, ...filter };
    return readWhole(usage, user_id, () =>
      Promise.all([
        usage.series(asked, grid),
        usage.causes({ ...asked, from: grid.before }, grid.from),
        usage.sums(asked),
      ]),
    );
  }

  return async function readUsage(wanted) {
    const { userId, range, limit = USAGE_LIST } = wanted;
    const now = clock.now();
    const grid = gridOf(wanted, now);
    const {
      found: [series, before, sums],
      rows,
      isBehind,
    } = await read(wanted, grid);
    for (const row of rows.filter(isCall)) {
      const group = groupOf(userId, row);
      if (!matches(group, wanted)) continue;
      const cause = causeOf(row);
      const hour = floorTo(row.created_at, HOUR_SECONDS);
      if (hour >= grid.from) {
        series.push({ bucket: bucketOf(hour, grid), cause, calls: 1, durations: durationsOf(row, cause) });
        sums.push({ ...group, cause, calls: 1 });
      } else if (hour >= grid.before) before.push({ cause, calls: 1 });
    }
    return {
      range,
      from: grid.from,
      until: now,
      bucketSeconds: grid.seconds,
      series: toSeries(series, grid),
      totals: addUp(series),
      before: addUp(before),
      latency: percentilesOf(addDurations(series)),
      integrations: busiest(sums, limit, ({ integration }) => ({ integration })),
      tools: busiest(sums, limit, ({ integration, tool }) => ({ integration, tool })),
      agents: await nameActors(
        busiest(sums, limit, ({ actor }) => ({ actor })),
        createDescribeActor({ store }, userId),
      ),
      causes: toCauses(sums),
      isBehind,
    };
  };
}

/** Counted hours begin at full hours of UTC, so a bucket does as well. */
function gridOf({ range, offset }: UsageWanted, now: number): Grid {
  const { seconds, buckets } = GRIDS[range];
  const shift = Math.floor(offset / 60) * HOUR_SECONDS;
  const first = Math.floor((now + shift) / seconds) - buckets + 1;
  const from = first * seconds - shift;
  return { seconds, shift, first, buckets, from, before: from - buckets * seconds };
}

const bucketOf = (hour: number, { seconds, shift }: Grid): number => Math.floor((hour + shift) / seconds);

const matches = (group: UsageGroup, { integration, tool, actor }: UsageWanted): boolean =>
  (integration === undefined || integration === group.integration) &&
  (tool === undefined || tool === group.tool) &&
  (actor === undefined || actor === group.actor);

export const noCalls = (): Calls => ({ ok: 0, failed: 0, refused: 0 });

function addUp(counts: readonly { cause: string; calls: number }[]): Calls {
  const sum = noCalls();
  for (const { cause, calls } of counts) sum[classOf(cause)] += calls;
  return sum;
}

function addDurations(counts: readonly UsageBucket[]): number[] {
  const sum = noDurations();
  for (const { durations } of counts)
    for (const [range, calls] of durations.entries()) sum[range] = (sum[range] ?? 0) + calls;
  return sum;
}

function toSeries(
  found: readonly UsageBucket[],
  { first, buckets, seconds, shift }: Grid,
): UsageAnswer['series'] {
  const byBucket = Map.groupBy(found, ({ bucket }) => bucket);
  return Array.from({ length: buckets }, (_, index) => {
    const bucket = first + index;
    const counts = byBucket.get(bucket) ?? [];
    return {
      at: bucket * seconds - shift,
      ...addUp(counts),
      latency: percentilesOf(addDurations(counts)),
    };
  });
}

function busiest<N extends object>(
  sums: readonly UsageSum[],
  most: number,
  nameOf: (group: UsageGroup) => N,
): (N & Calls)[] {
  const rows = new Map<string, N & Calls>();
  for (const { cause, calls, ...group } of sums) {
    const name = nameOf(group);
    const key = JSON.stringify(name);
    const row = rows.get(key) ?? { ...name, ...noCalls() };
    row[classOf(cause)] += calls;
    rows.set(key, row);
  }
  const all = ({ ok, failed, refused }: Calls) => ok + failed + refused;
  return [...rows]
    .toSorted(([name, one], [otherName, other]) => all(other) - all(one) || (name < otherName ? -1 : 1))
    .slice(0, most)
    .map(([, row]) => row);
}

function toCauses(sums: readonly UsageSum[]): UsageAnswer['causes'] {
  const calls = new Map<Cause, number>();
  for (const sum of sums) {
    if (sum.cause === '') continue;
    // A newer version may have stored a cause that this one does not know.
    const cause = CAUSES.find((each) => each === sum.cause) ?? 'other';
    calls.set(cause, (calls.get(cause) ?? 0) + sum.calls);
  }
  return [...calls]
    .map(([cause, count]) => ({ cause, calls: count }))
    .toSorted((one, other) => other.calls - one.calls || (one.cause < other.cause ? -1 : 1));
}

function nameActors(
  rows: readonly ({ actor: string } & Calls)[],
  describe: DescribeActor,
): Promise<UsageAnswer['agents']> {
  return Promise.all(rows.map(async (row) => ({ ...row, ...(await describe(row.actor)) })));
}
