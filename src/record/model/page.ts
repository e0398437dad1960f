// Reads audit rows, newest first: a page of them, groups of failures, or all, a part at a time.
// reference: Audit; decision: 036, 040
import {
  AUDIT_EXPORT_ROWS,
  AUDIT_FAILED_LOOK,
  AUDIT_FAILURE_GROUPS,
  AUDIT_LOOK,
  AUDIT_PAGE,
} from './limits.ts';
import { shownText } from '../../kit/shown-text.ts';
import type { Ports } from '../../ports/ports.ts';
import type { AuditEntry, AuditOutcome } from '../../ports/records.ts';
import { type AuditAsked, findPlace, look, type Place } from './look.ts';
import type { AuditFailuresPage, AuditFilter, AuditPage } from './row-schemas.ts';

const PAGE_LOOK = { rows: AUDIT_LOOK, failed: AUDIT_FAILED_LOOK };
const EXPORT_LOOK = { rows: AUDIT_EXPORT_ROWS, failed: AUDIT_EXPORT_ROWS };

export type AuditRow = AuditEntry & { id: number };

export type ReadAuditPage = (asked: AuditAsked, subjectsOf?: SubjectsOf) => Promise<AuditPage>;
/** Finds what the calls with these details were about. */
type SubjectsOf = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
export type ReadAuditFailures = (asked: AuditAsked) => Promise<AuditFailuresPage>;

/** No call with such an outcome has succeeded. Failed rows are found faster. */
const FAILED: ReadonlySet<AuditOutcome | undefined> = new Set([
  'error',
  'blocked',
  'asked',
  'denied',
  'expired',
  'unknown',
]);

/** Names the choice of a query as the store does. */
export function filterOf({
  client,
  from,
  to,
  q = '',
  success,
  ...exact
}: AuditFilter): Omit<AuditAsked, 'user_id' | 'before'> {
  const words = q.split(/\s+/).filter((word) => word !== '');
  return {
    ...exact,
    actor: client,
    since: from,
    until: to,
    success: success ?? (FAILED.has(exact.outcome) ? false : undefined),
    words: words.length === 0 ? undefined : words,
  };
}

export function createReadAuditPage({ store }: Pick<Ports, 'store'>): ReadAuditPage {
  return async function readAuditPage(asked, subjectsOf) {
    const place = await findPlace(store, asked);
    if (place === null) return { entries: [] };
    const { from, goesOn } = await look(store, place, PAGE_LOOK);
    // Asks for one row more than a page, to learn whether there is another page.
    const rows = await store.audit.list({ ...place.query, from, limit: AUDIT_PAGE + 1 });
    const shown = rows.slice(0, AUDIT_PAGE);
    const subjects = await subjectsOf?.(shown.flatMap(({ details }) => details ?? []));
    const entries = shown.map((row) => {
      const subject = row.details === null ? undefined : subjects?.get(row.details);
      return { ...showEntry(row), ...(subject === undefined ? {} : { subject }) };
    });
    if (rows.length > AUDIT_PAGE) return { entries, nextCursor: String(shown.at(-1)?.id) };
    return { entries, ...describeRest(goesOn) };
  };
}

export function createReadAuditFailures({ store }: Pick<Ports, 'store'>): ReadAuditFailures {
  return async function readAuditFailures(asked) {
    const place = await findPlace(store, { ...asked, success: false });
    if (place === null) return { groups: [], isCut: false };
    const { from, goesOn } = await look(store, place, PAGE_LOOK);
    const groups = await store.audit.failures({ ...place.query, from, limit: AUDIT_FAILURE_GROUPS + 1 });
    const isCut = groups.length > AUDIT_FAILURE_GROUPS;
    return { groups: groups.slice(0, AUDIT_FAILURE_GROUPS), isCut, ...describeRest(goesOn) };
  };
}

/** Each part is read when somebody asks for it. Rows that are appended meanwhile are not among them. */
export async function* readAuditRows(
  { store }: Pick<Ports, 'store'>,
  asked: AuditAsked,
): AsyncGenerator<AuditRow[]> {
  for (let place = await findPlace(store, asked); place !== null;) {
    const { from, goesOn } = await look(store, place, EXPORT_LOOK);
    const rows = await store.audit.list({ ...place.query, from, limit: AUDIT_EXPORT_ROWS });
    if (rows.length > 0) yield rows;
    // Without a filter a full part tells that there may be more.
    const isFull = !place.isFiltered && rows.length === AUDIT_EXPORT_ROWS;
    place = goBelow(place, isFull ? rows.at(-1)?.id : goesOn?.id);
  }
}

const goBelow = (place: Place, before: number | undefined): Place | null =>
  before === undefined ? null : { ...place, query: { ...place.query, before } };

const describeRest = (goesOn: { id: number; created_at: number } | null) =>
  goesOn === null ? {} : { nextCursor: String(goesOn.id), searchedUntil: goesOn.created_at };

/** Leaves out what is null for people with one account, and the id of the details, which no caller can use. */
export function showEntry<
  E extends Pick<AuditEntry, 'account' | 'owner' | 'client_name' | 'details' | 'script'>,
>({ account, owner, client_name, details: _, script, ...row }: E) {
  return {
    ...row,
    client_name: shownText(client_name),
    ...(account === null ? {} : { account }),
    ...(owner === null ? {} : { owner }),
    ...(script === null ? {} : { script }),
  };
}
