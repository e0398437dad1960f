// The calls that a person has before them: the newest page, and the older ones that they asked for, which stay.
import { type AuditFilter, fetchAudit } from '../../api/audit.ts';
import type { AuditPage } from '../../api/types.ts';

// Between two looks there may be more new calls than one page has, but not any number of them.
const LOOKS = 10;
// What comes in by itself while nobody looks does not make the list longer for ever.
const LONGEST = 1000;

export interface Calls extends AuditPage {
  /** Older pages were asked for. */
  extended?: true;
}

/** The newest calls, and below them those that were known. */
export async function fetchCalls(filter: AuditFilter, known: Calls | undefined): Promise<Calls> {
  let newest = await fetchAudit(filter);
  if (known?.extended !== true) return newest;
  for (let looks = 1; looks < LOOKS && leavesGap(newest, known); looks++)
    newest = join(newest, await fetchAudit(filter, newest.nextCursor));
  if (newest.nextCursor === undefined || leavesGap(newest, known)) return newest;
  return shortened(withOlder(newest, known), Math.max(LONGEST, known.entries.length));
}

export function withOlder(calls: AuditPage, older: AuditPage): Calls {
  return { ...join(calls, older), extended: true };
}

// A page goes down to its cursor, whether or not a filter has left anything on it.
function join(newer: AuditPage, older: AuditPage): AuditPage {
  const { entries, nextCursor } = older;
  const below = entries.filter(({ id }) => id < Number(newer.nextCursor));
  return { entries: [...newer.entries, ...below], ...(nextCursor === undefined ? {} : { nextCursor }) };
}

function leavesGap({ entries, nextCursor }: AuditPage, known: Calls): boolean {
  const last = known.entries[0];
  if (last === undefined) return entries.length > 0;
  return nextCursor !== undefined && Number(nextCursor) > last.id;
}

function shortened(calls: Calls, length: number): Calls {
  const entries = calls.entries.slice(0, length);
  const last = entries.at(-1);
  if (last === undefined || entries.length === calls.entries.length) return calls;
  return { ...calls, entries, nextCursor: String(last.id) };
}
