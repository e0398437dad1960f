// Tests PagerDuty: tool, arguments → expected request; and its region and headers, through the engine.
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagerduty } from '../../integrations/pagerduty/manifest.ts';
import { resolveBase } from '../../src/connections/calls/api-base.ts';
import { sent } from '../support/capture.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const id = 'PT4KHLK';
const rows: readonly (readonly [name: string, args: object, request: string])[] = [
  ['whoami', {}, 'GET /users/me'],
  [
    'list_incidents',
    {
      statuses: ['triggered', 'acknowledged'],
      urgencies: ['high'],
      serviceIds: ['S1', 'S2'],
      sortBy: 'created_at:desc',
      offset: 25,
    },
    'GET /incidents?statuses[]=triggered&statuses[]=acknowledged&urgencies[]=high&service_ids[]=S1&service_ids[]=S2&limit=25&offset=25&sort_by=created_at:desc',
  ],
  [
    'list_incidents',
    { teamIds: ['T'], since: '2026-03-01T00:00:00Z', until: '2026-03-02T00:00:00Z', limit: 5 },
    'GET /incidents?team_ids[]=T&since=2026-03-01T00:00:00Z&until=2026-03-02T00:00:00Z&limit=5',
  ],
  ['get_incident', { id }, `GET /incidents/${id}`],
  [
    'create_incident',
    { title: 'Größe', serviceId: 'S1', urgency: 'low', body: 'Voll', incident: { incident_key: 'k' } },
    'POST /incidents {"incident":{"type":"incident","title":"Größe","service":{"id":"S1","type":"service_reference"},"urgency":"low","body":{"type":"incident_body","details":"Voll"},"incident_key":"k"}}',
  ],
  [
    'create_incident',
    { title: 't', serviceId: 'S1' },
    'POST /incidents {"incident":{"type":"incident","title":"t","service":{"id":"S1","type":"service_reference"}}}',
  ],
  [
    'update_incident',
    { id, status: 'resolved', resolution: 'Restarted', incident: { escalation_level: 2 } },
    `PUT /incidents/${id} {"incident":{"type":"incident_reference","status":"resolved","resolution":"Restarted","escalation_level":2}}`,
  ],
  ['snooze_incident', { id, duration: 3600 }, `POST /incidents/${id}/snooze {"duration":3600}`],
  ['list_incident_notes', { id }, `GET /incidents/${id}/notes`],
  ['add_incident_note', { id, content: 'ü' }, `POST /incidents/${id}/notes {"note":{"content":"ü"}}`],
  ['list_incident_alerts', { id, offset: 25 }, `GET /incidents/${id}/alerts?limit=25&offset=25`],
  ['list_services', { query: 'web', teamIds: ['T'] }, 'GET /services?query=web&team_ids[]=T&limit=25'],
  ['get_service', { id: 'S/1' }, 'GET /services/S%2F1'],
  [
    'list_oncalls',
    { scheduleIds: ['A'], userIds: ['U'], since: 's', until: 'u' },
    'GET /oncalls?schedule_ids[]=A&user_ids[]=U&since=s&until=u&limit=25',
  ],
  ['list_schedules', { query: 'eu' }, 'GET /schedules?query=eu&limit=25'],
  ['list_escalation_policies', { limit: 100 }, 'GET /escalation_policies?limit=100'],
  ['list_users', { query: 'ana', offset: 50 }, 'GET /users?query=ana&limit=25&offset=50'],
  ['list_log_entries', { id }, `GET /incidents/${id}/log_entries?limit=50`],
];

describe('pagerduty', () => {
  it.each(rows)('%s %j', async (name, args, request) => {
    expect(await sent(pagerduty, `pagerduty_${name}`, args)).toEqual([request]);
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `pagerduty_${name}`));
    expect(names).toEqual(new Set(pagerduty.tools.map(({ name }) => name)));
  });

  it.each([
    [{}, 'https://api.pagerduty.com'],
    [{ region: 'us' }, 'https://api.pagerduty.com'],
    [{ region: 'eu' }, 'https://api.eu.pagerduty.com'],
  ])('calls the region for %j', (config, base) => {
    expect(resolveBase(pagerduty, config)).toEqual({ ok: true, base });
  });
});

describe('a connection to PagerDuty', () => {
  let server: HttpServer;
  let app: TestApp;
  let ana: Person;
  let last: IncomingMessage['headers'];

  beforeAll(async () => {
    server = await startHttpServer();
    server.answer((request, response) => {
      last = request.headers;
      const known = last.authorization === 'Token token=y_NbAkKc66ryYTWUXYEu';
      const missing = request.method === 'POST' && last.from === undefined;
      const error = { message: 'Requester User Not Found', code: 1008 };
      response.writeHead(known ? (missing ? 400 : 200) : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify(known && !missing ? { incident: { id: 'P1' } } : { error }));
    });
    const url = `http://127.0.0.1:${server.port}`;
    app = await createTestApp({ env: { UPSTREAM_MAP: `https://api.eu.pagerduty.com=${url}` } });
    ana = await createPerson(app);
  });
  afterAll(async () => {
    await app.close();
    await server.close();
  });

  const connect = (values: Record<string, string>) => ana.post('/api/auth/apikey/pagerduty', { values });
  const create = () => ana.run('pagerduty_create_incident', { title: 't', serviceId: 'S1' });
  const key = { token: 'y_NbAkKc66ryYTWUXYEu', region: 'eu' };

  it("sends the key, the version, and the person's e-mail", async () => {
    expect((await connect({ ...key, email: 'ana@example.com' })).status).toBe(200);
    expect(await create()).toEqual({ incident: { id: 'P1' } });
    expect(last).toMatchObject({
      authorization: 'Token token=y_NbAkKc66ryYTWUXYEu',
      accept: 'application/vnd.pagerduty+json;version=2',
      from: 'ana@example.com',
    });
  });

  it("sends no From without an e-mail, and passes on PagerDuty's message", async () => {
    await connect(key);
    await expect(create()).rejects.toThrow(/Requester User Not Found/);
    expect(last).not.toHaveProperty('from');
  });

  it('refuses an unknown region, a missing key, and a line break in the e-mail', async () => {
    expect(await connect({ ...key, region: 'mars' })).toMatchObject({ status: 400 });
    expect(await connect({ region: 'eu' })).toMatchObject({ status: 400 });
    expect(await connect({ ...key, email: 'a@x\r\nx-evil: 1' })).toMatchObject({ status: 400 });
  });

  it('refuses an e-mail that a header cannot carry, with a sentence', async () => {
    expect(await connect({ ...key, email: '李@example.com' })).toEqual({
      status: 400,
      body: { error: 'E-mail must be made of ASCII letters, digits and signs' },
    });
  });
});
