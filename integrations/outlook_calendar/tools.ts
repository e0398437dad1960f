// The tools of Outlook Calendar. Without a calendar id a tool uses the person's main calendar.
import * as z from 'zod';
import { type Tool, tool, type Upstream } from '../../src/kit/integration.ts';
import type { SendOptions } from '../../src/kit/rest-rows.ts';
import {
  IMMUTABLE_IDS,
  literal,
  object,
  type Page,
  page,
  pageSize,
  readPage,
  row,
  send,
  some,
  text,
  texts,
} from '../microsoft/graph.ts';
import { local, preferZone, timeZone, toMoment, zoneOfAnswer } from '../microsoft/moments.ts';
import { RECIPIENT, toRecipients } from '../microsoft/recipients.ts';
import { details, toEvent } from './event.ts';
import { LISTED, showEvent, WHOLE } from './show.ts';

const calendarId = some.describe(
  'Calendar id, from outlook_calendar_list_calendars; the main calendar by default',
);
const eventId = text.describe('Event id, from outlook_calendar_list_events');
const moment = (what: string) =>
  z.iso.datetime({ offset: true }).describe(`${what}, such as 2026-03-01T00:00:00Z`);
const WEEK_MS = 7 * 24 * 3_600_000;

const inZone = (zone: string | undefined): Pick<SendOptions, 'headers'> =>
  zone === undefined ? {} : { headers: preferZone(zone, IMMUTABLE_IDS) };

const paged = () => ({ timeZone: zoneOfAnswer, pageSize: pageSize(1000), page });

interface Listing {
  request: `GET /${string}`;
  place: Record<string, unknown>;
  query: Record<string, string>;
}

/** Reads a page of events. */
function readEvents(
  upstream: Upstream,
  { request, place, query }: Listing,
  given: { timeZone?: string | undefined; pageSize: number; page?: string | undefined },
): Promise<Page> {
  return readPage(upstream, request, {
    place,
    query: { ...query, $top: given.pageSize, $select: LISTED },
    page: given.page,
    ...inZone(given.timeZone),
    show: showEvent,
  });
}

const calendarOf = (id: string | undefined): `/${string}` =>
  id === undefined ? '/me' : '/me/calendars/{calendarId}';

const START = 'Start, such as 2026-03-01T09:00:00 in timeZone, or 2026-03-01 for whole days';
const END = 'End, likewise; for whole days the day after the last one';

