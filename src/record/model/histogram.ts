// Counts audit rows over time, in spans that are as long as a person likes to read them. reference: Audit
import type { Ports } from '../../ports/ports.ts';
import type { AuditBucket } from '../../ports/store.ts';
import { AUDIT_HISTOGRAM_BARS, AUDIT_HISTOGRAM_LOOK, AUDIT_LOOK } from './limits.ts';
import { type AuditAsked, findPlace, look } from './look.ts';
import type { AuditHistogram } from './row-schemas.ts';

const LOOK = { rows: AUDIT_HISTOGRAM_LOOK, failed: AUDIT_LOOK };
const HOUR = 3_600;
const DAY = 24 * HOUR;
const SPANS = [1, 5, 15, 60, 300, 900, 1_800, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 30 * DAY];

export type CountCalls = (asked: AuditAsked, aheadMinutes: number) => Promise<AuditHistogram>;

export function createCountCalls({ clock, store }: Pick<Ports, 'clock' | 'store'>): CountCalls {
  return async function countCalls(asked, aheadMinutes) {
    const { since } = asked;
    const until = Math.max(asked.until ?? clock.now(), since ?? 0);
    const ahead = aheadMinutes * 60;
    const place = await findPlace(store, asked);
    // Without a beginning the oldest call tells how long the spans are, so the calls are counted by the hour first.
    const seconds = since === undefined ? HOUR : spanFor(until - since);
    let counted: AuditBucket[] = [];
    let rest = {};
    if (place !== null) {
      const { from, goesOn } = await look(store, { ...place, isFiltered: true }, LOOK);
      counted = await store.audit.histogram({ ...place.query, from }, { seconds, ahead });
      if (goesOn !== null) rest = { searchedUntil: goesOn.created_at };
    }
    const first = since ?? Math.min(counted[0]?.at ?? until, until - DAY);
    const bucketSeconds = Math.max(seconds, spanFor(until - first));
    const spanOf = (time: number) => Math.floor((time + ahead) / bucketSeconds) * bucketSeconds - ahead;
    return { from: spanOf(first), until, bucketSeconds, buckets: join(counted, spanOf), ...rest };
  };
}

/** The shortest span of which so many bars hold the time. */
const spanFor = (seconds: number): number =>
  SPANS.find((span) => seconds / span <= AUDIT_HISTOGRAM_BARS) ?? Math.ceil(seconds / AUDIT_HISTOGRAM_BARS);

function join(counted: readonly AuditBucket[], spanOf: (time: number) => number): AuditBucket[] {
  const joined = new Map<number, AuditBucket>();
  for (const { at, calls, failed } of counted) {
    const before = joined.get(spanOf(at));
    joined.set(spanOf(at), {
      at: spanOf(at),
      calls: calls + (before?.calls ?? 0),
      failed: failed + (before?.failed ?? 0),
    });
  }
  return [...joined.values()];
}
