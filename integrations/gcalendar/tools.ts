// The tools of Google Calendar. A calendar is named by its id; `primary` is the person's own.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { object, pageToken, row, send, some, text, texts } from '../google/oauth.ts';

const calendarId = text.default('primary').describe('From gcalendar_list_calendars; primary is one’s own');
const event = { calendarId, eventId: text };
const moment = some.describe('RFC 3339 with an offset, such as 2026-03-01T09:00:00+01:00');
const time = object.describe(
  '{dateTime: RFC 3339, timeZone?: such as Europe/Berlin}, or {date: 2026-03-01} for whole days',
);
/** A PATCH keeps the fields that it does not name, and Google refuses an event with both a day and a time. */
const changed = time
  .transform((to) => ({
    ...('date' in to ? { dateTime: null } : 'dateTime' in to ? { date: null } : {}),
    ...to,
  }))
  .optional();
const sendUpdates = some.describe(
  'Who of the guests gets a mail: all, externalOnly or none, as when not given',
);
const details = {
  description: some,
  location: some,
  attendees: z.array(object).optional().describe('Each {email, optional?, displayName?}'),
};

const EVENTS = '/calendars/{calendarId}/events';

export const tools = [
  row(
    'gcalendar_whoami',
    'GET /calendars/primary',
    'Whose calendar it is: the primary calendar, whose id is the address of the account, and its time zone',
    () => ({}),
  ),
  row(
    'gcalendar_list_calendars',
    'GET /users/me/calendarList',
    'List the calendars the person sees, paged by pageToken',
    () => ({ maxResults: z.int().default(50).describe('At most 250'), pageToken }),
  ),
  row(
    'gcalendar_list_events',
    `GET ${EVENTS}`,
    'List or search the events of a calendar, paged by pageToken',
    () => ({
      calendarId,
      timeMin: moment,
      timeMax: moment,
      query: some.describe('Words in title, description, place or guests'),
      singleEvents: z.boolean().default(true).describe('Each instance of a recurring event by itself'),
      orderBy: some.describe('startTime, with singleEvents only, or updated'),
      maxResults: z.int().default(20).describe('At most 2500'),
      pageToken,
    }),
    { names: { query: 'q' } },
  ),
  row('gcalendar_get_event', `GET ${EVENTS}/{eventId}`, 'Get one event', () => event),
  tool(
    'gcalendar_create_event',
    'Create an event, with guests, a recurrence or a video call',
    () => ({
      calendarId,
      summary: some.describe('The title'),
      start: time,
      end: time,
      ...details,
      recurrence: texts.optional().describe('Such as RRULE:FREQ=WEEKLY;COUNT=10'),
      sendUpdates,
      conferenceDataVersion: z
        .int()
        .optional()
        .describe('1 where conferenceData is given; with 0 Google leaves it out'),
      conferenceData: object
        .optional()
        .describe('{createRequest: {requestId, conferenceSolutionKey: {type: hangoutsMeet}}}'),
    }),
    (args, { upstream }) => {
      const version = args.conferenceDataVersion ?? (args.conferenceData === undefined ? undefined : 1);
      const made = { ...args, conferenceDataVersion: version };
      return send(upstream, `POST ${EVENTS}`, made, { query: ['sendUpdates', 'conferenceDataVersion'] });
    },
    'write',
  ),
  row(
    'gcalendar_update_event',
    `PATCH ${EVENTS}/{eventId}`,
    'Change what is given of an event; a list of attendees replaces the one before',
    () => ({
      ...event,
      summary: some.describe('The title'),
      start: changed,
      end: changed,
      ...details,
      sendUpdates,
    }),
    { query: ['sendUpdates'] },
  ),
  row('gcalendar_delete_event', `DELETE ${EVENTS}/{eventId}`, 'Delete an event', () => ({
    ...event,
    sendUpdates,
  })),
  row(
    'gcalendar_quick_add_event',
    `POST ${EVENTS}/quickAdd`,
    'Create an event from a sentence, such as "Lunch with Ana tomorrow at noon"',
    () => ({ calendarId, text }),
    { query: ['text'] },
  ),
  row(
    'gcalendar_move_event',
    `POST ${EVENTS}/{eventId}/move`,
    'Move an event to another calendar',
    () => ({ ...event, destination: text.describe('Id of the other calendar') }),
    { query: ['destination'] },
  ),
  row(
    'gcalendar_list_event_instances',
    `GET ${EVENTS}/{eventId}/instances`,
    'List the instances of a recurring event, paged by pageToken',
    () => ({ ...event, timeMin: moment, timeMax: moment, maxResults: z.int().optional(), pageToken }),
  ),
  row(
    'gcalendar_query_free_busy',
    'POST /freeBusy',
    'Find when calendars are busy between two times; all of it at once',
    () => ({
      timeMin: text.describe('RFC 3339 with an offset'),
      timeMax: text.describe('RFC 3339 with an offset'),
      items: z.array(object).describe('Each {id} of a calendar, such as an address'),
      timeZone: some,
    }),
    { access: 'read' },
  ),
];
