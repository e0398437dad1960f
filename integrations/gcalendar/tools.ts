// The tools of Google Calendar. A calendar is named by its id; `primary` is the person's own.
import * as z from 'zod';
import { tool } from '../../src/kit/integration.ts';
import { object, pageToken, row, send, some, text, texts } from '../google/oauth.ts';

const calendarId = text
  .default('primary')
  .describe('Calendar id, from gcalendar_list_calendars; primary is the main calendar of the person');
const event = { calendarId, eventId: text.describe('Event id, from gcalendar_list_events') };
const TIME_MIN = 'Only events that end after this time, such as 2026-03-01T09:00:00+01:00';
const TIME_MAX = 'Only events that start before this time, such as 2026-03-08T09:00:00+01:00';
const title = some.describe('Title of the event');
const time = object.describe(
  'Such as {"dateTime":"2026-03-01T09:00:00+01:00","timeZone":"Europe/Berlin"}, or {"date":"2026-03-01"} for whole days',
);
/** A PATCH keeps the fields that it does not name, and Google refuses an event with both a day and a time. */
const changed = time
  .transform((to) => ({
    ...('date' in to ? { dateTime: null } : 'dateTime' in to ? { date: null } : {}),
    ...to,
  }))
  .optional();
const sendUpdates = some.describe('Guests who get a mail about it: all, externalOnly or none (the default)');
const details = () => ({
  description: some.describe('Notes on the event; may be HTML'),
  location: some.describe('Place, as free text'),
  attendees: z
    .array(object)
    .optional()
    .describe('Guests, each such as {"email":"ana@example.com","optional":true}'),
});

const EVENTS = '/calendars/{calendarId}/events';

export const tools = [
  row(
    'gcalendar_whoami',
    'GET /calendars/primary',
    'Show who is connected: the primary calendar, its id (the e-mail address of the account) and time zone',
    () => ({}),
  ),
  row(
    'gcalendar_list_calendars',
    'GET /users/me/calendarList',
    'List the calendars that the person sees',
    () => ({ maxResults: z.int().default(50).describe('Calendars per page, at most 250'), pageToken }),
  ),
  row(
    'gcalendar_list_events',
    `GET ${EVENTS}`,
    'List or search the events of a calendar',
    () => ({
      calendarId,
      timeMin: some.describe(TIME_MIN),
      timeMax: some.describe(TIME_MAX),
      query: some.describe('Words in the title, description, place or guests'),
      singleEvents: z
        .boolean()
        .default(true)
        .describe('true lists each instance of a recurring event, false the recurring event once'),
      orderBy: some.describe('startTime (only with singleEvents) or updated'),
      maxResults: z.int().default(20).describe('Events per page, at most 2500'),
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
      summary: title,
      start: time,
      end: time,
      ...details(),
      recurrence: texts.optional().describe('Rules of RFC 5545, such as RRULE:FREQ=WEEKLY;COUNT=10'),
      sendUpdates,
      conferenceDataVersion: z
        .int()
        .optional()
        .describe('1 (the default with conferenceData) creates the video call, 0 ignores conferenceData'),
      conferenceData: object
        .optional()
        .describe(
          'Video call, such as {"createRequest":{"requestId":"a1","conferenceSolutionKey":{"type":"hangoutsMeet"}}}',
        ),
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
    'Change an event; arguments left out stay as they are, attendees replaces the whole list of guests',
    () => ({
      ...event,
      summary: title,
      start: changed,
      end: changed,
      ...details(),
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
    () => ({ calendarId, text: text.describe('Title, time and place in one sentence') }),
    { query: ['text'] },
  ),
  row(
    'gcalendar_move_event',
    `POST ${EVENTS}/{eventId}/move`,
    'Move an event to another calendar',
    () => ({
      ...event,
      destination: text.describe('Calendar id to move it to, from gcalendar_list_calendars'),
    }),
    { query: ['destination'] },
  ),
  row(
    'gcalendar_list_event_instances',
    `GET ${EVENTS}/{eventId}/instances`,
    'List the instances of a recurring event',
    () => ({
      ...event,
      timeMin: some.describe(TIME_MIN),
      timeMax: some.describe(TIME_MAX),
      maxResults: z.int().optional().describe('Instances per page, at most 2500'),
      pageToken,
    }),
  ),
  row(
    'gcalendar_query_free_busy',
    'POST /freeBusy',
    'Find when people or calendars are busy between two times',
    () => ({
      timeMin: text.describe('Start of the time range, such as 2026-03-01T09:00:00+01:00'),
      timeMax: text.describe('End of the time range, such as 2026-03-01T18:00:00+01:00'),
      items: z.array(object).describe('Calendars, each such as {"id":"ana@example.com"} or {"id":"primary"}'),
      timeZone: some.describe('Time zone of the answer, such as Europe/Berlin; UTC by default'),
    }),
    { access: 'read' },
  ),
];
