// Tests Outlook Calendar: tool, arguments → expected requests; then events from the sign-in on, against a fake after the docs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outlookCalendar } from '../../integrations/outlook_calendar/manifest.ts';
import { sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { ApiCall } from '../support/fake-oauth-api.ts';
import { type FakeGraph, refuse, startGraph } from '../support/fake-graph.ts';

const SHOWN =
  'id,subject,start,end,isAllDay,isCancelled,location,organizer,attendees,responseStatus,showAs,type,seriesMasterId,onlineMeeting,hasAttachments,webLink';
const WHOLE = `${SHOWN},body,recurrence,categories,importance,sensitivity,reminderMinutesBeforeStart,isReminderOn`;
const none = [{ value: [] }];
const WEEK = 'startDateTime=2026-03-01T00:00:00.000Z&endDateTime=2026-03-08T00:00:00.000Z';

type Row = readonly [name: string, args: object, request: string, answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /me?$select=id,displayName,mail,userPrincipalName,jobTitle'],
  [
    'list_calendars',
    {},
    'GET /me/calendars?$top=20&$select=id,name,color,isDefaultCalendar,canEdit,owner',
    none,
  ],
  [
    'list_events',
    { start: '2026-03-01T00:00:00.000Z' },
    `GET /me/calendarView?${WEEK}&$orderby=start/dateTime&$top=20&$select=${SHOWN}`,
    none,
  ],
  [
    'list_events',
    { start: '2026-03-01T00:00:00Z', end: '2026-04-01T00:00:00Z', calendarId: 'c/1', pageSize: 2 },
    `GET /me/calendars/c%2F1/calendarView?startDateTime=2026-03-01T00:00:00Z&endDateTime=2026-04-01T00:00:00Z&$orderby=start/dateTime&$top=2&$select=${SHOWN}`,
    none,
  ],
  [
    'search_events',
    { title: "Ana's Größe" },
    `GET /me/events?$filter=contains(subject,'Ana''s Größe')&$top=20&$select=${SHOWN}`,
    none,
  ],
  [
    'search_events',
    { title: 'x', calendarId: 'c', page: '$skip=20' },
    'GET /me/calendars/c/events?$skip=20',
    none,
  ],
  ['get_event', { id: 'e' }, `GET /me/events/e?$select=${WHOLE}`],
  [
    'create_event',
    {
      subject: 'Größe',
      start: '2026-03-01T09:00',
      end: '2026-03-01T10:00',
      timeZone: 'Europe/Berlin',
      body: '*ü*',
      location: 'Büro',
      attendees: ['Bob <bob@x.org>'],
      optionalAttendees: ['c@x.org'],
      onlineMeeting: true,
      showAs: 'oof',
      reminderMinutes: 10,
    },
    'POST /me/events {"subject":"Größe","showAs":"oof","start":{"dateTime":"2026-03-01T09:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-01T10:00","timeZone":"Europe/Berlin"},"isAllDay":false,"body":{"contentType":"html","content":"<p><i>ü</i></p>"},"location":{"displayName":"Büro"},"attendees":[{"type":"required","emailAddress":{"address":"bob@x.org","name":"Bob"}},{"type":"optional","emailAddress":{"address":"c@x.org"}}],"isOnlineMeeting":true,"isReminderOn":true,"reminderMinutesBeforeStart":10}',
  ],
  [
    'create_event',
    { subject: 's', start: '2026-03-01', end: '2026-03-03', calendarId: 'c' },
    'POST /me/calendars/c/events {"subject":"s","start":{"dateTime":"2026-03-01T00:00:00","timeZone":"UTC"},"end":{"dateTime":"2026-03-03T00:00:00","timeZone":"UTC"},"isAllDay":true}',
  ],
  [
    'update_event',
    { id: 'e', attendees: [], location: '' },
    'PATCH /me/events/e {"location":{"displayName":""},"attendees":[]}',
  ],
  ['delete_event', { id: 'e' }, 'DELETE /me/events/e'],
  ['cancel_event', { id: 'e', comment: 'ü' }, 'POST /me/events/e/cancel {"comment":"ü"}'],
  [
    'respond_to_event',
    { id: 'e', answer: 'tentativelyAccept', comment: 'ü', sendResponse: false },
    'POST /me/events/e/tentativelyAccept {"comment":"ü","sendResponse":false}',
  ],
  [
    'forward_event',
    { id: 'e', to: ['b@x.org'], comment: 'ü' },
    'POST /me/events/e/forward {"comment":"ü","toRecipients":[{"emailAddress":{"address":"b@x.org"}}]}',
  ],
  [
    'list_event_instances',
    { id: 'e', start: '2026-03-01T00:00:00Z', end: '2026-04-01T00:00:00Z' },
    `GET /me/events/e/instances?startDateTime=2026-03-01T00:00:00Z&endDateTime=2026-04-01T00:00:00Z&$top=20&$select=${SHOWN}`,
    none,
  ],
  [
    'query_free_busy',
    { people: ['b@x.org'], start: '2026-03-01T09:00', end: '2026-03-01T18:00', timeZone: 'Europe/Berlin' },
    'POST /me/calendar/getSchedule {"schedules":["b@x.org"],"startTime":{"dateTime":"2026-03-01T09:00","timeZone":"Europe/Berlin"},"endTime":{"dateTime":"2026-03-01T18:00","timeZone":"Europe/Berlin"},"availabilityViewInterval":30}',
    none,
  ],
];

describe('the requests of Outlook Calendar', () => {
  it.each(rows.map(([name, args, request, answers]) => ({ name, args, request, answers })))(
    'outlook_calendar_$name $args',
    async ({ name, args, request, answers }) => {
      expect(await sent(outlookCalendar, `outlook_calendar_${name}`, args, answers)).toEqual([request]);
    },
  );

  it('names every tool', () => {
    const named = new Set(rows.map(([name]) => `outlook_calendar_${name}`));
    expect(outlookCalendar.tools.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });

  it('begins now where no start is given', async () => {
    const [request = ''] = await sent(outlookCalendar, 'outlook_calendar_list_events', {}, none);
    const query = new URLSearchParams(request.slice(request.indexOf('?')));
    const [start, end] = ['startDateTime', 'endDateTime'].map((name) => Date.parse(query.get(name) ?? ''));
    expect(start).toBe(createFakeClock().now() * 1000);
    expect(end).toBe(createFakeClock().now() * 1000 + 7 * 24 * 3_600_000);
  });

  it('refuses a day and a time in one event, and a time zone with a line of its own', async () => {
    const event = { subject: 's', start: '2026-03-01', end: '2026-03-01T10:00' };
    await expect(sent(outlookCalendar, 'outlook_calendar_create_event', event)).rejects.toThrow('both days');
    await expect(
      sent(outlookCalendar, 'outlook_calendar_get_event', { id: 'e', timeZone: 'UTC"\r\nx: y' }),
    ).rejects.toThrow('timeZone');
  });
});

const EVENT = {
  '@odata.etag': 'W/"1"',
  id: 'e1',
  subject: 'Plan',
  isAllDay: false,
  isCancelled: false,
  seriesMasterId: null,
  start: { dateTime: '2026-03-02T09:00:00.0000000', timeZone: 'Europe/Berlin' },
  end: { dateTime: '2026-03-02T10:00:00.0000000', timeZone: 'Europe/Berlin' },
  location: { displayName: 'Büro', locationType: 'default' },
  organizer: { emailAddress: { name: 'Ana', address: 'ana@x.org' } },
  attendees: [
    {
      type: 'required',
      status: { response: 'accepted', time: '0001-01-01T00:00:00Z' },
      emailAddress: { name: 'Bob', address: 'bob@x.org' },
    },
  ],
  responseStatus: { response: 'organizer', time: '0001-01-01T00:00:00Z' },
  showAs: 'busy',
  onlineMeeting: { joinUrl: 'https://teams.microsoft.com/l/meetup-join/1' },
  webLink: 'https://outlook.office365.com/owa/?itemid=e1',
};

describe('events at Outlook', () => {
  let graph: FakeGraph;
  let preferred: (string | null)[] = [];
  beforeAll(async () => {
    graph = await startGraph('outlook_calendar', answer);
  });
  afterAll(() => graph?.close());

  function answer({ method, path, headers }: ApiCall): Response {
    preferred.push(headers.get('prefer'));
    switch (`${method} ${path}`) {
      case 'GET /me/events/e1':
        return Response.json({
          ...EVENT,
          body: { contentType: 'html', content: '<p>Bring <b>cake</b></p>' },
        });
      case 'POST /me/events/e1/accept':
        return new Response(null, { status: 202 });
      case 'POST /me/calendar/getSchedule':
        return Response.json({
          value: [
            {
              '@odata.type': '#microsoft.graph.scheduleInformation',
              scheduleId: 'bob@x.org',
              availabilityView: '0020',
              scheduleItems: [{ status: 'busy' }],
              workingHours: { startTime: '09:00:00' },
            },
          ],
        });
      default:
        return refuse(404, `no ${method} ${path}`);
    }
  }

  it('shows an event as people read it, in the time zone of the person', async () => {
    preferred = [];
    const event = await graph.ana.run('outlook_calendar_get_event', { id: 'e1', timeZone: 'Europe/Berlin' });
    expect(event).toEqual({
      id: 'e1',
      subject: 'Plan',
      start: EVENT.start,
      end: EVENT.end,
      location: 'Büro',
      organizer: 'Ana <ana@x.org>',
      attendees: [{ attendee: 'Bob <bob@x.org>', type: 'required', response: 'accepted' }],
      response: 'organizer',
      isAllDay: false,
      isCancelled: false,
      showAs: 'busy',
      joinUrl: 'https://teams.microsoft.com/l/meetup-join/1',
      text: 'Bring cake',
      webLink: EVENT.webLink,
    });
    await graph.ana.run('outlook_calendar_respond_to_event', { id: 'e1', answer: 'accept' });
    expect(preferred).toEqual([
      'outlook.timezone="Europe/Berlin", IdType="ImmutableId"',
      'IdType="ImmutableId"',
    ]);
  });

  it('says what the digits of free and busy mean', async () => {
    const range = { start: '2026-03-02T08:00', end: '2026-03-02T10:00' };
    expect(
      await graph.ana.run('outlook_calendar_query_free_busy', { people: ['bob@x.org'], ...range }),
    ).toEqual({
      meaning: expect.stringContaining('2 busy'),
      people: [
        {
          scheduleId: 'bob@x.org',
          availabilityView: '0020',
          scheduleItems: [{ status: 'busy' }],
          workingHours: { startTime: '09:00:00' },
        },
      ],
    });
  });

  it('says why in the words of Microsoft', async () => {
    await expect(graph.ana.run('outlook_calendar_get_event', { id: 'gone' })).rejects.toThrow(
      'no GET /me/events/gone',
    );
  });
});
