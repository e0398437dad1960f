// Describes the routes of the whole gateway's calls and clients, and declares their queries and answers.
// reference: Administration of people
import * as z from 'zod';
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
} from '../record/model/row-schemas.ts';
import { failure, type Operations, reply, succeeded } from '../http/operation.ts';
import { HAS_NO_CONTROL } from '../kit/shown-text.ts';
import { Cursor } from '../kit/cursor.ts';

const MAX_ID_CHARACTERS = 100;

const person = z
  .string()
  .min(1)
  .max(MAX_ID_CHARACTERS)
  .regex(HAS_NO_CONTROL, { error: 'must have no control characters' })
  .describe('The id of a person. Absent reads the rows of everybody')
  .optional();

/** What a call was about is for its person alone. */
export const EverybodysAuditQuery = AuditQuery.omit({ subject: true }).extend({ person });
export const EverybodysAuditFailuresQuery = AuditFailuresQuery.extend({ person });
export const EverybodysAuditHistogramQuery = AuditHistogramQuery.extend({ person });
export const EverybodysAuditExportQuery = AuditExportQuery.extend({ person });

export const AgentsQuery = z.object({ cursor: Cursor.optional() });

const everybodysAuditPage = () =>
  auditPage(
    auditEntry().extend({
      user: z.object({
        id: z.string(),
        email: z.string().nullable().describe('Null for a person who is gone'),
      }),
    }),
  );

const registeredAgent = () =>
  z.object({
    id: z.string().describe('The `client_id`'),
    name: z.string().nullable(),
    people: z.int().describe('How many people it holds a live token of'),
    createdAt: z.int().describe('Unix seconds'),
    lastUsedAt: z.int().describe('Its last call for anybody, in Unix seconds to the minute').exactOptional(),
  });

const registeredAgents = () =>
  z.object({
    agents: z.array(registeredAgent()),
    nextCursor: z.string().describe('Absent on the last page').exactOptional(),
  });

export type EverybodysAuditPage = z.infer<ReturnType<typeof everybodysAuditPage>>;
export type RegisteredAgent = z.infer<ReturnType<typeof registeredAgent>>;
export type RegisteredAgents = z.infer<ReturnType<typeof registeredAgents>>;

const MEMBER = failure('The caller is not an administrator');
const GONE = failure('The user is gone');

export const overviewOperations: Operations = () => ({
  'GET /api/admin/audit': {
    id: 'listEverybodysAuditEntries',
    tag: 'Administration',
    summary: 'List the calls of everybody, newest first',
    description:
      'A page has at most 50 rows. With a filter a page may be short or empty and still have a `nextCursor`.',
    access: 'read',
    caller: 'portal',
    query: EverybodysAuditQuery,
    replies: {
      200: reply('A page', everybodysAuditPage()),
      400: failure('A bad cursor, filter or person'),
      403: MEMBER,
      404: GONE,
    },
  },
  'GET /api/admin/audit/failures': {
    id: 'listEverybodysAuditFailures',
    tag: 'Administration',
    summary: 'List the failed calls of everybody, like ones together',
    description: FAILURES_DESCRIPTION,
    access: 'read',
    caller: 'portal',
    query: EverybodysAuditFailuresQuery,
    replies: {
      200: reply('The groups', auditFailures()),
      400: failure('A bad cursor, filter or person'),
      403: MEMBER,
      404: GONE,
    },
  },
  'GET /api/admin/audit/histogram': {
    id: 'countEverybodysAuditEntries',
    tag: 'Administration',
    summary: 'Count the calls of everybody over time',
    description: HISTOGRAM_DESCRIPTION,
    access: 'read',
    caller: 'portal',
    query: EverybodysAuditHistogramQuery,
    replies: {
      200: reply('The counts', auditHistogram()),
      400: failure('A bad filter or person'),
      403: MEMBER,
      404: GONE,
    },
  },
  'GET /api/admin/audit/export': {
    id: 'exportEverybodysAuditEntries',
    tag: 'Administration',
    summary: 'Download the calls of everybody',
    description: 'Each row also has the e-mail address of its person, as `user_email`.',
    access: 'read',
    caller: 'portal',
    query: EverybodysAuditExportQuery,
    replies: {
      200: auditExported(),
      400: failure('A bad format, filter or person'),
      403: MEMBER,
      404: GONE,
    },
  },
  'GET /api/admin/agents': {
    id: 'listRegisteredAgents',
    tag: 'Administration',
    summary: 'List the MCP clients that somebody has let in',
    access: 'read',
    caller: 'portal',
    query: AgentsQuery,
    replies: {
      200: reply('A page of at most 100', registeredAgents()),
      400: failure('A bad cursor'),
      403: MEMBER,
      404: GONE,
    },
  },
  'DELETE /api/admin/agents/:clientId': {
    id: 'deleteRegisteredAgent',
    tag: 'Administration',
    summary: 'Delete an MCP client with the codes and tokens of everybody',
    description: 'Issued access tokens stay valid until they expire.',
    access: 'destroy',
    caller: 'session',
    replies: {
      200: succeeded('The client is gone'),
      403: MEMBER,
      404: failure('No such agent is registered, or the user is gone'),
    },
  },
});
