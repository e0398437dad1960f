// Describes the routes of approvals, and declares their queries, bodies and answers. reference: Approvals
import * as z from 'zod';
import { APPROVALS_PAGE } from './model/limits.ts';
import { failure, type Operations, reply } from '../http/operation.ts';
import { ACCESS_LEVELS } from '../kit/access.ts';
import type { ApprovalState } from '../ports/policy.ts';
import { shownText } from '../kit/shown-text.ts';

const STATES = [
  'pending',
  'approved',
  'denied',
  'expired',
  'running',
  'done',
  'failed',
  'unknown',
] as const satisfies ApprovalState[];
const DEFAULT_PAGE = 50;
const MAX_DECISIONS = 100;
const MAX_REASON_LENGTH = 200;

export const ApprovalsQuery = z.object({
  state: z
    .string()
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(z.enum(STATES)))
    .optional()
    .describe(`One or more of ${STATES.join(', ')}, with commas between them`),
  limit: z.coerce.number().int().min(1).max(APPROVALS_PAGE).default(DEFAULT_PAGE),
});

const covers = () => z.enum(['once', 'hour']);
const decision = () => ({
  decision: z.enum(['approve', 'deny']),
  for: covers()
    .optional()
    .describe('What a yes covers: this call once, which is the default, or the same call for an hour'),
  reason: z
    .string()
    .max(MAX_REASON_LENGTH)
    .transform(shownText)
    .optional()
    .describe('Told to the agent with a no'),
});

interface Given {
  decision: 'approve' | 'deny';
  for?: unknown;
  reason?: string | null | undefined;
}
const FOR_APPROVE = { path: ['for'], error: 'goes with the decision approve only' };
const FOR_DENY = { path: ['reason'], error: 'goes with the decision deny only' };
const hasNoStrayFor = (form: Given) => form.decision === 'approve' || form.for === undefined;
const hasNoStrayReason = (form: Given) => form.decision === 'deny' || (form.reason ?? null) === null;

export const DecisionForm = z
  .strictObject(decision())
  .refine(hasNoStrayFor, FOR_APPROVE)
  .refine(hasNoStrayReason, FOR_DENY);
export const DecisionsForm = z
  .strictObject({ ids: z.array(z.string()).min(1).max(MAX_DECISIONS), ...decision() })
  .refine(hasNoStrayFor, FOR_APPROVE)
  .refine(hasNoStrayReason, FOR_DENY);
export type DecisionForm = z.infer<typeof DecisionForm>;
export type DecisionsForm = z.infer<typeof DecisionsForm>;

const file = () =>
  z.object({
    handle: z.string(),
    name: z.string().nullable().describe('Null for a file that you do not have (any more)'),
    mimeType: z.string().nullable(),
    bytes: z.int().nullable(),
  });

const seconds = () => z.int().nullable();
export const approval = () =>
  z.object({
    id: z.string(),
    integration: z.string(),
    tool: z.string().describe('The name of a tool; for raw HTTP a method and a path'),
    access: z.enum(ACCESS_LEVELS),
    account: z.string().nullable().describe('The name of the account, where it is known'),
    args: z.record(z.string(), z.unknown()).nullable().describe('Null when they can no longer be shown'),
    subject: z.string().describe('The argument that names what the call is about').exactOptional(),
    caller: z.object({
      id: z.string(),
      kind: z.enum(['session', 'key', 'agent-key', 'client']),
      name: z.string().nullable(),
    }),
    state: z.enum(STATES),
    covers: covers().nullable(),
    because: z
      .string()
      .describe('Why the person was asked, where they are not asked about every such call')
      .exactOptional(),
    reason: z.string().nullable(),
    files: z.array(file()).describe('The kept files that the arguments name'),
    description: z.string().nullable().describe('That of the tool'),
    request: z.object({ method: z.string(), path: z.string() }).nullable(),
    createdAt: z.int().describe('Unix seconds, as all times'),
    expiresAt: z.int().describe('When the question, a yes or a no ends'),
    decidedAt: seconds(),
    ranAt: seconds(),
    endedAt: seconds(),
  });
const approvalList = () => z.object({ approvals: z.array(approval()) });
const decided = () =>
  z.object({
    results: z.array(
      z.union([
        z.object({ id: z.string(), state: z.enum(STATES) }),
        z.object({ id: z.string(), error: z.string() }),
      ]),
    ),
  });
export type ShownApproval = z.infer<ReturnType<typeof approval>>;
export type ShownFile = z.infer<ReturnType<typeof file>>;
export type ApprovalList = z.infer<ReturnType<typeof approvalList>>;
export type Decisions = z.infer<ReturnType<typeof decided>>;

const BAD = failure('A bad body');
const BUSY = failure('Your approvals are being read too often');
const MISSING = failure('You have no such approval');

export const approvalOperations: Operations = () => ({
  'GET /api/approvals': {
    id: 'listApprovals',
    tag: 'Permissions',
    summary: 'List the calls that you are or were asked about',
    description: 'Newest first. Long arguments make the list shorter than `limit`.',
    access: 'read',
    caller: 'portal',
    query: ApprovalsQuery,
    replies: {
      200: reply('The approvals', approvalList()),
      400: failure('A bad state or limit'),
      429: BUSY,
    },
  },
  'POST /api/approvals': {
    id: 'decideApprovals',
    tag: 'Permissions',
    summary: 'Approve or deny several calls',
    description: 'Each is decided by itself.',
    access: 'write',
    caller: 'session',
    body: {
      schema: DecisionsForm,
      example: { ids: ['3f2b8c1e-5d07-4a7e-9c55-0d6f3a1b2c4d'], decision: 'approve' },
    },
    replies: { 200: reply('What became of each', decided()), 400: BAD },
  },
  'GET /api/approvals/:id': {
    id: 'getApproval',
    tag: 'Permissions',
    summary: 'Show a call that you are or were asked about',
    access: 'read',
    caller: 'portal',
    replies: { 200: reply('The approval', approval()), 404: MISSING, 429: BUSY },
  },
  'POST /api/approvals/:id': {
    id: 'decideApproval',
    tag: 'Permissions',
    summary: 'Approve or deny a call',
    access: 'write',
    caller: 'session',
    body: { schema: DecisionForm, example: { decision: 'deny', reason: 'Not before Monday' } },
    replies: {
      200: reply('The approval', approval()),
      400: BAD,
      404: MISSING,
      409: failure('It is decided or has expired, or its arguments cannot be opened to approve them'),
    },
  },
});
