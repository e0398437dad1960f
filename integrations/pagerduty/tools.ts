// The tools of PagerDuty's REST API, version 2. Lists are paged by offset; `more` says whether there is
// another page.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row, send } = createRows({ names: 'snake_case', lists: 'brackets' });

const text = z.string();
const some = text.optional();
const texts = z.array(text).optional();
const until = some.describe('End of the time range, such as 2026-03-08T00:00:00Z; now by default');
const id = text.describe('Incident id such as PT4KHLK, from pagerduty_list_incidents');
const paging = (limit: number) => ({
  limit: z.int().default(limit).describe('Results per page, at most 100'),
  offset: z.int().optional().describe('Number of results to skip'),
});
const page = () => paging(25);
const query = some.describe('Part of a name');
const teamIds = texts.describe('Team ids, such as PQ9K7I8');
const others = () =>
  z
    .record(text, z.unknown())
    .optional()
    .describe(
      'Other fields as the API spells them, such as {"priority":{"id":"P53ZZH5","type":"priority_reference"}}',
    );

const INCIDENT = '/incidents/{id}';
const STATUSES = ['triggered', 'acknowledged', 'resolved'] as const;
const URGENCIES = ['high', 'low'] as const;

export const tools = [
  row(
    'pagerduty_whoami',
    'GET /users/me',
    'Show whose API key is connected; it fails for a key of the account, which has no user',
    () => ({}),
  ),
  row(
    'pagerduty_list_incidents',
    'GET /incidents',
    'List incidents that match filters, by default those of the last month',
    () => ({
      statuses: z.array(z.enum(STATUSES)).optional().describe('Only incidents with one of these statuses'),
      urgencies: z.array(z.enum(URGENCIES)).optional().describe('Only incidents with one of these urgencies'),
      serviceIds: texts.describe('Service ids, from pagerduty_list_services'),
      teamIds,
      since: some.describe(
        'Start, such as 2026-03-01T00:00:00Z; a month ago by default, at most six months before until',
      ),
      until,
      ...page(),
      sortBy: some.describe('At most two, separated by commas, such as created_at:desc,urgency:asc'),
    }),
  ),
  row('pagerduty_get_incident', `GET ${INCIDENT}`, 'Get an incident', () => ({
    id: text.describe('Incident id such as PT4KHLK, or its number'),
  })),
  tool(
    'pagerduty_create_incident',
    'Open an incident on a service; PagerDuty then notifies the people on call for it',
    () => ({
      title: text.describe('What is wrong, in a line'),
      serviceId: text.describe('From pagerduty_list_services'),
      urgency: z.enum(URGENCIES).optional().describe('By default the urgency that the service sets'),
      body: some.describe('Details, in plain text'),
      incident: others(),
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
    () => ({
      id,
      status: z.enum(STATUSES).optional().describe('New status'),
      resolution: some.describe('How it was resolved; only with status resolved'),
      title: some.describe('New title'),
      incident: others(),
    }),
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
    'Snooze an acknowledged incident: it triggers again after the duration',
    () => ({
      id,
      duration: z.int().min(1).describe('Seconds, at most 604800, which is a week'),
    }),
  ),
  row('pagerduty_list_incident_notes', `GET ${INCIDENT}/notes`, 'List all notes of an incident', () => ({
    id,
  })),
  tool(
    'pagerduty_add_incident_note',
    'Add a note to an incident',
    () => ({ id, content: text.describe('Text of the note') }),
    ({ id: incidentId, content }, { upstream }) =>
      send(upstream, `POST ${INCIDENT}/notes`, { id: incidentId, note: { content } }),
    'write',
  ),
  row('pagerduty_list_incident_alerts', `GET ${INCIDENT}/alerts`, 'List the alerts of an incident', () => ({
    id,
    ...page(),
  })),
  row('pagerduty_list_services', 'GET /services', 'List services', () => ({
    query,
    teamIds,
    ...page(),
  })),
  row('pagerduty_get_service', 'GET /services/{id}', 'Get a service', () => ({
    id: text.describe('Service id, from pagerduty_list_services'),
  })),
  row(
    'pagerduty_list_oncalls',
    'GET /oncalls',
    'List who is on call, now or between since and until',
    () => ({
      scheduleIds: texts.describe('Schedule ids, from pagerduty_list_schedules'),
      userIds: texts.describe('User ids, from pagerduty_list_users'),
      since: some.describe('Start of the time range, such as 2026-03-01T00:00:00Z; now by default'),
      until,
      ...page(),
    }),
  ),
  row('pagerduty_list_schedules', 'GET /schedules', 'List on-call schedules', () => ({
    query,
    ...page(),
  })),
  row('pagerduty_list_escalation_policies', 'GET /escalation_policies', 'List escalation policies', () => ({
    query,
    ...page(),
  })),
  row('pagerduty_list_users', 'GET /users', 'List the users of the account', () => ({ query, ...page() })),
  row(
    'pagerduty_list_log_entries',
    `GET ${INCIDENT}/log_entries`,
    'List what has happened to an incident, newest first',
    () => ({ id, ...paging(50) }),
  ),
];
