// Checks that watches and schedules find what is new, once, whatever fails in between. reference: Watches; Schedules
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeAll, listen } from '../support/egress-door.ts';
import { createImportUser } from '../support/import-user.ts';
import { publish } from '../support/jots.ts';
import { deliver, readAll, runTool, subscribe } from '../support/events.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

interface Read {
  type: string;
  payload: Record<string, unknown>;
}

const WATCH = { tool: 'list_jots', items: 'jots', id: 'name', every: 60 };

let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterEach(() => app.close());

const round = (of = app) => of.deps.eventRuns.round();
const health = async () => (await runTool(app, ana, 'events_list')).body.result.subscriptions[0];
const typesRead = async (cursor?: string) =>
  (await readAll(app, ana, cursor === undefined ? {} : { cursor })).events.map(
    ({ type, payload }: Read) => `${type} ${String(payload['id'])}`,
  );

describe('a watch', () => {
  it('takes the first run as a baseline, and tells of new items after it', async () => {
    await publish(app, ana, 'one', {});
    const made = await subscribe(app, ana, { integration: 'watch', args: WATCH });
    expect(made).toMatchObject({ items: 1, subscription: { state: 'ok', kind: 'watch' } });
    expect(await typesRead()).toEqual([]);
    await publish(app, ana, 'two', {});
    app.clock.advance(59);
    await round();
    expect(await typesRead()).toEqual([]);
    app.clock.advance(1);
    await round();
    await round();
    expect(await typesRead()).toEqual(['item.new two']);
    app.clock.advance(60);
    await round();
    expect(await typesRead()).toEqual(['item.new two']);
  });

  it('tells of changed items where it is asked to, also of one that changes back', async () => {
    await publish(app, ana, 'one', { 'a.txt': 'a' });
    const args = { ...WATCH, items: 'jots[].{name: name, files: files}', changes: true };
    await subscribe(app, ana, { integration: 'watch', args });
    for (const files of [{}, { 'a.txt': 'a' }]) {
      await publish(app, ana, 'one', files);
      app.clock.advance(60);
      await round();
    }
    expect(await typesRead()).toEqual(['item.changed one', 'item.changed one']);
  });

  it.each([
    ['a tool that writes', { tool: 'delete_jot' }, /does not only read/],
    ['an unknown tool', { tool: 'no_such_tool' }, /No tool is named/],
    ['a wrong expression', { items: 'jots[' }, /not a valid JMESPath/],
    ['items that are no list', { items: 'jots[0].name' }, /not a list/],
    ['runs more often than a minute', { every: 59 }, /every/],
  ])('refuses %s', async (_, changes, why) => {
    await publish(app, ana, 'one', {});
    const { status, body } = await runTool(app, ana, 'events_subscribe', {
      integration: 'watch',
      args: { ...WATCH, ...changes },
    });
    expect([status === 200, JSON.stringify(body)]).toEqual([false, expect.stringMatching(why)]);
    expect(await app.deps.store.events.list(ana.id)).toEqual([]);
  });

  it('ends when the key that has subscribed is deleted, and says so', async () => {
    const minted = await app.deps.agentKeys.mint(ana.id, { name: 'bot', limits: {}, expiresAt: null });
    const bot = { keyHeader: { 'x-service-api-key': minted?.key ?? '' } };
    await runTool(app, bot, 'events_subscribe', { integration: 'watch', args: WATCH });
    await app.deps.agentKeys.remove(ana.id, minted?.record.id ?? '');
    await publish(app, ana, 'two', {});
    app.clock.advance(60);
    await round();
    expect(await health()).toMatchObject({
      state: 'ended',
      problem: expect.stringMatching(/lost its access/),
    });
    expect(await typesRead()).toEqual([]);
  });

  it('heeds the rules of the person, and waits longer after each failure', async () => {
    const minted = await app.deps.agentKeys.mint(ana.id, { name: 'bot', limits: {}, expiresAt: null });
    const bot = { keyHeader: { 'x-service-api-key': minted?.key ?? '' } };
    await runTool(app, bot, 'events_subscribe', { integration: 'watch', args: WATCH });
    const rules = { rules: [{ tool: 'list_jots', decision: 'block' }] };
    const put = await app.request('/api/policy', {
      method: 'PUT',
      headers: ana.sessionHeader,
      body: JSON.stringify(rules),
    });
    expect(put.status).toBe(200);
    app.clock.advance(60);
    await round();
    expect(await health()).toMatchObject({ state: 'failing', failures: 1, nextRun: app.clock.now() + 60 });
    app.clock.advance(60);
    await round();
    expect(await health()).toMatchObject({ state: 'failing', failures: 2, nextRun: app.clock.now() + 120 });
  });

  it('asks a service that is down for an hour less and less, and misses nothing that came meanwhile', async () => {
    const items = [{ id: 'one' }];
    let asked = 0;
    let isDown = false;
    const { url } = await listen((_, response) => {
      asked++;
      response.writeHead(isDown ? 503 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isDown ? { error: 'down' } : { items }));
    });
    const document = {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url }],
      paths: {
        '/items': { get: { operationId: 'listItems', responses: { 200: { description: 'Items' } } } },
      },
    };
    const form = { document: JSON.stringify(document), auth: { type: 'none' } };
    await createImportUser(app, ana).add(form);
    const args = { tool: 'acme_list_items', items: 'items', id: 'id', every: 60 };
    const { subscription } = await subscribe(app, ana, { integration: 'watch', args });
    const end = subscription.nextRun + 60 * 60;
    isDown = true;
    asked = 0;
    items.push({ id: 'two' });
    while (app.clock.now() < end) {
      app.clock.advance(60);
      await round();
    }
    // At once, and then after 1, 2, 4, 8 and 16 minutes.
    expect(asked).toBe(6);
    expect(await health()).toMatchObject({
      state: 'failing',
      failures: 6,
      problem: expect.stringMatching(/503/),
    });
    isDown = false;
    items.push({ id: 'three' });
    const back = await health();
    app.clock.advance(back.nextRun - app.clock.now());
    await round();
    expect(await typesRead()).toEqual(['item.new two', 'item.new three']);
    expect(await health()).toMatchObject({ state: 'ok', failures: 0, problem: null });
    await closeAll();
  });

  it('keeps to its times when a run is late, and makes up for none that it has missed', async () => {
    const { subscription } = await subscribe(app, ana, { integration: 'watch', args: WATCH });
    const first = subscription.nextRun;
    for (const [late, next] of [
      [0, 60],
      [67, 120],
      [305, 360],
    ] as const) {
      app.clock.advance(first + late - app.clock.now());
      await round();
      expect(await health()).toMatchObject({ lastRun: first + late, nextRun: first + next });
    }
  });

  it('runs at each timer of a Worker, also when that comes a second early', async () => {
    const worker = await createTestApp({ ports: { isIsolated: true } });
    const bea = await worker.user();
    const { id } = await subscribe(worker, bea, { integration: 'watch', args: WATCH });
    for (const wait of [61, 59, 60]) {
      worker.clock.advance(wait);
      await worker.deps.eventRuns.round();
      expect(await worker.deps.store.events.poller(id)).toMatchObject({ last_run: worker.clock.now() });
    }
    await worker.close();
  });

  it('is stalled when it was not run for three intervals', async () => {
    await subscribe(app, ana, { integration: 'watch', args: WATCH });
    app.clock.advance(180);
    expect(await health()).toMatchObject({ state: 'stalled', lag: 120 });
    await round();
    expect(await health()).toMatchObject({ state: 'ok', lag: 0, lastRun: app.clock.now() });
  });
});

