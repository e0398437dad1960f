// Notes and tasks, and what has happened with a record.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { toHtml } from '../html/from-markdown.ts';
import {
  objectId,
  ownerId,
  paging,
  propertiesOf,
  RECORD,
  send,
  showPage,
  showRecord,
  some,
  text,
} from './fields.ts';

const PARENTS = ['contacts', 'companies', 'deals', 'tickets'] as const;
const ACTIVITIES = ['notes', 'tasks', 'calls', 'emails', 'meetings'] as const;

/** The ids of HubSpot's own types of links, from a note and from a task. docs: Association type ID values */
const LINK_TYPES = {
  notes: { contacts: 202, companies: 190, deals: 214, tickets: 228 },
  tasks: { contacts: 204, companies: 192, deals: 216, tickets: 230 },
} as const;

const parent = () => ({
  objectType: z.enum(PARENTS).describe('Type of the record it belongs to'),
  objectId,
});
const Linked = z.lazy(() =>
  z.object({
    results: z.array(z.object({ toObjectId: z.union([text, z.int()]) })),
    paging: z.unknown().optional(),
  }),
);
const time = z.iso.datetime({ offset: true });

function linkTo(kind: keyof typeof LINK_TYPES, type: (typeof PARENTS)[number], id: string): object[] {
  const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: LINK_TYPES[kind][type] }];
  return [{ to: { id }, types }];
}

export const activities: readonly Tool[] = [
  tool(
    'hubspot_list_activities',
    'List the notes, tasks, calls, emails or meetings of a record',
    () => ({
      ...parent(),
      activity: z.enum(ACTIVITIES).default('notes').describe('Kind of activity'),
      ...paging(100),
    }),
    async ({ activity, ...args }, { upstream }) => {
      const linked = Linked.parse(
        await send(upstream, `GET ${RECORD}/associations/{activity}`, { ...args, activity }),
      );
      const inputs = linked.results.map(({ toObjectId }) => ({ id: String(toObjectId) }));
      if (inputs.length === 0) return { results: [] };
      const read = await send(upstream, 'POST /crm/objects/2026-03/{activity}/batch/read', {
        activity,
        inputs,
        properties: propertiesOf(activity, undefined),
        propertiesWithHistory: [],
      });
      return showPage({ ...Object(read), paging: linked.paging }, showRecord);
    },
  ),
  tool(
    'hubspot_create_note',
    'Write a note on a contact, company, deal or ticket',
    () => ({
      ...parent(),
      body: text.max(65_536).describe('Text of the note, in Markdown'),
      timestamp: time.optional().describe('When it happened, such as 2026-03-01T09:00:00Z; now by default'),
      ownerId,
    }),
    async ({ objectType, objectId: id, body, timestamp, ownerId: owner }, { upstream, clock }) => {
      const properties = {
        hs_note_body: toHtml(body),
        hs_timestamp: timestamp ?? new Date(clock.millis()).toISOString(),
        hubspot_owner_id: owner,
      };
      const associations = linkTo('notes', objectType, id);
      return showRecord(
        await send(upstream, 'POST /crm/objects/2026-03/notes', { properties, associations }),
      );
    },
    'write',
  ),
  tool(
    'hubspot_create_task',
    'Create a task, or a reminder to follow up, on a contact, company, deal or ticket',
    () => ({
      ...parent(),
      subject: text.describe('Title of the task'),
      body: some.describe('Notes on the task, in Markdown'),
      dueAt: time.describe('When it is due, such as 2026-03-01T09:00:00Z'),
      type: z.enum(['TODO', 'EMAIL', 'CALL']).default('TODO').describe('What there is to do'),
      priority: z.enum(['NONE', 'LOW', 'MEDIUM', 'HIGH']).default('NONE').describe('How urgent it is'),
      ownerId,
    }),
    async (
      { objectType, objectId: id, subject, body, dueAt, type, priority, ownerId: owner },
      { upstream },
    ) => {
      const properties = {
        hs_task_subject: subject,
        hs_task_body: body === undefined ? undefined : toHtml(body),
        hs_timestamp: dueAt,
        hs_task_type: type,
        hs_task_priority: priority,
        hs_task_status: 'NOT_STARTED',
        hubspot_owner_id: owner,
      };
      const associations = linkTo('tasks', objectType, id);
      return showRecord(
        await send(upstream, 'POST /crm/objects/2026-03/tasks', { properties, associations }),
      );
    },
    'write',
  ),
];
