// Event types, free times, bookings and schedules of a Cal.com account.
import * as z from 'zod';
import type { Tool } from '../../src/kit/integration.ts';
import { pick } from '../../src/kit/pick.ts';
import { createRows } from '../../src/kit/rest-rows.ts';

const { row } = createRows({ names: 'camelCase', lists: 'comma' });

/** Each part of the API has versions of its own, and the header chooses. docs: API v2, Introduction */
const version = (date: string) => ({ 'cal-api-version': date });
const EVENT_TYPES = version('2024-06-14');
const SLOTS = version('2024-09-04');
const BOOKINGS = version('2024-08-13');
const SCHEDULES = version('2024-06-11');

const text = z.string();
const some = text.optional();
const time = z.iso.datetime({ offset: true });
const clockTime = text.regex(/^\d\d:\d\d$/);

const eventTypeId = z.int().describe('`id` from cal_com_list_event_types');
const bookingUid = text.describe('`uid` from cal_com_list_bookings');
const timeZone = text.describe('Time zone, such as Europe/Berlin');

const Answer = z.object({ data: z.unknown() });
const dataOf = (payload: unknown): unknown => Answer.parse(payload).data;
const one = (show: (item: unknown) => unknown) => (payload: unknown) => show(dataOf(payload));
const all = (show: (item: unknown) => unknown) => (payload: unknown) =>
  z.array(z.unknown()).parse(dataOf(payload)).map(show);

const showMe = pick(() => ({
  id: z.int(),
  username: z.string().nullish(),
  name: z.string().nullish(),
  email: text,
  timeZone: some,
  weekStart: some,
  timeFormat: z.number().nullish(),
  defaultScheduleId: z.int().nullish(),
}));
const showEventType = pick(() => ({
  id: z.int(),
  title: text,
  slug: text,
  lengthInMinutes: z.number().optional(),
  lengthInMinutesOptions: z.array(z.number()).nullish(),
  description: z.string().nullish(),
  locations: z.array(z.unknown()).nullish(),
  bookingFields: z
    .array(z.looseObject({ slug: some, type: some, required: z.boolean().optional() }))
    .nullish(),
  scheduleId: z.int().nullish(),
  hidden: z.boolean().optional(),
  bookingUrl: some,
}));
const showShortEventType = pick(() => ({
  id: z.int(),
  title: text,
  slug: text,
  lengthInMinutes: z.number().optional(),
  description: z.string().nullish(),
  hidden: z.boolean().optional(),
  bookingUrl: some,
}));
const Person = z.lazy(() =>
  z.object({
    name: some,
    email: z.string().nullish(),
    timeZone: some,
    absent: z.boolean().optional(),
  }),
);
const showBooking = pick(() => ({
  uid: text,
  title: some,
  description: z.string().nullish(),
  status: some,
  start: some,
  end: some,
  eventTypeId: z.int().nullish(),
  location: z.string().nullish(),
  hosts: z.array(Person).nullish(),
  attendees: z.array(Person).nullish(),
  guests: z.array(text).nullish(),
  bookingFieldsResponses: z.record(text, z.unknown()).nullish(),
  cancellationReason: z.string().nullish(),
  reschedulingReason: z.string().nullish(),
  rescheduledFromUid: z.string().nullish(),
  rescheduledToUid: z.string().nullish(),
}));
const showSchedule = pick(() => ({
  id: z.int(),
  name: text,
  timeZone: some,
  isDefault: z.boolean().optional(),
  availability: z.array(z.unknown()).optional(),
  overrides: z.array(z.unknown()).optional(),
}));

const Page = z.lazy(() =>
  z.object({ pagination: z.object({ totalItems: z.int(), hasNextPage: z.boolean() }).optional() }),
);

/** A recurring event is booked as a list. */
const showBookings = (payload: unknown): unknown => {
  const data = dataOf(payload);
  return Array.isArray(data) ? data.map(showBooking) : showBooking(data);
};

