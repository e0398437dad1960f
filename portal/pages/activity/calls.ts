// Loads the newest calls, and keeps the older calls that the person has asked for.
import { type AuditFilter, type AuditPage, fetchAudit } from '../../api/audit.ts';

// Bounds the pages of new calls that one refresh loads.
const MAX_PAGES = 10;
// Bounds the list that grows by itself while nobody looks.
const MAX_CALLS = 1000;
// Bounds how often one search goes on by itself. The gateway looks through 5,000 calls each time.
const MAX_LOOKS = 10;
const ENOUGH_CALLS = 20;

export interface Calls extends AuditPage {
  /** Set once the list has older calls than a refresh loads. */
  extended?: true;
  /** No call with a lower id, down to the cursor, is missing. */
  top: number;
}

/** Returns the newest calls, followed by the calls that were loaded before. */
export async function fetchCalls(filter: AuditFilter, known: Calls | undefined): Promise<Calls> {
  const first = await fetchAudit(filter);
  if (known === undefined) return startCalls(first, await searchOn(filter, first));
  let newest: AuditPage = first;
  for (let pages = 1; pages < MAX_PAGES && known.extended === true && leavesGap(newest, known); pages++)
    newest = join(newest, await fetchAudit(filter, newest.nextCursor));
  const now: Calls = { ...newest, top: topOf(newest) };
  if (now.nextCursor === undefined || leavesGap(now, known)) return now;
  // Calls that a refresh no longer loads stay, because the person may read there.
  const joined = appendOlder(now, known);
  if (joined.entries.length === now.entries.length && known.extended !== true) return now;
  return truncate(joined, Math.max(MAX_CALLS, known.entries.length));
}

/** Loads the calls below the cursor. A search goes on until it has found some, but not for ever. */
export async function fetchOlder(filter: AuditFilter, cursor: string): Promise<AuditPage> {
  return searchOn(filter, await fetchAudit(filter, cursor));
}

export function appendOlder(calls: Calls, older: AuditPage): Calls {
  return { ...join(calls, older), top: calls.top, extended: true };
}

async function searchOn(filter: AuditFilter, first: AuditPage): Promise<AuditPage> {
  let found = first;
  for (let looks = 1; looks < MAX_LOOKS && isSearching(found); looks++)
    found = join(found, await fetchAudit(filter, found.nextCursor));
  return found;
}

const isSearching = ({ entries, searchedUntil }: AuditPage): boolean =>
  searchedUntil !== undefined && entries.length < ENOUGH_CALLS;

function startCalls(first: AuditPage, found: AuditPage): Calls {
  const extended = found === first ? {} : ({ extended: true } as const);
  return { ...found, ...extended, top: topOf(first) };
}

const topOf = ({ entries, nextCursor }: AuditPage): number =>
  Math.max(entries[0]?.id ?? 0, nextCursor === undefined ? 0 : Number(nextCursor));

// A page ends at its cursor, even when a filter leaves nothing on it.
function join(newer: AuditPage, { entries, ...rest }: AuditPage): AuditPage {
  const below = entries.filter(({ id }) => id < Number(newer.nextCursor));
  return { ...restOf(rest), entries: [...newer.entries, ...below] };
}

const restOf = ({ nextCursor, searchedUntil }: Omit<AuditPage, 'entries'>) => ({
  ...(nextCursor === undefined ? {} : { nextCursor }),
  ...(searchedUntil === undefined ? {} : { searchedUntil }),
});

function leavesGap({ nextCursor }: AuditPage, known: Calls): boolean {
  return nextCursor !== undefined && Number(nextCursor) > known.top;
}

function truncate(calls: Calls, length: number): Calls {
  const entries = calls.entries.slice(0, length);
  const last = entries.at(-1);
  if (last === undefined || entries.length === calls.entries.length) return calls;
  return { entries, nextCursor: String(last.id), top: calls.top, extended: true };
}
