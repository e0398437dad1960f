// Tests one Google client for all of Google's integrations: each is connected, refreshed and disconnected by
// itself.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectAt } from '../support/emulators.ts';
import { ANA, type GoogleEmulator, startGoogle } from '../support/google-emulator.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const INTEGRATIONS = ['gmail', 'gcalendar', 'gdrive'];
const FIRST = ['gmail_list_labels', 'gcalendar_list_calendars', 'gdrive_list_files'];

let google: GoogleEmulator;
let app: TestApp;
let ana: Person;

beforeAll(async () => {
  google = await startGoogle(INTEGRATIONS);
  app = await createTestApp({ env: google.env });
  ana = await createPerson(app);
  for (const integration of INTEGRATIONS)
    await connectAt(google, { app, person: ana, integration, login: ANA });
});
afterAll(async () => {
  await app?.close();
  await google?.close();
});

const authorizations = () => google.requests.slice(-3).map(({ authorization }) => authorization);

it('gives each integration its own token', async () => {
  for (const tool of FIRST) await ana.run(tool);
  expect(new Set(authorizations()).size).toBe(3);
});

it('refreshes each token when it is used, and once for concurrent calls', async () => {
  app.clock.advance(3600);
  const before = google.requests.length;
  await ana.runAll([...FIRST, ...FIRST].map((tool) => ({ tool, args: {} })));
  const paths = google.requests.slice(before).map(({ path }) => path.split('?')[0]);
  expect(paths.filter((path) => path === '/token')).toHaveLength(3);
  expect(paths).toHaveLength(9);
});

it('says how to fix it when Google has withdrawn the access', async () => {
  const bearer = google.requests.findLast(({ path }) => path.startsWith('/drive/'))?.authorization ?? '';
  google.revoke(bearer.replace('Bearer ', ''));
  await expect(ana.run('gdrive_list_files')).rejects.toThrow('401: ');
  expect(await ana.run('gmail_list_labels')).toMatchObject({ labels: expect.any(Array) });
});
