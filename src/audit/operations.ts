// Describes the route of the audit rows, and declares its query and its answer. reference: Audit
import * as z from 'zod';
import { failure, type Operations, reply } from '../http/operation.ts';

export const AuditQuery = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a nextCursor of an earlier response')
    .transform(Number)
    .optional(),
  integration: z.string().optional(),
  tool: z.string().optional(),
  success: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
});

const auditPage = () =>
  z.object({
    entries: z.array(
      z.object({
        id: z.int(),
        user_id: z.string(),
        integration: z.string(),
        tool: z.string().describe('The name of a tool; for raw HTTP a method and the pattern of a path'),
        action: z.enum(['EXECUTE', 'CURL']),
        success: z.boolean(),
        error: z.string().nullable(),
        duration_ms: z.int(),
        created_at: z.int().describe('Unix seconds'),
        actor: z
          .string()
          .nullable()
          .describe('`session`, `key`, `key:<id>` of a named key or `client:<id>` of an OAuth client'),
        outcome: z
          .enum(['ok', 'error', 'blocked', 'asked', 'denied', 'expired', 'unknown'])
          .nullable()
          .describe('Null in rows of version 0.1'),
        account: z.string().describe('Its label, where the person had several accounts').exactOptional(),
      }),
    ),
    nextCursor: z.string().describe('Absent on the last page').exactOptional(),
  });
export type AuditPage = z.infer<ReturnType<typeof auditPage>>;

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
    replies: { 200: reply('A page', auditPage()), 400: failure('A bad cursor or a bad success') },
  },
});
