// Loses the process of a gateway before and after each write between the receipt of an event and its reader, on each engine of the
// store: nothing is lost, and nothing is told twice. test/node/events-kills.test.ts kills real processes. reference: Event
// subscriptions; Addresses for events
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/ports/store.ts';
import type { OpenStore } from '../contracts/store-contract.ts';
import { createDyingStore, type Death } from '../support/dying-store.ts';
import { deliver, readAll, runTool, subscribe } from '../support/events.ts';
import { publish } from '../support/jots.ts';
import { type NoticeStand, openNotices } from '../support/notice-stand.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

/** As long as the longest lease. */
const LEASE_SECONDS = 120;

interface Heard {
  id: string;
  subscription: string;
  payload: unknown;
}

type Step = readonly [what: string, part: Death['part'], name: string];

const OF_DELIVERY: readonly Step[] = [
  ['looks whether it has the event', 'events', 'known'],
  ['stores the event', 'events', 'append'],
];
const OF_FORWARD: readonly Step[] = [
  ['reads what goes on to the address', 'events', 'after'],
  ['gives the event to the outbox', 'deliveries', 'add'],
  ['moves on behind it', 'eventForwards', 'move'],
  ['takes the delivery', 'deliveries', 'claim'],
  ['notes that it was sent', 'deliveries', 'finish'],
];
const OF_WATCH: readonly Step[] = [
  ['takes the run', 'events', 'claim'],
  ['stores what it has found', 'events', 'finish'],
];
const TIMES = [
  ['before', false],
  ['after', true],
] as const;
const atEach = (steps: readonly Step[]) =>
  steps.flatMap(([what, part, name]) =>
    TIMES.map(([when, isAfter]): [string, string, Death] => [
      when,
      what,
      { part, names: [name], at: 0, isAfter },
    ]),
  );

export function deathsContract(open: () => Promise<OpenStore>): void {
  let opened: OpenStore;
  let store: Store;
  let stand: NoticeStand;
  let doomed: TestApp[];
  beforeAll(async () => {
    opened = await open();
    store = { ...opened.store, close: async () => {} };
  }, 180_000);
  afterAll(() => opened.close());
  beforeEach(async () => {
    doomed = [];
    stand = await openNotices({ ports: { store } });
  });
  afterEach(async () => {
    const { subscriptions } = (await runTool(stand.app, stand.ana, 'events_list')).body.result;
    for (const { id } of subscriptions) await runTool(stand.app, stand.ana, 'events_unsubscribe', { id });
    for (const app of doomed) await app.close();
    await stand.close();
  });

  /** Another process over the same store, which is lost. */
  async function openDoomed(death: Death): Promise<{ app: TestApp; died: Promise<void> }> {
    const { store: dying, died } = createDyingStore(store, death);
    const app = await createTestApp({ ports: { store: dying, clock: stand.app.clock } });
    doomed.push(app);
    return { app, died };
  }

  async function heardOf({ id }: { id: string }): Promise<Heard[]> {
    const heard: Heard[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await readAll(stand.app, stand.ana, cursor === undefined ? {} : { cursor });
      heard.push(...page.events.filter(({ subscription }: Heard) => subscription === id));
      if (page.events.length === 0) return heard;
      ({ cursor } = page);
    }
  }

  describe('a process that is lost', () => {
    it.each(atEach(OF_DELIVERY))(
      '%s it %s: its sender repeats it, and it is read once',
      async (_, __, death) => {
        const to = await subscribe(stand.app, stand.ana, { integration: 'webhook', event: 'header' });
        const headers = { 'x-webhook-secret': to.secret, 'idempotency-key': 'one' };
        const { app, died } = await openDoomed(death);
        const lost = deliver(app, to, '{"number":1}', headers).then(() => 'answered');
        expect(await Promise.race([lost, died.then(() => 'lost')])).toBe('lost');
        expect((await deliver(stand.app, to, '{"number":1}', headers)).status).toBe(200);
        expect((await heardOf(to)).map(({ payload }) => payload)).toEqual([{ number: 1 }]);
      },
    );

    it.each(atEach(OF_FORWARD))(
      '%s it %s: the address gets each event, under one id',
      async (_, __, death) => {
        const { app, ana, receiver, send } = stand;
        const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
        await send('PUT', `/api/events/${to.id}/deliver-to`, { url: receiver.url });
        const { app: other, died } = await openDoomed(death);
        // It answers its sender, and goes on afterwards.
        const headers = { 'x-webhook-secret': to.secret };
        expect((await deliver(other, to, '{"number":1}', headers)).status).toBe(200);
        await died;
        app.clock.advance(LEASE_SECONDS + 1);
        expect((await deliver(app, to, '{"number":2}', headers)).status).toBe(200);
        await app.deps.eventForwarding.round();
        await stand.round();
        const sent = () =>
          new Map(
            receiver.got.map(({ headers: { 'webhook-id': id }, body }) => [
              String(id),
              JSON.parse(body.toString()).data.payload.number,
            ]),
          );
        await expect.poll(() => [...sent().values()].toSorted((one, other) => one - other)).toEqual([1, 2]);
        expect((await heardOf(to)).map(({ payload }) => payload)).toEqual([{ number: 1 }, { number: 2 }]);
      },
    );

    it.each(atEach(OF_WATCH))(
      '%s it %s: another one runs the watch, and tells of an item once',
      async (_, __, death) => {
        const { app, ana } = stand;
        const watch = { tool: 'list_jots', items: 'jots', id: 'name', every: 60 };
        const to = await subscribe(app, ana, { integration: 'watch', args: watch });
        const name = `jot-${randomUUID()}`;
        await publish(app, ana, name, {});
        app.clock.advance(60);
        const { app: other, died } = await openDoomed(death);
        void other.deps.eventRuns.round();
        await died;
        for (let count = 0; count < 3; count++) {
          app.clock.advance(LEASE_SECONDS);
          await app.deps.eventRuns.round();
        }
        expect((await heardOf(to)).map(({ payload }) => payload)).toMatchObject([{ id: name }]);
      },
    );

    it('while it answers a reader: the reader asks again from where it was, and misses nothing', async () => {
      const to = await subscribe(stand.app, stand.ana, { integration: 'webhook', event: 'header' });
      const { cursor } = await readAll(stand.app, stand.ana, { cursor: 'now' });
      for (const number of [1, 2])
        await deliver(stand.app, to, JSON.stringify({ number }), { 'x-webhook-secret': to.secret });
      for (const [, isAfter] of TIMES) {
        const { app, died } = await openDoomed({ part: 'events', names: ['after'], at: 0, isAfter });
        const lost = readAll(app, stand.ana, { cursor }).then(() => 'answered');
        expect(await Promise.race([lost, died.then(() => 'lost')])).toBe('lost');
      }
      const { events } = await readAll(stand.app, stand.ana, { cursor });
      expect(events.map(({ payload }: Heard) => payload)).toEqual([{ number: 1 }, { number: 2 }]);
    });
  });
}
