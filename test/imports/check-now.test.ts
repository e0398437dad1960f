// Tests what a person sees who presses Check now while the source is being asked. reference: Imports
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { type ChangingServer, startChangingServer, tool } from '../support/changing-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let ana: ImportUser;
let server: ChangingServer;
let sleeps = 0;

beforeEach(async () => {
  const clock = createSystemClock(setImmediate);
  const sleep = (milliseconds: number, signal?: AbortSignal) => {
    sleeps += 1;
    return clock.sleep(milliseconds, signal);
  };
  app = await createTestApp({ ports: { clock: { ...clock, sleep } } });
  ana = createImportUser(app, await app.user('owner@localhost'));
  server = await startChangingServer([tool('get')]);
  await ana.add({ address: server.address });
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
  await server.close();
});

const check = () => ana.send('POST', '/api/imports/acme/check');

/** Asks, and returns once the server holds back its answer. */
async function askAndHold() {
  const held = Promise.withResolvers<void>();
  const { listings, tools } = server;
  server.beforeListing = async () => {
    // The answer is what the server had when it was asked.
    server.beforeListing = async () => void (server.tools = [...tools, tool('added')]);
    await held.promise;
  };
  const asked = check();
  await expect.poll(() => server.listings).toBe(listings + 1);
  sleeps = 0;
  return { asked, release: held.resolve };
}

it('asks again when the one before has its answer', async () => {
  const { asked, release } = await askAndHold();
  const second = check();
  await expect.poll(() => sleeps).toBeGreaterThan(0);
  release();
  expect(await asked).toMatchObject({ status: 200, body: { added: [] } });
  expect(await second).toMatchObject({ status: 200, body: { added: [{ name: 'acme_added' }] } });
});

it('says that the import was deleted while it waited', async () => {
  const { asked, release } = await askAndHold();
  const second = check();
  await expect.poll(() => sleeps).toBeGreaterThan(0);
  expect(await ana.send('DELETE', '/api/imports/acme')).toMatchObject({ status: 200 });
  expect(await second).toMatchObject({ status: 409, body: { error: expect.stringContaining('deleted') } });
  release();
  await asked;
});
