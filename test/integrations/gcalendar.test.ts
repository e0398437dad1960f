// Tests Google Calendar: one line per tool, and a connection to the emulator from sign-in to refresh.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gcalendar } from '../../integrations/gcalendar/manifest.ts';
import { sent } from '../support/capture.ts';
import { connectAt } from '../support/emulators.ts';
import { ANA, type GoogleEmulator, startGoogle } from '../support/google-emulator.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const start = { dateTime: '2026-03-01T09:00:00+01:00' };
const end = { dateTime: '2026-03-01T10:00:00+01:00' };
const E = '/calendars/primary/events';

const TABLE: [tool: string, args: object, request: string][] = [
  ['whoami', {}, 'GET /calendars/primary'],
  ['list_calendars', {}, 'GET /users/me/calendarList?maxResults=50'],
  ['list_calendars', { pageToken: 'p2' }, 'GET /users/me/calendarList?maxResults=50&pageToken=p2'],
  ['list_events', {}, `GET ${E}?singleEvents=true&maxResults=20`],
  [
    'list_events',
    {
      calendarId: 'team@group.example',
      timeMin: start.dateTime,
      query: 'Büro',
      orderBy: 'startTime',
      pageToken: 'p2',
    },
    'GET /calendars/team%40group.example/events?timeMin=2026-03-01T09:00:00+01:00&q=Büro&singleEvents=true&orderBy=startTime&maxResults=20&pageToken=p2',
  ],
  ['get_event', { eventId: 'e1' }, `GET ${E}/e1`],
  [
    'create_event',
    {
      summary: 'Größe',
      start,
      end,
      attendees: [{ email: 'b@example.com' }],
      recurrence: ['RRULE:FREQ=WEEKLY'],
      sendUpdates: 'all',
      conferenceDataVersion: 1,
      conferenceData: { createRequest: { requestId: 'r' } },
    },
    `POST ${E}?sendUpdates=all&conferenceDataVersion=1 ${JSON.stringify({ summary: 'Größe', start, end, attendees: [{ email: 'b@example.com' }], recurrence: ['RRULE:FREQ=WEEKLY'], conferenceData: { createRequest: { requestId: 'r' } } })}`,
  ],
  [
    'create_event',
    { start, end, conferenceData: { createRequest: { requestId: 'r' } } },
    `POST ${E}?conferenceDataVersion=1 ${JSON.stringify({ start, end, conferenceData: { createRequest: { requestId: 'r' } } })}`,
  ],
  ['create_event', { start, end }, `POST ${E} ${JSON.stringify({ start, end })}`],
  [
    'update_event',
    { eventId: 'e1', location: 'Köln', sendUpdates: 'none' },
    `PATCH ${E}/e1?sendUpdates=none {"location":"Köln"}`,
  ],
  [
    'update_event',
    { eventId: 'e1', start: { date: '2026-03-01' }, end: { date: '2026-03-02' } },
    `PATCH ${E}/e1 {"start":{"dateTime":null,"date":"2026-03-01"},"end":{"dateTime":null,"date":"2026-03-02"}}`,
  ],
  [
    'update_event',
    { eventId: 'e1', start, end: { ...end, timeZone: 'Europe/Berlin' } },
    `PATCH ${E}/e1 {"start":{"date":null,"dateTime":"${start.dateTime}"},"end":{"date":null,"dateTime":"${end.dateTime}","timeZone":"Europe/Berlin"}}`,
  ],
  ['delete_event', { eventId: 'e1', sendUpdates: 'all' }, `DELETE ${E}/e1?sendUpdates=all`],
  ['quick_add_event', { text: 'Lunch & talk' }, `POST ${E}/quickAdd?text=Lunch & talk {}`],
  ['move_event', { eventId: 'e1', destination: 'x' }, `POST ${E}/e1/move?destination=x {}`],
  [
    'list_event_instances',
    { eventId: 'e1', timeMax: end.dateTime, maxResults: 5, pageToken: 'p2' },
    `GET ${E}/e1/instances?timeMax=2026-03-01T10:00:00+01:00&maxResults=5&pageToken=p2`,
  ],
  [
    'query_free_busy',
    { timeMin: 'a', timeMax: 'b', items: [{ id: 'primary' }] },
    'POST /freeBusy {"timeMin":"a","timeMax":"b","items":[{"id":"primary"}]}',
  ],
];

