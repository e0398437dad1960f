// The spelling of HubSpot's API, and the records as a model reads them.
import * as z from 'zod';
import { createRows } from '../../src/kit/rest-rows.ts';
import { withoutEmpty } from '../../src/kit/without-empty.ts';
import { toMarkdown } from '../html/to-markdown.ts';

export const { row, send } = createRows({ names: 'camelCase', lists: 'comma' });

export const text = z.string();
export const some = text.optional();
export const texts = z.array(text);

/** The year and month name the version of the API. */
export const OBJECTS = '/crm/objects/2026-03/{objectType}';
export const RECORD = `${OBJECTS}/{objectId}` as const;

export const objectType = text.describe(
  'contacts, companies, deals, tickets, notes, tasks, calls, emails, meetings, products or line_items, or a custom type such as 2-123456',
);
export const objectId = text.describe('`id` of the record, from hubspot_search_records');
export const record = { objectType, objectId };
export const ownerId = some.describe('Owner by `id`, from hubspot_list_owners');

export const paging = (most: number) => ({
  limit: z.int().min(1).max(most).default(20).describe('Results per page'),
  after: some.describe('`after` of the previous page'),
});

/** HubSpot returns few properties unless it is asked for others. */
const SHOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['contacts', ['firstname', 'lastname', 'email', 'phone', 'jobtitle', 'company', 'lifecyclestage']],
  ['companies', ['name', 'domain', 'industry', 'phone', 'city', 'country', 'lifecyclestage']],
  ['deals', ['dealname', 'amount', 'dealstage', 'pipeline', 'closedate']],
  ['tickets', ['subject', 'content', 'hs_pipeline', 'hs_pipeline_stage', 'hs_ticket_priority']],
  ['notes', ['hs_note_body', 'hs_timestamp']],
  [
    'tasks',
    ['hs_task_subject', 'hs_task_body', 'hs_task_status', 'hs_task_priority', 'hs_task_type', 'hs_timestamp'],
  ],
  ['calls', ['hs_call_title', 'hs_call_body', 'hs_call_direction', 'hs_call_duration', 'hs_timestamp']],
  ['emails', ['hs_email_subject', 'hs_email_text', 'hs_email_direction', 'hs_timestamp']],
  ['meetings', ['hs_meeting_title', 'hs_meeting_body', 'hs_meeting_start_time', 'hs_meeting_end_time']],
]);

export const properties = texts
  .optional()
  .describe('Names of the properties to return, from hubspot_list_properties; the usual ones by default');

export function propertiesOf(
  type: string,
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  const shown = SHOWN.get(type);
  return asked ?? (shown === undefined ? undefined : [...shown, 'hubspot_owner_id']);
}

/** The properties that hold HTML. */
const HTML = /^hs_(?:note|task|call|meeting)_body$/;

const Shown = z.lazy(() =>
  z.object({
    id: text,
    url: some,
    properties: z.record(text, z.unknown()).default({}),
    updatedAt: some,
    associations: z.record(text, z.object({ results: z.array(z.looseObject({ id: text })) })).optional(),
  }),
);

export function showRecord(payload: unknown): unknown {
  const { associations = {}, properties: values, ...rest } = Shown.parse(payload);
  const read = Object.entries(values).map(([name, value]) => [
    name,
    HTML.test(name) && typeof value === 'string' ? toMarkdown(value) : value,
  ]);
  const linked = Object.entries(associations).map(([name, { results }]) => [
    name,
    // A link with several labels is listed once for each.
    [...new Set(results.map(({ id }) => id))],
  ]);
  return withoutEmpty({
    ...rest,
    properties: Object.fromEntries(read),
    associations: Object.fromEntries(linked),
  });
}

const Page = z.lazy(() =>
  z.object({
    total: z.int().optional(),
    results: z.array(z.unknown()),
    paging: z.object({ next: z.object({ after: text }).optional() }).optional(),
  }),
);

/** Shows a page of a list, with the cursor of the next one. */
export function showPage(payload: unknown, show: (item: unknown) => unknown): object {
  const { total, results, paging: { next } = {} } = Page.parse(payload);
  return {
    ...(total === undefined ? {} : { total }),
    results: results.map(show),
    ...(next === undefined ? {} : { after: next.after }),
  };
}
