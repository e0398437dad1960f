// Loads the newest calls, and keeps the older calls that the person has asked for.
import { type AuditFilter, type AuditPage, fetchAudit } from '../../api/audit.ts';

// Bounds the pages of new calls that one refresh loads.
const MAX_PAGES = 10;
// Bounds the list that grows by itself while nobody looks.
const MAX_CALLS = 1000;
// Bounds how often one search goes on by itself. The gateway looks through 5,000 calls each time.
const MAX_LOOKS = 10;
const ENOUGH_CALLS = 20;
// A call may be stored after some that have later ids.
const LOOK_BACK = 20;

export interface Calls extends AuditPage {
  /** Set once the person, or a search, has loaded older calls. */
  extended?: true;
  /** The id of the newest call that was looked at. */
  top: number;
}

/** Returns the newest calls, followed by the calls that were loaded before. Asks only for what may be new. */
export async function fetchCalls(filter: AuditFilter, known: Calls | undefined): Promise<Calls> {
  if (known === undefined) {
    const first = await fetchAudit(filter, { subject: true });
    return startCalls(first, await searchOn(filter, first));
  }
  // A beginning that moves with the clock would make each question a new one.
  const { from, ...rest } = filter;
  const after = Math.max(0, known.top - LOOK_BACK);
  let newest = await fetchAudit(rest, { after, subject: true });
  for (let pages = 1; pages < MAX_PAGES && newest.nextCursor !== undefined; pages++)
    newest = join(newest, await fetchAudit(rest, { after, subject: true, cursor: newest.nextCursor }));
  if (newest.nextCursor !== undefined) return { ...newest, top: topOf(newest) };
  const ids = new Set(known.entries.map(({ id }) => id));
  const fresh = newest.entries.filter(
    ({ id, created_at }) => !ids.has(id) && created_at >= Number(from ?? 0),
  );
  if (fresh.length === 0) return known;
  const entries = [...fresh, ...known.entries].toSorted((one, other) => other.id - one.id);
  const top = Math.max(known.top, entries[0]?.id ?? 0);
  return truncate({ ...known, entries, top }, Math.max(MAX_CALLS, known.entries.length));
}

/** Loads the calls below the cursor. A search goes on until it has found some, but not for ever. */
export async function fetchOlder(filter: AuditFilter, cursor: string): Promise<AuditPage> {
  return searchOn(filter, await fetchAudit(filter, { cursor, subject: true }));
}

export function appendOlder(calls: Calls, older: AuditPage): Calls {
  return { ...join(calls, older), top: calls.top, extended: true };
}

async function searchOn(filter: AuditFilter, first: AuditPage): Promise<AuditPage> {
  let found = first;
  for (let looks = 1; looks < MAX_LOOKS && isSearching(found); looks++)
    found = join(found, await fetchAudit(filter, { cursor: found.nextCursor, subject: true }));
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

function truncate(calls: Calls, length: number): Calls {
  const entries = calls.entries.slice(0, length);
  const last = entries.at(-1);
  if (last === undefined || entries.length === calls.entries.length) return calls;
  return { entries, nextCursor: String(last.id), top: calls.top, extended: true };
}
