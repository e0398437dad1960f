// Tests Cal.com: tool, arguments → expected request; and bookings as a model reads them, against a fake that knows only
// the documented requests and versions.
import { describe, expect, it, onTestFinished } from 'vitest';
import { calCom } from '../../integrations/cal_com/manifest.ts';
import { sent } from '../support/capture.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

type Row = readonly [name: string, args: object, request: string, data: unknown];

const ME = { id: 7, username: 'ana', email: 'ana@example.com', timeZone: 'Europe/Berlin', avatarUrl: null };
const EVENT_TYPE = { id: 12, title: 'Intro', slug: 'intro', lengthInMinutes: 30, description: '' };
const BOOKING = {
  id: 1,
  uid: 'u1',
  title: 'Intro between Ana and Bo',
  status: 'accepted',
  start: '2026-03-01T09:00:00.000Z',
  end: '2026-03-01T09:30:00.000Z',
  eventTypeId: 12,
  location: 'https://app.cal.com/video/u1',
  hosts: [{ id: 7, name: 'Ana', email: 'ana@example.com', timeZone: 'Europe/Berlin' }],
  attendees: [{ name: 'Bo Größe', email: 'bo@example.com', timeZone: 'Europe/Rome', absent: false }],
  guests: [],
  metadata: {},
};
const SCHEDULE = { id: 3, ownerId: 7, name: 'Office', timeZone: 'Europe/Berlin', isDefault: true };
const booking = { bookingUid: 'u1' };
const start = '2026-03-01T09:00:00Z';

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /v2/me', ME],
  ['list_event_types', {}, 'GET /v2/event-types', [EVENT_TYPE]],
  ['get_event_type', { eventTypeId: 12 }, 'GET /v2/event-types/12', EVENT_TYPE],
  [
    'create_event_type',
    { title: 'Größe', slug: 'intro', lengthInMinutes: 30, description: 'd', scheduleId: 3 },
    'POST /v2/event-types {"title":"Größe","slug":"intro","lengthInMinutes":30,"description":"d","scheduleId":3}',
    EVENT_TYPE,
  ],
  [
    'list_slots',
    { eventTypeId: 12, start: '2026-03-01', end: '2026-03-02', timeZone: 'Europe/Rome', duration: 30 },
    'GET /v2/slots?eventTypeId=12&start=2026-03-01&end=2026-03-02&timeZone=Europe/Rome&duration=30',
    {},
  ],
  [
    'list_bookings',
    { status: ['upcoming', 'unconfirmed'], attendeeEmail: 'bo@example.com', afterStart: start, skip: 25 },
    'GET /v2/bookings?status=upcoming,unconfirmed&attendeeEmail=bo@example.com&afterStart=2026-03-01T09:00:00Z&sortStart=asc&take=25&skip=25',
    [BOOKING],
  ],
  ['get_booking', booking, 'GET /v2/bookings/u1', BOOKING],
  [
    'create_booking',
    {
      eventTypeId: 12,
      start,
      attendee: { name: 'Bo', email: 'bo@example.com', timeZone: 'Europe/Rome' },
      guests: ['eve@example.com'],
      bookingFieldsResponses: { notes: 'größer' },
    },
    'POST /v2/bookings {"eventTypeId":12,"start":"2026-03-01T09:00:00Z","attendee":{"name":"Bo","email":"bo@example.com","timeZone":"Europe/Rome"},"guests":["eve@example.com"],"bookingFieldsResponses":{"notes":"größer"}}',
    BOOKING,
  ],
  [
    'reschedule_booking',
    { ...booking, start, reschedulingReason: 'ill' },
    'POST /v2/bookings/u1/reschedule {"start":"2026-03-01T09:00:00Z","reschedulingReason":"ill"}',
    BOOKING,
  ],
  [
    'cancel_booking',
    { ...booking, cancellationReason: 'ill', cancelSubsequentBookings: true },
    'POST /v2/bookings/u1/cancel {"cancellationReason":"ill","cancelSubsequentBookings":true}',
    BOOKING,
  ],
  ['confirm_booking', booking, 'POST /v2/bookings/u1/confirm {}', BOOKING],
  ['decline_booking', { ...booking, reason: 'no' }, 'POST /v2/bookings/u1/decline {"reason":"no"}', BOOKING],
  ['list_schedules', {}, 'GET /v2/schedules', [SCHEDULE]],
  [
    'create_schedule',
    {
      name: 'Office',
      timeZone: 'Europe/Berlin',
      availability: [{ days: ['Monday'], startTime: '09:00', endTime: '12:00' }],
    },
    'POST /v2/schedules {"name":"Office","timeZone":"Europe/Berlin","isDefault":false,"availability":[{"days":["Monday"],"startTime":"09:00","endTime":"12:00"}]}',
    SCHEDULE,
  ],
];