describe('the requests of Google Calendar', () => {
  it.each(TABLE)('gcalendar_%s %j', async (name, args, request) => {
    expect(await sent(gcalendar, `gcalendar_${name}`, args)).toEqual([request]);
  });

  it('names every tool', () => {
    expect(new Set(TABLE.map(([name]) => `gcalendar_${name}`))).toEqual(
      new Set(gcalendar.tools.map(({ name }) => name)),
    );
  });
});

describe('a calendar at the Google emulator', () => {
  let google: GoogleEmulator;
  let app: TestApp;
  let ana: Person;

  beforeAll(async () => {
    google = await startGoogle(['gcalendar'], {
      calendars: [
        { id: 'primary', user_email: ANA, summary: ANA, primary: true, time_zone: 'Europe/Berlin' },
      ],
    });
    app = await createTestApp({ env: google.env });
    ana = await createPerson(app);
  });
  afterAll(async () => {
    await app?.close();
    await google?.close();
  });

  it('answers NOT_CONNECTED before it is connected', async () => {
    await expect(ana.run('gcalendar_list_calendars')).rejects.toThrow('NOT_CONNECTED');
  });

  it('connects by a sign-in with offline access and consent', async () => {
    const { body } = await ana.get('/api/auth/gcalendar');
    expect(Object.fromEntries(new URL(Reflect.get(Object(body), 'url')).searchParams)).toMatchObject({
      scope: 'https://www.googleapis.com/auth/calendar',
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      code_challenge_method: 'S256',
    });
    const end = await connectAt(google, { app, person: ana, integration: 'gcalendar', login: ANA });
    expect(end).toBe('http://localhost:3000#connected=gcalendar');
    expect(await ana.run('gcalendar_list_calendars')).toMatchObject({
      items: [{ summary: ANA, primary: true }],
    });
  });

  it('creates an event, finds it, returns busy times, and deletes it after a refresh', async () => {
    const event = { summary: 'Größe besprechen', location: 'Köln', start, end };
    const made = await ana.run('gcalendar_create_event', event);
    expect(made).toMatchObject(event);
    const { id } = Object(made);
    const before = google.requests.at(-1)?.authorization;

    app.clock.advance(3600);
    expect(await ana.run('gcalendar_list_events', { query: 'Größe' })).toMatchObject({ items: [{ id }] });
    expect(google.requests.slice(-2)).toMatchObject([{ path: '/token' }, { method: 'GET' }]);
    expect(google.requests.at(-1)?.authorization).not.toBe(before);

    const span = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-02T00:00:00Z' };
    expect(await ana.run('gcalendar_query_free_busy', { ...span, items: [{ id: 'primary' }] })).toMatchObject(
      {
        calendars: { primary: { busy: [{ start: expect.any(String) }] } },
      },
    );
    expect(await ana.run('gcalendar_delete_event', { eventId: id })).toEqual({});
    await expect(ana.run('gcalendar_delete_event', { eventId: id })).rejects.toThrow('404: ');
    expect(await ana.run('gcalendar_list_events')).toMatchObject({ items: [] });
  });

  it('pages through events with pageToken', async () => {
    for (const summary of ['eins', 'zwei', 'drei'])
      await ana.run('gcalendar_create_event', { summary, start, end });
    const first = Object(await ana.run('gcalendar_list_events', { maxResults: 2 }));
    expect(first.items).toHaveLength(2);
    const second = { maxResults: 2, pageToken: first.nextPageToken };
    expect(await ana.run('gcalendar_list_events', second)).toMatchObject({ items: { length: 1 } });
  });
});
