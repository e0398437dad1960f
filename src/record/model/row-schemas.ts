// Declares the queries that choose audit rows, and the answers that show them. reference: Audit
import * as z from 'zod';
import type { Reply } from '../../http/operation.ts';
import { ACCESS_LEVELS } from '../../kit/access.ts';
import { HAS_NO_CONTROL } from '../../kit/shown-text.ts';
import { AUDIT_OUTCOMES } from '../../ports/records.ts';

// A client may be named by an address.
const MAX_CLIENT_CHARACTERS = 2_100;
const MAX_LABEL_CHARACTERS = 200;
const MAX_SEARCH_CHARACTERS = 200;

const plainText = (most: number) =>
  z.string().min(1).max(most).regex(HAS_NO_CONTROL, { error: 'must have no control characters' });

const seconds = () =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be a time in Unix seconds')
    .transform(Number);

/** What chooses rows, in a list and in an export. */
const AuditFilter = z.object({
  integration: z.string().optional(),
  tool: z.string().optional(),
  success: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  outcome: z.enum(AUDIT_OUTCOMES).optional(),
  access: z.enum(ACCESS_LEVELS).optional(),
  client: plainText(MAX_CLIENT_CHARACTERS).describe('An `actor`, such as `key` or `client:<id>`').optional(),
  account: plainText(MAX_LABEL_CHARACTERS).describe('The label of an account').optional(),
  from: seconds().describe('The first time, in Unix seconds').optional(),
  to: seconds().describe('The last time, in Unix seconds').optional(),
  q: plainText(MAX_SEARCH_CHARACTERS)
    .describe('Words that are all in the tool, the integration, the account, the client name or the error')
    .optional(),
  like: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of a call')
    .transform(Number)
    .describe('The id of a call: only calls of its tool that ended as it did, with the same error')
    .optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

export const AuditQuery = AuditFilter.extend({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a nextCursor of an earlier response')
    .transform(Number)
    .optional(),
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of a call')
    .transform(Number)
    .describe('The id of a call: only calls that are newer')
    .optional(),
  subject: z
    .enum(['true'])
    .describe('Adds what each call was about, while its details are kept. A named key gets none')
    .optional(),
});

/** Groups are of failed rows, so there is nothing to choose by `success`. */
export const AuditFailuresQuery = AuditQuery.omit({ success: true, after: true, subject: true });

const MAX_AHEAD_MINUTES = 14 * 60;

export const AuditHistogramQuery = AuditFilter.extend({
  offset: z
    .string()
    .regex(/^-?\d{1,3}$/, 'must be a number of minutes')
    .transform(Number)
    .refine((minutes) => Math.abs(minutes) <= MAX_AHEAD_MINUTES, 'must be at most 14 hours')
    .describe('The minutes that your clock is ahead of UTC, so that days begin at your midnight')
    .optional(),
});

export const AuditExportQuery = AuditFilter.extend({
  format: z.enum(['ndjson', 'csv']).default('ndjson'),
});

export const auditEntry = () =>
  z.object({
    id: z.int(),
    user_id: z.string(),
    integration: z.string(),
    tool: z.string().describe('The name of a tool; for raw HTTP a method and the pattern of a path'),
    action: z
      .enum(['EXECUTE', 'CURL', 'DECIDE', 'REPLAY', 'DIRECTORY'])
      .describe(
        'A tool, raw HTTP, a decision about either, the repeat of a call that has run, or a change by a directory',
      ),
    success: z.boolean(),
    error: z.string().nullable(),
    duration_ms: z.int(),
    created_at: z.int().describe('Unix seconds'),
    actor: z
      .string()
      .nullable()
      .describe('`session`, `key`, `key:<id>` of a named key or `client:<id>` of an OAuth client'),
    outcome: z.enum(AUDIT_OUTCOMES).nullable().describe('Null in rows of version 0.1'),
    client_name: z.string().nullable().describe('The name that the key or client had'),
    access: z
      .enum(ACCESS_LEVELS)
      .nullable()
      .describe('What the call could do at most; null where nobody knows'),
    request_id: z.string().nullable().describe('The `X-Request-Id` of the response'),
    approval: z.string().nullable().describe('The approval that the row is about'),
    status: z.int().nullable().describe('The last HTTP status of the provider; null where none answered'),
    account: z.string().describe('Its label, where the person had several accounts').exactOptional(),
    owner: z
      .enum(['team'])
      .describe('The owner of the account; absent for one of the person’s own')
      .exactOptional(),
    subject: z
      .string()
      .describe('The argument that names what the call was about, where the query asks for it')
      .exactOptional(),
    script: z.string().describe('The run of the script that made the call').exactOptional(),
  });

const searchedUntil = () =>
  z
    .int()
    .describe('Where a search for a filter has stopped, in Unix seconds: `nextCursor` goes on from there')
    .exactOptional();

/** A page of rows, which administrators see with more in each row. */
export const auditPage = <E extends z.ZodType>(entry: E) =>
  z.object({
    entries: z.array(entry),
    nextCursor: z.string().describe('Absent on the last page').exactOptional(),
    searchedUntil: searchedUntil(),
  });
export type AuditPage = z.infer<ReturnType<typeof auditPage<ReturnType<typeof auditEntry>>>>;

export const auditFailures = () =>
  z.object({
    groups: z.array(
      z.object({
        id: z.int().describe('The newest call of the group, which `like` takes'),
        integration: z.string(),
        tool: z.string(),
        outcome: z.enum(AUDIT_OUTCOMES).nullable(),
        error: z.string().nullable(),
        calls: z.int(),
        first: z.int().describe('The time of the oldest call, in Unix seconds'),
        last: z.int().describe('The time of the newest call, in Unix seconds'),
      }),
    ),
    nextCursor: z.string().describe('Absent where no older call failed').exactOptional(),
    searchedUntil: searchedUntil(),
    isCut: z.boolean().describe('True where more groups were found than are listed'),
  });
export type AuditFailuresPage = z.infer<ReturnType<typeof auditFailures>>;

export const auditHistogram = () =>
  z.object({
    from: z.int().describe('When the first span begins, in Unix seconds'),
    until: z.int(),
    bucketSeconds: z.int(),
    buckets: z
      .array(z.object({ at: z.int().describe('When the span begins'), calls: z.int(), failed: z.int() }))
      .describe('The spans with calls, oldest first'),
    searchedUntil: z.int().describe('Calls before this time were not counted').exactOptional(),
  });
export type AuditHistogram = z.infer<ReturnType<typeof auditHistogram>>;

export const HISTOGRAM_DESCRIPTION =
  'Without `from` the time begins at the oldest call, at least a day ago. A request counts at most 20,000 calls.';

export const FAILURES_DESCRIPTION =
  'A group has the same tool, outcome and error. A request looks through at most 1,000 failed calls and lists at most 100 groups. An older call may belong to a group that was listed before.';

export const auditExported = (): Reply => ({
  description:
    'A download, newest rows first: a JSON object on each line, or CSV (`text/csv`) with a header row. A cell of CSV that a spreadsheet would take for a formula begins with an apostrophe',
  mediaType: 'application/x-ndjson',
  otherMediaType: 'text/csv',
});
