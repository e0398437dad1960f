// Describes the routes of the audit rows. reference: Audit
import { failure, type Operations, reply } from '../http/operation.ts';
import {
  auditEntry,
  AuditExportQuery,
  auditExported,
  auditFailures,
  AuditFailuresQuery,
  auditHistogram,
  AuditHistogramQuery,
  auditPage,
  AuditQuery,
  FAILURES_DESCRIPTION,
  HISTOGRAM_DESCRIPTION,
} from './model/row-schemas.ts';

export const auditOperations: Operations = () => ({
  'GET /api/audit': {
    id: 'listAuditEntries',
    tag: 'Activity',
    summary: 'List your own calls, newest first',
    description:
      'A page has at most 50 rows. With a filter a page may be short or empty and still have a `nextCursor`.',
    access: 'read',
    caller: 'portal',
    query: AuditQuery,
    replies: { 200: reply('A page', auditPage(auditEntry())), 400: failure('A bad cursor or a bad filter') },
  },
  'GET /api/audit/failures': {
    id: 'listAuditFailures',
    tag: 'Activity',
    summary: 'List your own failed calls, like ones together',
    description: FAILURES_DESCRIPTION,
    access: 'read',
    caller: 'portal',
    query: AuditFailuresQuery,
    replies: { 200: reply('The groups', auditFailures()), 400: failure('A bad cursor or a bad filter') },
  },
  'GET /api/audit/histogram': {
    id: 'countAuditEntries',
    tag: 'Activity',
    summary: 'Count your own calls over time',
    description: HISTOGRAM_DESCRIPTION,
    access: 'read',
    caller: 'portal',
    query: AuditHistogramQuery,
    replies: { 200: reply('The counts', auditHistogram()), 400: failure('A bad filter') },
  },
  'GET /api/audit/export': {
    id: 'exportAuditEntries',
    tag: 'Activity',
    summary: 'Download your own calls',
    access: 'read',
    caller: 'portal',
    query: AuditExportQuery,
    replies: { 200: auditExported(), 400: failure('A bad format or a bad filter') },
  },
});