describe('cal_com', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends the request', async (_, row) => {
    const [name, args, request, data] = row;
    const answers = [{ status: 'success', data }];
    expect(await sent(calCom, `cal_com_${name}`, args, answers)).toEqual([request]);
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `cal_com_${name}`));
    expect(names).toEqual(new Set(calCom.tools.map(({ name }) => name)));
  });
});

const ORIGIN = 'https://api.cal.com';
/** The version that a request has to name, and its data. */
const ANSWERS: Record<string, [version: string | undefined, answer: object]> = {
  'GET /v2/me': [undefined, { data: ME }],
  'GET /v2/event-types': ['2024-06-14', { data: [EVENT_TYPE] }],
  'GET /v2/schedules': ['2024-06-11', { data: [SCHEDULE] }],
  'GET /v2/slots?eventTypeId=12&start=2026-03-01&end=2026-03-01': [
    '2024-09-04',
    { data: { '2026-03-01': [{ start }] } },
  ],
  'GET /v2/bookings?sortStart=asc&take=25&skip=0': [
    '2024-08-13',
    { data: [BOOKING], pagination: { totalItems: 26, hasNextPage: true } },
  ],
  'GET /v2/bookings/r1': ['2024-08-13', { data: [BOOKING, { ...BOOKING, uid: 'u2' }] }],
};

/** Connects to a fake that refuses every request that is not among the answers. */
async function connect(): Promise<Person> {
  const server = await startHttpServer((request, response) => {
    const known = ANSWERS[decodeURIComponent(`${request.method} ${request.url}`)];
    const isKnown = known !== undefined && known[0] === request.headers['cal-api-version'];
    const status = request.headers.authorization === 'Bearer cal_live_ana' ? (isKnown ? 200 : 404) : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    const refusal = { status: 'error', error: { code: 'NotFoundException', message: 'Booking not found' } };
    response.end(JSON.stringify(status === 200 ? { status: 'success', ...known?.[1] } : refusal));
  });
  const app = await createTestApp({ env: { UPSTREAM_MAP: `${ORIGIN}=http://127.0.0.1:${server.port}` } });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  const person = await createPerson(app);
  const refused = await person.post('/api/auth/apikey/cal_com', { values: { apiKey: 'cal_live_other' } });
  expect(refused.status).toBe(400);
  const connected = await person.post('/api/auth/apikey/cal_com', { values: { apiKey: 'cal_live_ana' } });
  expect(connected).toMatchObject({ status: 200, body: { account: { id: '7', label: 'ana@example.com' } } });
  return person;
}

describe('a connection to Cal.com', () => {
  const shown = {
    uid: 'u1',
    title: 'Intro between Ana and Bo',
    status: 'accepted',
    start: '2026-03-01T09:00:00.000Z',
    end: '2026-03-01T09:30:00.000Z',
    eventTypeId: 12,
    location: 'https://app.cal.com/video/u1',
    hosts: [{ name: 'Ana', email: 'ana@example.com', timeZone: 'Europe/Berlin' }],
    attendees: [{ name: 'Bo Größe', email: 'bo@example.com', timeZone: 'Europe/Rome', absent: false }],
  };

  it('names the version of each part, and shows what it answers without what is empty', async () => {
    const person = await connect();
    expect(await person.run('cal_com_list_event_types', {})).toEqual([
      { id: 12, title: 'Intro', slug: 'intro', lengthInMinutes: 30 },
    ]);
    expect(await person.run('cal_com_list_schedules', {})).toEqual([
      { id: 3, name: 'Office', timeZone: 'Europe/Berlin', isDefault: true },
    ]);
    const days = { eventTypeId: 12, start: '2026-03-01', end: '2026-03-01' };
    expect(await person.run('cal_com_list_slots', days)).toEqual({ '2026-03-01': [{ start }] });
    expect(await person.run('cal_com_list_bookings', {})).toEqual({
      bookings: [shown],
      total: 26,
      hasMore: true,
    });
  });

  it('shows a recurring booking as a list', async () => {
    const person = await connect();
    expect(await person.run('cal_com_get_booking', { bookingUid: 'r1' })).toEqual([
      shown,
      { ...shown, uid: 'u2' },
    ]);
  });

  it("passes on Cal.com's message", async () => {
    const person = await connect();
    await expect(person.run('cal_com_get_booking', { bookingUid: 'x' })).rejects.toThrow('Booking not found');
  });
});