describe('a process that is lost', () => {
  it('during a run leaves it to another one, and neither loses nor repeats an event', async () => {
    await subscribe(app, ana, { integration: 'watch', args: WATCH });
    await publish(app, ana, 'two', {});
    const other = await createTestApp({ ports: { store: app.deps.store, clock: app.clock } });
    // The first process is gone between the claim and the end of its run.
    app.clock.advance(60);
    const [due] = await app.deps.store.events.due(app.clock.now(), app.clock.now(), 10);
    await app.deps.store.events.claim(
      due?.subscription_id ?? '',
      'lost',
      app.clock.now(),
      app.clock.now() + 120,
    );
    const second = other.deps.eventRuns;
    await second.round();
    expect(await typesRead()).toEqual([]);
    app.clock.advance(120);
    await Promise.all([second.round(), round()]);
    expect(await typesRead()).toEqual(['item.new two']);
  });

  it.each(['before the write', 'after the write'] as const)(
    '%s of a delivery: its sender repeats it, and it is read once',
    async (when) => {
      const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
      const headers = { 'x-webhook-secret': to.secret, 'idempotency-key': 'one' };
      const { events } = app.deps.store;
      const append = events.append;
      events.append = async (drafts, most) => {
        events.append = append;
        if (when === 'after the write') await append(drafts, most);
        throw new Error('killed');
      };
      expect((await deliver(app, to, '{"id":1}', headers)).status).toBe(500);
      expect((await deliver(app, to, '{"id":1}', headers)).status).toBe(200);
      const { events: read, cursor } = await readAll(app, ana);
      expect(read).toHaveLength(1);
      expect((await readAll(app, ana, { cursor })).events).toEqual([]);
    },
  );
});

