// Describes the routes of the sealed segments, and declares their query and their answers. reference: Audit segments
import * as z from 'zod';
import { failure, type Operations, reply } from '../../http/operation.ts';
import { SignedHead } from './head.ts';

export const SegmentsQuery = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a nextCursor of an earlier response')
    .transform(Number)
    .optional(),
});

const auditSegments = () =>
  z.object({
    segments: z.array(
      SignedHead.extend({
        prunedAt: z.int().describe('When its rows were deleted because of their age').exactOptional(),
      }),
    ),
    nextCursor: z.string().describe('Absent on the last page').exactOptional(),
  });
export type AuditSegments = z.infer<ReturnType<typeof auditSegments>>;

const auditPublicKey = () =>
  z.object({
    id: z.string().describe('The `key` of the segments that it signs'),
    publicKey: z.string().describe('`ed25519:` and 32 bytes in base64url'),
  });
export type AuditPublicKey = z.infer<ReturnType<typeof auditPublicKey>>;

const MEMBER = failure('The caller is not an administrator');

export const sealingOperations: Operations = () => ({
  'GET /api/admin/audit/segments': {
    id: 'listAuditSegments',
    tag: 'Administration',
    summary: 'List the sealed segments of the audit log, newest first',
    access: 'read',
    caller: 'portal',
    query: SegmentsQuery,
    replies: {
      200: reply('A page of at most 100', auditSegments()),
      400: failure('A bad cursor'),
      403: MEMBER,
      404: failure('The user is gone'),
    },
  },
  'GET /api/admin/audit/key': {
    id: 'getAuditKey',
    tag: 'Administration',
    summary: 'Read the public key that checks the audit log',
    access: 'read',
    caller: 'portal',
    replies: {
      200: reply('The key', auditPublicKey()),
      403: MEMBER,
      404: failure('This gateway seals nothing, or the user is gone'),
    },
  },
});
