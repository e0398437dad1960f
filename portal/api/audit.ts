// Fetches calls, newest first: the person's own, or for administrators everybody's. decision: 036
import type { AuditFailuresPage, AuditPage as OwnAuditPage } from '../../src/record/model/row-schemas.ts';
import type { EverybodysAuditPage } from '../../src/people/overview-operations.ts';
import { request, requestFile } from './client.ts';

/** Only the list of everybody's calls names the caller. */
export type AuditEntry = OwnAuditPage['entries'][number] &
  Partial<Pick<EverybodysAuditPage['entries'][number], 'user'>>;
export type AuditPage = Omit<OwnAuditPage, 'entries'> & { entries: AuditEntry[] };
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

export function fetchAudit(filter: AuditFilter, cursor?: string): Promise<AuditPage> {
  return request(addressOf(filter, '', { cursor: cursor ?? '' }));
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
