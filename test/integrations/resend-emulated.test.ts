// Tests Resend end to end, against its emulator: connected with its key, and used.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../support/emulators.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const KEY = 're_a_key_of_ana';

let emulator: Emulator;
let app: TestApp;
let ana: Person;

beforeAll(async () => {
  const domains = [{ name: 'example.com', region: 'eu-west-1' }];
  emulator = await startEmulator('resend', { resend: { domains } });
  app = await createTestApp({ env: { UPSTREAM_MAP: `https://api.resend.com=${emulator.url}` } });
  ana = await createPerson(app);
  const connected = await ana.post('/api/auth/apikey/resend', { values: { apiKey: KEY } });
  expect(connected).toEqual({ status: 200, body: { success: true, status: 'unverified' } });
});

afterAll(async () => {
  await app?.close();
  await emulator?.close();
});

const mail = {
  from: 'Jürgen Groß <a@example.com>',
  to: ['b@example.com', 'c@example.com'],
  subject: 'Grüße 大',
};

it('sends a mail and returns its status, with the key in its header', async () => {
  const sent = await ana.run('resend_send_email', {
    ...mail,
    html: '<p>Schöne Grüße</p>',
    text: 'Schöne Grüße',
    replyTo: 'd@example.com',
    tags: [{ name: 'kind', value: 'greeting' }],
  });
  expect(sent).toEqual({ id: expect.any(String) });
  expect(await ana.run('resend_get_email', { emailId: Reflect.get(Object(sent), 'id') })).toMatchObject({
    ...mail,
    html: '<p>Schöne Grüße</p>',
    text: 'Schöne Grüße',
    reply_to: ['d@example.com'],
    last_event: 'email.delivered',
  });
  expect(new Set(emulator.requests.map(({ authorization }) => authorization))).toEqual(
    new Set([`Bearer ${KEY}`]),
  );
});

it('sends a batch, and lists the sent mails', async () => {
  const emails = ['Erste', 'Zweite'].map((subject) => ({ ...mail, subject, text: subject }));
  expect(await ana.run('resend_send_batch', { emails })).toMatchObject({ data: { length: 2 } });
  expect(await ana.run('resend_list_emails')).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ subject: 'Erste' }),
      expect.objectContaining({ subject: 'Zweite' }),
    ]),
  });
});

it("cancels a scheduled mail, and passes on Resend's message when there is none", async () => {
  const scheduled = { ...mail, text: 'später', scheduledAt: '2099-01-01T00:00:00Z' };
  const { id } = Object(await ana.run('resend_send_email', scheduled));
  expect(await ana.run('resend_cancel_email', { emailId: id })).toMatchObject({ id });
  await expect(ana.run('resend_cancel_email', { emailId: id })).rejects.toThrow(
    '422: Only scheduled emails can be canceled',
  );
});

it('lists domains and reads one, and reaches addresses without a tool', async () => {
  const { data } = Object(await ana.run('resend_list_domains'));
  expect(data).toMatchObject([{ name: 'example.com', region: 'eu-west-1' }]);
  expect(await ana.run('resend_get_domain', { domainId: data[0].id })).toMatchObject({ name: 'example.com' });
  const verified = { method: 'POST', path: `/domains/${data[0].id}/verify` };
  expect(await ana.run('resend_request', verified)).toMatchObject({ id: data[0].id });
});