export const tools: readonly Tool[] = [
  tool(
    'outlook_calendar_list_calendars',
    'List the calendars of the person with their ids',
    () => ({ pageSize: pageSize(100), page }),
    ({ pageSize: $top, page: cursor }, { upstream }) =>
      readPage(upstream, 'GET /me/calendars', {
        query: { $top, $select: 'id,name,color,isDefaultCalendar,canEdit,owner' },
        page: cursor,
      }),
  ),
  tool(
    'outlook_calendar_list_events',
    'List the events of a calendar between two times, with each instance of recurring events',
    () => ({
      start: moment('Only events that end after this time').optional(),
      end: moment('Only events that start before this time; a week after the start by default').optional(),
      calendarId,
      ...paged(),
    }),
    ({ start, end, calendarId: id, ...given }, { upstream, clock }) => {
      const startDateTime = start ?? new Date(clock.now() * 1000).toISOString();
      const endDateTime = end ?? new Date(Date.parse(startDateTime) + WEEK_MS).toISOString();
      const query = { startDateTime, endDateTime, $orderby: 'start/dateTime' };
      const request = `GET ${calendarOf(id)}/calendarView` as const;
      return readEvents(upstream, { request, place: { calendarId: id }, query }, given);
    },
  ),
  tool(
    'outlook_calendar_search_events',
    'Search events by words in their titles; recurring events appear once',
    () => ({
      title: text.describe('Part of the title of the event'),
      calendarId,
      ...paged(),
    }),
    ({ title, calendarId: id, ...given }, { upstream }) => {
      const query = { $filter: `contains(subject,${literal(title)})` };
      const request = `GET ${calendarOf(id)}/events` as const;
      return readEvents(upstream, { request, place: { calendarId: id }, query }, given);
    },
  ),
  tool(
    'outlook_calendar_get_event',
    'Get one event with its notes, guests and recurrence',
    () => ({ id: eventId, timeZone: zoneOfAnswer }),
    async ({ id, timeZone: zone }, { upstream }) => {
      const options = inZone(zone);
      return showEvent(await send(upstream, 'GET /me/events/{id}', { id, $select: WHOLE }, options));
    },
  ),
  tool(
    'outlook_calendar_create_event',
    'Create an event or meeting, with guests, a recurrence or a Teams call',
    () => ({
      subject: text.describe('Title of the event'),
      start: local.describe(START),
      end: local.describe(END),
      timeZone: timeZone(),
      ...details(),
      calendarId,
    }),
    async ({ calendarId: id, ...event }, { upstream }) => {
      const options = inZone(event.timeZone);
      const made = { calendarId: id, ...toEvent(event) };
      return showEvent(await send(upstream, `POST ${calendarOf(id)}/events`, made, options));
    },
    'write',
  ),
  tool(
    'outlook_calendar_update_event',
    'Change an event; arguments left out stay as they are, and attendees replace all guests',
    () => ({
      id: eventId,
      subject: some.describe('Title of the event'),
      start: local.optional().describe(START),
      end: local.optional().describe(END),
      timeZone: timeZone(),
      ...details(),
    }),
    async ({ id, ...event }, { upstream }) => {
      const options = inZone(event.timeZone);
      return showEvent(await send(upstream, 'PATCH /me/events/{id}', { id, ...toEvent(event) }, options));
    },
    'write',
  ),
  row(
    'outlook_calendar_delete_event',
    'DELETE /me/events/{id}',
    'Delete an event; guests of a meeting get a cancellation',
    () => ({ id: eventId }),
  ),
  row(
    'outlook_calendar_cancel_event',
    'POST /me/events/{id}/cancel',
    'Cancel a meeting that the person organizes, and tell its guests why',
    () => ({ id: eventId, comment: some.describe('Message to the guests') }),
    { access: 'destroy', result: () => ({ cancelled: true }) },
  ),
  tool(
    'outlook_calendar_respond_to_event',
    'Accept or decline an invitation',
    () => ({
      id: eventId,
      answer: z.enum(['accept', 'tentativelyAccept', 'decline']).describe('What to answer'),
      comment: some.describe('Message to the organizer'),
      sendResponse: z.boolean().default(true).describe('false tells the organizer nothing'),
    }),
    async ({ answer, ...rest }, { upstream }) => {
      await send(upstream, `POST /me/events/{id}/${answer}`, rest);
      return { answered: answer };
    },
    'write',
  ),
  tool(
    'outlook_calendar_forward_event',
    'Invite more people to a meeting by forwarding it',
    () => ({
      id: eventId,
      to: texts.describe(`Recipients, each an ${RECIPIENT}`),
      comment: some.describe('Message to them'),
    }),
    async ({ to, ...rest }, { upstream }) => {
      await send(upstream, 'POST /me/events/{id}/forward', { ...rest, toRecipients: toRecipients(to) });
      return { forwarded: true };
    },
    'write',
  ),
  tool(
    'outlook_calendar_list_event_instances',
    'List the instances of a recurring event between two times',
    () => ({
      id: text.describe('seriesMasterId of an event from outlook_calendar_list_events'),
      start: moment('Only instances that end after this time'),
      end: moment('Only instances that start before this time'),
      ...paged(),
    }),
    ({ id, start: startDateTime, end: endDateTime, ...given }, { upstream }) => {
      const query = { startDateTime, endDateTime };
      return readEvents(upstream, { request: 'GET /me/events/{id}/instances', place: { id }, query }, given);
    },
  ),
  tool(
    'outlook_calendar_query_free_busy',
    'Find when people or rooms are busy between two times; for work and school accounts',
    () => ({
      people: texts.describe('E-mail addresses of people, rooms or groups, such as ana@example.com'),
      start: local.describe('Start of the time range, such as 2026-03-01T09:00:00 in timeZone'),
      end: local.describe('End of the time range, at most 62 days later'),
      timeZone: timeZone(),
      interval: z.int().min(5).max(1440).default(30).describe('Minutes for each digit of availabilityView'),
    }),
    async ({ people, start, end, timeZone: zone, interval }, { upstream }) => {
      const body = {
        schedules: people,
        startTime: toMoment(start, zone),
        endTime: toMoment(end, zone),
        availabilityViewInterval: interval,
      };
      const answer = await send(upstream, 'POST /me/calendar/getSchedule', body, inZone(zone));
      const { value } = z.object({ value: z.array(object) }).parse(answer);
      return {
        meaning: 'availabilityView: 0 free, 1 tentative, 2 busy, 3 out of office, 4 working elsewhere',
        people: value.map(({ '@odata.type': _, workingHours, ...schedule }) => ({
          ...schedule,
          workingHours,
        })),
      };
    },
  ),
];
