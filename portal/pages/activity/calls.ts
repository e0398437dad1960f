// Loads the newest calls, and keeps the older calls that the person has asked for.
import { type AuditFilter, fetchAudit } from '../../api/audit.ts';
import type { AuditPage } from '../../api/types.ts';

// Bounds the pages of new calls that one refresh loads.
const MAX_PAGES = 10;
// Bounds the list that grows by itself while nobody looks.
const MAX_CALLS = 1000;

export interface Calls extends AuditPage {
  /** Set once the person has asked for older calls. */
  extended?: true;
}

/** Returns the newest calls, followed by the calls that were loaded before. */
export async function fetchCalls(filter: AuditFilter, known: Calls | undefined): Promise<Calls> {
  let newest = await fetchAudit(filter);
  if (known?.extended !== true) return newest;
  for (let pages = 1; pages < MAX_PAGES && leavesGap(newest, known); pages++)
    newest = join(newest, await fetchAudit(filter, newest.nextCursor));
  if (newest.nextCursor === undefined || leavesGap(newest, known)) return newest;
  return truncate(appendOlder(newest, known), Math.max(MAX_CALLS, known.entries.length));
}

export function appendOlder(calls: AuditPage, older: AuditPage): Calls {
  return { ...join(calls, older), extended: true };
}

// A page ends at its cursor, even when a filter leaves nothing on it.
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

function truncate(calls: Calls, length: number): Calls {
  const entries = calls.entries.slice(0, length);
  const last = entries.at(-1);
  if (last === undefined || entries.length === calls.entries.length) return calls;
  return { ...calls, entries, nextCursor: String(last.id) };
}
