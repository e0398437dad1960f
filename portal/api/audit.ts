// Fetches the person's own calls, newest first. decision: 031
import { request } from './client.ts';
import type { AuditPage } from './types.ts';

export interface AuditFilter {
  integration: string;
  success: string;
}

export function fetchAudit(filter: AuditFilter, cursor?: string): Promise<AuditPage> {
  const given = Object.entries({ ...filter, cursor: cursor ?? '' }).filter(([, value]) => value !== '');
  return request(`/api/audit?${new URLSearchParams(given).toString()}`);
}
