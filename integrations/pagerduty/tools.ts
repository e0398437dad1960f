// The tools of PagerDuty's REST API, version 2. Lists are paged by offset; `more` says whether there is
// another page.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row, send } = createRows({ names: 'snake_case', lists: 'brackets' });

const text = z.string();
const some = text.optional();
const texts = z.array(text).optional();
const since = some.describe('Such as 2026-03-01T00:00:00Z');
const until = some.describe('Such as 2026-03-08T00:00:00Z');
const id = text.describe('Such as PT4KHLK');
const page = { limit: z.int().default(25).describe('At most 100'), offset: z.int().optional() };
const query = some.describe('Part of a name');
const others = z
  .record(text, z.unknown())
  .optional()
  .describe('Other fields of the incident, as PagerDuty spells them');

const INCIDENT = '/incidents/{id}';
const STATUSES = ['triggered', 'acknowledged', 'resolved'] as const;
const URGENCIES = ['high', 'low'] as const;

export const tools = [
  row('pagerduty_whoami', 'GET /users/me', 'Who the API key belongs to; only a user token knows', () => ({})),
  row(
    'pagerduty_list_incidents',
    'GET /incidents',
    'List incidents by filters, of the last month unless since is given, paged by offset',
    () => ({
      statuses: z.array(z.enum(STATUSES)).optional(),
      urgencies: z.array(z.enum(URGENCIES)).optional(),
      serviceIds: texts,
      teamIds: texts,
      since: since.describe(
        'Such as 2026-03-01T00:00:00Z; a month ago unless given, at most six before until',
      ),
      until,
      ...page,
      sortBy: some.describe('Such as created_at:desc, urgency:asc'),
    }),
  ),
  row('pagerduty_get_incident', `GET ${INCIDENT}`, 'Get an incident', () => ({
    id: text.describe('Id or number of the incident'),
  })),
  tool(
    'pagerduty_create_incident',
    'Open an incident at a service, which calls whoever is on call there',
    () => ({
      title: text,
      serviceId: text,
      urgency: z.enum(URGENCIES).optional(),
      body: some.describe('Details, as text'),
      incident: others,
    }),
    ({ title, serviceId, urgency, body, incident }, { upstream }) =>
      send(upstream, 'POST /incidents', {
        incident: {
          type: 'incident',
          title,
          service: { id: serviceId, type: 'service_reference' },
          urgency,
          body: body === undefined ? undefined : { type: 'incident_body', details: body },
          ...incident,
        },
      }),
    'write',
  ),
  tool(
    'pagerduty_update_incident',
    'Acknowledge, resolve, rename or otherwise change an incident',
    () => ({ id, status: z.enum(STATUSES).optional(), resolution: some, title: some, incident: others }),
    ({ id: incidentId, status, resolution, title, incident }, { upstream }) =>
      send(upstream, `PUT ${INCIDENT}`, {
        id: incidentId,
        incident: { type: 'incident_reference', status, resolution, title, ...incident },
      }),
    'write',
  ),
  row(
    'pagerduty_snooze_incident',
    `POST ${INCIDENT}/snooze`,
    'Let an acknowledged incident rest for a while',
    () => ({
      id,
      duration: z.int().min(1).describe('Seconds, at most 604800'),
    }),
  ),
  row('pagerduty_list_incident_notes', `GET ${INCIDENT}/notes`, 'List all notes of an incident', () => ({
    id,
  })),
  tool(
    'pagerduty_add_incident_note',
    'Add a note to an incident',
    () => ({ id, content: text }),
    ({ id: incidentId, content }, { upstream }) =>
      send(upstream, `POST ${INCIDENT}/notes`, { id: incidentId, note: { content } }),
    'write',
  ),
  row(
    'pagerduty_list_incident_alerts',
    `GET ${INCIDENT}/alerts`,
    'List alerts of an incident, paged by offset',
    () => ({
      id,
      ...page,
    }),
  ),
  row('pagerduty_list_services', 'GET /services', 'List services, paged by offset', () => ({
    query,
    teamIds: texts,
    ...page,
  })),
  row('pagerduty_get_service', 'GET /services/{id}', 'Get a service', () => ({ id })),
  row(
    'pagerduty_list_oncalls',
    'GET /oncalls',
    'List who is on call, now or from since to until, paged by offset',
    () => ({
      scheduleIds: texts,
      userIds: texts,
      since,
      until,
      ...page,
    }),
  ),
  row('pagerduty_list_schedules', 'GET /schedules', 'List on-call schedules, paged by offset', () => ({
    query,
    ...page,
  })),
  row(
    'pagerduty_list_escalation_policies',
    'GET /escalation_policies',
    'List escalation policies, paged by offset',
    () => ({
      query,
      ...page,
    }),
  ),
  row('pagerduty_list_users', 'GET /users', 'List users, paged by offset', () => ({ query, ...page })),
  row(
    'pagerduty_list_log_entries',
    `GET ${INCIDENT}/log_entries`,
    'List what has happened to an incident, newest first, paged by offset',
    () => ({ id, limit: z.int().default(50).describe('At most 100'), offset: z.int().optional() }),
  ),
];