describe('a schedule', () => {
  const at = (text: string) => Math.floor(Date.parse(text) / 1000);

  it('tells of a time once, and how many it has missed', async () => {
    const args = { cron: '*/10 * * * *', text: 'look' };
    const { subscription } = await subscribe(app, ana, { integration: 'schedule', args });
    app.clock.advance(subscription.nextRun - app.clock.now());
    await round();
    await round();
    app.clock.advance(35 * 60);
    await round();
    const { events } = await readAll(app, ana);
    const first = subscription.nextRun;
    expect(
      events.map(({ payload }: Read) => [payload['scheduledFor'], payload['missed'], payload['text']]),
    ).toEqual([
      [first, 0, 'look'],
      [first + 30 * 60, 2, 'look'],
    ]);
  });

  it.each([
    // There is no 2:30 on this day, so it is 3:00, and two on the other day, of which the first counts.
    ['2026-03-28T22:00:00Z', ['2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z']],
    ['2026-10-24T22:00:00Z', ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z']],
  ])('keeps the time of day when the clock changes (%s)', async (start, times) => {
    await app.close();
    app = await createTestApp({ now: at(start) });
    ana = await app.user();
    const args = { cron: '30 2 * * *', timeZone: 'Europe/Berlin' };
    await subscribe(app, ana, { integration: 'schedule', args });
    for (const time of times) {
      expect((await health()).nextRun).toBe(at(time));
      app.clock.advance(at(time) - app.clock.now());
      await round();
    }
  });

  it.each([{ cron: 'x' }, { cron: '* * * * * *' }, { cron: '0 8 * * *', timeZone: 'Mars/Crater' }])(
    'refuses %j',
    async (args) => {
      const { status } = await runTool(app, ana, 'events_subscribe', { integration: 'schedule', args });
      expect(status).not.toBe(200);
    },
  );
});

describe('reading', () => {
  it('wakes a reader that waits, and starts at now', async () => {
    const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
    const headers = { 'x-webhook-secret': to.secret };
    await deliver(app, to, '{"id":1}', headers);
    const { cursor } = await readAll(app, ana, { cursor: 'now' });
    const reading = readAll(app, ana, { cursor, waitSec: 50 });
    await expect.poll(() => app.deps.eventWaits.waiting()).toBe(1);
    await deliver(app, to, '{"id":2}', headers);
    expect((await reading).events).toMatchObject([{ payload: { id: 2 } }]);
    expect(app.deps.eventWaits.waiting()).toBe(0);
  });

  it('says that events were dropped before they were read', async () => {
    const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
    const headers = { 'x-webhook-secret': to.secret };
    await deliver(app, to, '{"id":1}', headers);
    const { cursor } = await readAll(app, ana);
    await deliver(app, to, '{"id":2}', headers);
    app.clock.advance(7 * 24 * 60 * 60);
    while (await app.deps.store.events.expire(app.clock.now()));
    await deliver(app, to, '{"id":3}', headers);
    expect(await readAll(app, ana, { cursor })).toMatchObject({
      truncated: true,
      events: [{ payload: { id: 3 } }],
    });
  });

  it('shows events to their person alone, and replays one', async () => {
    const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
    await deliver(app, to, '{"id":1}', { 'x-webhook-secret': to.secret });
    const bea = await app.user('bea@example.com');
    expect((await readAll(app, bea)).events).toEqual([]);
    const log = async (user: TestUser) =>
      (await (await app.request('/api/events/log', { headers: user.sessionHeader })).json()).events;
    const [event] = await log(ana);
    const replay = (user: TestUser) =>
      app.request(`/api/events/log/${event.id}/replay`, { method: 'POST', headers: user.sessionHeader });
    expect((await replay(bea)).status).toBe(404);
    expect((await replay(ana)).status).toBe(200);
    expect(await log(ana)).toMatchObject([{ replayOf: event.id, payload: { id: 1 } }, { id: event.id }]);
  });
});