const BOOKING = '/v2/bookings/{bookingUid}';
const STATES = ['upcoming', 'recurring', 'past', 'cancelled', 'unconfirmed'] as const;
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export const tools: readonly Tool[] = [
  row('cal_com_whoami', 'GET /v2/me', 'Show the account that is connected', () => ({}), {
    result: one(showMe),
  }),
  row(
    'cal_com_list_event_types',
    'GET /v2/event-types',
    'List your event types, which people can book',
    () => ({}),
    { headers: EVENT_TYPES, result: all(showShortEventType) },
  ),
  row(
    'cal_com_get_event_type',
    'GET /v2/event-types/{eventTypeId}',
    'Get an event type with its places and the fields of its form',
    () => ({ eventTypeId }),
    { headers: EVENT_TYPES, result: one(showEventType) },
  ),
  row(
    'cal_com_create_event_type',
    'POST /v2/event-types',
    'Create an event type that people can book',
    () => ({
      title: text.describe('Name that people see, such as Intro call'),
      slug: text.describe('End of its address, such as intro-call'),
      lengthInMinutes: z.int().min(1).describe('How long it takes'),
      description: some.describe('What it is about'),
      scheduleId: z.int().optional().describe('`id` from cal_com_list_schedules; the default one without it'),
    }),
    { headers: EVENT_TYPES, result: one(showEventType) },
  ),
  row(
    'cal_com_list_slots',
    'GET /v2/slots',
    'List the free times of an event type, by day',
    () => ({
      eventTypeId,
      start: text.describe('From then on, in UTC, such as 2026-03-01 or 2026-03-01T09:00:00Z'),
      end: text.describe('Until then, in UTC, such as 2026-03-07'),
      timeZone: timeZone.optional(),
      duration: z.int().optional().describe('Minutes, if the event type offers several lengths'),
      bookingUidToReschedule: some.describe('`uid` of a booking to move, whose own time counts as free'),
    }),
    { headers: SLOTS, result: dataOf },
  ),
  row(
    'cal_com_list_bookings',
    'GET /v2/bookings',
    'List bookings by state, person or time',
    () => ({
      status: z.array(z.enum(STATES)).optional().describe('Only these states'),
      attendeeEmail: some.describe('Address of an attendee'),
      eventTypeId: eventTypeId.optional(),
      afterStart: time.optional().describe('Only those that start after this, such as 2026-03-01T00:00:00Z'),
      beforeEnd: time.optional().describe('Only those that end before this'),
      sortStart: z.enum(['asc', 'desc']).default('asc').describe('Order by start'),
      take: z.int().min(1).max(250).default(25).describe('Bookings per page'),
      skip: z.int().min(0).default(0).describe('Bookings to skip'),
    }),
    {
      headers: BOOKINGS,
      result: (payload) => {
        const { pagination } = Page.parse(payload);
        return {
          bookings: all(showBooking)(payload),
          ...(pagination === undefined
            ? {}
            : { total: pagination.totalItems, hasMore: pagination.hasNextPage }),
        };
      },
    },
  ),
  row('cal_com_get_booking', `GET ${BOOKING}`, 'Get a booking', () => ({ bookingUid }), {
    headers: BOOKINGS,
    result: showBookings,
  }),
  row(
    'cal_com_create_booking',
    'POST /v2/bookings',
    'Book a free time for somebody, who gets a mail about it',
    () => ({
      eventTypeId,
      start: time.describe('A free time from cal_com_list_slots, in UTC, such as 2026-03-01T09:00:00Z'),
      attendee: z
        .strictObject({
          name: text.describe('Name of the person'),
          email: some.describe('Address of the person, needed without phoneNumber'),
          timeZone,
          phoneNumber: some.describe('Telephone number, such as +4930123456'),
          language: some.describe('Language of the mails, such as de'),
        })
        .describe('Who comes'),
      guests: z.array(text).optional().describe('Addresses of more people'),
      lengthInMinutes: z.int().optional().describe('Length, if the event type offers several'),
      location: z
        .record(text, z.unknown())
        .optional()
        .describe(
          'One of the places of the event type, such as {"type":"integration","integration":"cal-video"}',
        ),
      bookingFieldsResponses: z
        .record(text, z.unknown())
        .optional()
        .describe('Answers by `slug` of a field from cal_com_get_event_type, such as {"notes":"…"}'),
    }),
    { headers: BOOKINGS, result: showBookings },
  ),
  row(
    'cal_com_reschedule_booking',
    `POST ${BOOKING}/reschedule`,
    'Move a booking to another time; it gets a new uid',
    () => ({
      bookingUid,
      start: time.describe('A free time from cal_com_list_slots, in UTC'),
      reschedulingReason: some.describe('Reason that the attendee reads'),
      rescheduledBy: some.describe('Your address, so that a booking that needs a confirmation is confirmed'),
    }),
    { headers: BOOKINGS, result: showBookings },
  ),
  row(
    'cal_com_cancel_booking',
    `POST ${BOOKING}/cancel`,
    'Cancel a booking',
    () => ({
      bookingUid,
      cancellationReason: some.describe('Reason that the attendee reads'),
      cancelSubsequentBookings: z
        .boolean()
        .optional()
        .describe('true cancels the later ones of a recurring booking too'),
    }),
    { headers: BOOKINGS, access: 'destroy', result: showBookings },
  ),
  row(
    'cal_com_confirm_booking',
    `POST ${BOOKING}/confirm`,
    'Confirm a booking that waits for it',
    () => ({ bookingUid }),
    { headers: BOOKINGS, result: showBookings },
  ),
  row(
    'cal_com_decline_booking',
    `POST ${BOOKING}/decline`,
    'Decline a booking that waits for a confirmation',
    () => ({ bookingUid, reason: some.describe('Reason that the attendee reads') }),
    { headers: BOOKINGS, access: 'destroy', result: showBookings },
  ),
  row(
    'cal_com_list_schedules',
    'GET /v2/schedules',
    'List your schedules, the hours you can be booked',
    () => ({}),
    {
      headers: SCHEDULES,
      result: all(showSchedule),
    },
  ),
  row(
    'cal_com_create_schedule',
    'POST /v2/schedules',
    'Create a schedule of hours in which you can be booked',
    () => ({
      name: text.describe('Its name, such as Office hours'),
      timeZone,
      isDefault: z.boolean().default(false).describe('true makes it the default of all event types'),
      availability: z
        .array(
          z.strictObject({
            days: z.array(z.enum(DAYS)).describe('Days of the week'),
            startTime: clockTime.describe('Start, such as 09:00'),
            endTime: clockTime.describe('End, such as 17:00'),
          }),
        )
        .optional()
        .describe('Hours; Monday to Friday from 09:00 to 17:00 by default'),
    }),
    { headers: SCHEDULES, result: one(showSchedule) },
  ),
];
