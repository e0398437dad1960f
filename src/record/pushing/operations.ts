// Describes the route that shows how far the audit log was sent, and declares its answer. reference: Audit push
import * as z from 'zod';
import { failure, type Operations, reply } from '../../http/operation.ts';

const auditPushState = () =>
  z.object({
    kind: z.enum(['webhook', 'splunk', 'elastic', 's3', 'fs']),
    segments: z.int().describe('Sealed segments that wait for the collector'),
    lagSeconds: z.int().describe('How long the oldest of them waits'),
    pushedAt: z.int().describe('When the collector took rows last, Unix seconds').exactOptional(),
    failedAt: z.int().describe('Since when it fails').exactOptional(),
    error: z.string().describe('Why it failed last').exactOptional(),
  });
export type AuditPushState = z.infer<ReturnType<typeof auditPushState>>;

export const pushOperations: Operations = () => ({
  'GET /api/admin/audit/push': {
    id: 'getAuditPush',
    tag: 'Administration',
    summary: 'Read how far the audit log was sent to its collector',
    access: 'read',
    caller: 'portal',
    replies: {
      200: reply('Where it stands', auditPushState()),
      403: failure('The caller is not an administrator'),
      404: failure('There is no collector, or the user is gone'),
    },
  },
});
