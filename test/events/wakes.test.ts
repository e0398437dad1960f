// Lets a reader in another process wait, where only a wake can end the wait. reference: Event subscriptions
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSchema } from '../../drivers/sql/engine.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Place, postgresPlace, sqlitePlace } from '../contracts/store/open.ts';
import { deliver, subscribe } from '../support/events.ts';
import { describeService, postgresUrl, redisUrl } from '../support/services.ts';
import type { TestApp } from '../support/test-app.ts';
import { openWakeApp, type ReadJob, type WakePlace } from '../support/wake-app.ts';

const CHILD = join(import.meta.dirname, '../support/wake-child.ts');

let open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.toReversed()) await close();
  open = [];
});

async function startApp(place: Place, redis?: string): Promise<{ app: TestApp; at: WakePlace }> {
  open.push(place.remove);
  const engine = openAt(place.url);
  await createSchema(engine);
  await engine.close();
  const at = { database: place.url, redis };
  const app = await openWakeApp(at);
  open.push(app.close);
  return { app, at };
}

/** Starts a process that reads for the person, and waits until it waits. */
async function startReader(job: ReadJob) {
  const child = fork(CHILD, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  open.push(async () => {
    child.kill();
    await ended;
  });
  child.send(job);
  expect(await once(child, 'message')).toEqual(['waiting', undefined]);
  const answer = once(child, 'message');
  return { answer: async () => (await answer)[0] };
}

async function wakesAReader({ app, at }: { app: TestApp; at: WakePlace }): Promise<void> {
  const ana = await app.user();
  const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
  const readers = await Promise.all([1, 2].map(() => startReader({ place: at, apiKey: ana.apiKey })));
  const headers = { 'x-webhook-secret': to.secret };
  expect((await deliver(app, to, '{"id":1}', headers)).status).toBe(200);
  for (const reader of readers)
    expect(await reader.answer()).toMatchObject({ result: { events: [{ payload: { id: 1 } }] } });
}

await describeService('readers over PostgreSQL', postgresUrl(), () => {
  it('wake by a notification when another process stores an event', async () => {
    await wakesAReader(await startApp(await postgresPlace()));
  });
});

await describeService('readers over Redis', redisUrl(), () => {
  it('wake by a message when another process stores an event', async () => {
    await wakesAReader(await startApp(await sqlitePlace(), redisUrl()));
  });
});

describe('a line that does not arrive', () => {
  it('is noticed, so that readers are looked after by the clock', async () => {
    const { app } = await startApp(await sqlitePlace(), 'redis://127.0.0.1:1');
    const ana = await app.user();
    await app.deps.eventWaits.wait(ana.id, 0, 0, undefined);
    expect(app.deps.wakes?.isHeard()).toBe(false);
  });
});
