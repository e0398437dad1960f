// Fetches calls, newest first: the person's own, or for administrators everybody's. decision: 036
import type {
  AuditFailuresPage,
  AuditHistogram,
  AuditPage as OwnAuditPage,
} from '../../src/record/model/row-schemas.ts';
import type { EverybodysAuditPage } from '../../src/people/overview-operations.ts';
import { request, requestFile } from './client.ts';

/** Only the list of everybody's calls names the caller. */
export type AuditEntry = OwnAuditPage['entries'][number] &
  Partial<Pick<EverybodysAuditPage['entries'][number], 'user'>>;
export type AuditPage = Omit<OwnAuditPage, 'entries'> & { entries: AuditEntry[] };
export type { AuditHistogram };
export type FailuresPage = AuditFailuresPage;
export type FailureGroup = FailuresPage['groups'][number];

/** An empty text chooses nothing. */
export interface AuditFilter {
  integration: string;
  success: string;
  /** The full name of a tool. */
  tool?: string;
  /** The id of a caller. */
  client?: string;
  /** The label of an account. */
  account?: string;
  outcome?: string;
  /** Words that a call must contain. */
  q?: string;
  /** The first and the last time, in Unix seconds. */
  from?: string;
  to?: string;
  /** The id of a call that ended alike. */
  like?: string;
  /** Absent without a choice: the calls of the person who asks. */
  of?: 'everybody';
  /** The id of a person, among everybody. */
  person?: string;
}

export type AuditFormat = 'csv' | 'ndjson';

interface Part {
  cursor?: string | undefined;
  /** The id of a call that is older than all of the page. */
  after?: number;
  /** Asks for what each call was about, of the person's own calls. */
  subject?: true;
}

export function fetchAudit(filter: AuditFilter, { cursor, after, subject }: Part = {}): Promise<AuditPage> {
  const part = {
    cursor: cursor ?? '',
    after: after === undefined ? '' : String(after),
    subject: subject === true && filter.of === undefined ? 'true' : '',
  };
  return request(addressOf(filter, '', part));
}

/** Counts the calls over time. */
export function fetchHistogram(filter: AuditFilter): Promise<AuditHistogram> {
  return request(addressOf(filter, '/histogram', { offset: String(-new Date().getTimezoneOffset()) }));
}

export function fetchFailures(
  { success: _, ...filter }: AuditFilter,
  cursor?: string,
): Promise<FailuresPage> {
  return request(addressOf(filter, '/failures', { cursor: cursor ?? '' }));
}

/** Loads all rows that the filter chooses, as the text of a file. */
export function exportAudit(filter: AuditFilter, format: AuditFormat): Promise<Blob> {
  return requestFile(addressOf(filter, '/export', { format }));
}

function addressOf(
  { of, ...filter }: Partial<AuditFilter>,
  below: string,
  more: Record<string, string>,
): string {
  const given = Object.entries({ ...filter, ...more }).filter(([, value]) => value !== '');
  const path = of === 'everybody' ? '/api/admin/audit' : '/api/audit';
  return `${path}${below}?${new URLSearchParams(given).toString()}`;
}
