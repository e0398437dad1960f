// Sends events on to addresses of people, whatever fails in between. Somebody else's library judges the signatures.
// reference: Addresses for events; decision: 067
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createSeal } from '../../src/crypto/seal.ts';
import { createEventForwarding } from '../../src/events/forwarding.ts';
import { rotateKeys } from '../../src/maintenance/rotate-keys.ts';
import { createExportPerson } from '../../src/people/export.ts';
import type { Outbox } from '../../src/kit/outbox.ts';
import { deliver, readAll, runTool, subscribe } from '../support/events.ts';
import { type NoticeStand, openNotices, type Received } from '../support/notice-stand.ts';
import type { Options } from '../support/test-app.ts';

let stand: NoticeStand;
const open = async (options?: Options) => (stand = await openNotices(options));
afterEach(() => stand.close());

/** A subscription whose events go on to the receiver, and what its sender sends. */
async function forwarded(url = stand.receiver.url) {
  const { app, ana, send } = stand;
  const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
  const answer = await send('PUT', `/api/events/${to.id}/deliver-to`, { url });
  const channel = await answer.json();
  expect(answer.status, JSON.stringify(channel)).toBe(200);
  let sent = 0;
  return {
    id: to.id as string,
    channel: channel as { id: string; secret: string },
    async happens(body: object = { id: ++sent }) {
      const headers = { 'x-webhook-secret': to.secret };
      expect((await deliver(app, to, JSON.stringify(body), headers)).status).toBe(200);
    },
  };
}

const bodies = (of = stand) => of.receiver.got.map(({ body }) => JSON.parse(body.toString()));
const payloads = () => bodies().map(({ data }) => data.payload.id);
const byText = (one: unknown, other: unknown) => String(one).localeCompare(String(other));
const shown = async () => (await (await stand.send('GET', '/api/events')).json()).subscriptions[0];

function verified(secret: string, received: Received | undefined): unknown {
  if (received === undefined) throw new TypeError('nothing was received');
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.fromEntries(names.map((name) => [name, String(received.headers[name])]));
  // The receiver reads the clock of the gateway.
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1_000 });
  try {
    return new Webhook(secret).verify(received.body.toString(), headers);
  } finally {
    vi.useRealTimers();
  }
}

describe('an address of a person', () => {
  beforeEach(() => open());

  it('gets each event once, signed, and the reader still has it', async () => {
    const { channel, happens, id } = await forwarded();
    await happens({ type: 'order.paid', total: 7 });
    await stand.receiver.until(1);
    const [event] = (await readAll(stand.app, stand.ana)).events;
    expect(verified(channel.secret, stand.receiver.got[0])).toMatchObject({
      type: 'webhook.order.paid',
      data: { id: event.id, subscription: id, payload: { total: 7 } },
    });
    await expect.poll(async () => (await shown()).deliverTo).toMatchObject({ id: channel.id, state: 'ok' });
    await stand.app.deps.eventForwarding.round();
    await stand.round();
    expect(stand.receiver.got).toHaveLength(1);
    expect(await stand.deliveries()).toMatchObject([{ channel: channel.id, state: 'done' }]);
  });

  it('gets what happens from now on, and nothing that was before', async () => {
    const { app, ana, send } = stand;
    const to = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
    const headers = { 'x-webhook-secret': to.secret };
    await deliver(app, to, '{"id":"before"}', headers);
    await send('PUT', `/api/events/${to.id}/deliver-to`, { url: stand.receiver.url });
    await deliver(app, to, '{"id":"after"}', headers);
    await stand.receiver.until(1);
    await app.deps.eventForwarding.round();
    expect(payloads()).toEqual(['after']);
  });

  it('gets a stored event once more when its person asks for it', async () => {
    const { happens } = await forwarded();
    await happens();
    await stand.receiver.until(1);
    const [event] = (await readAll(stand.app, stand.ana)).events;
    const replay = () => stand.send('POST', `/api/events/log/${event.id}/replay`, { to: 'address' });
    expect((await replay()).status).toBe(200);
    await stand.receiver.until(2);
    expect(payloads()).toEqual([1, 1]);
    expect(new Set(stand.receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('is told of a payload that is too long, and where it is', async () => {
    const { happens } = await forwarded();
    await happens({ id: 1, text: 'x'.repeat(70_000) });
    await stand.receiver.until(1);
    const [{ data }] = bodies();
    expect(data).toMatchObject({ payload: null, isTooLong: true });
    const { payload } = await (await stand.send('GET', `/api/events/log/${data.id}`)).json();
    expect(payload.text).toHaveLength(70_000);
  });

  it('is chosen by people in the portal only, for their own subscriptions', async () => {
    const { app, ana, send } = stand;
    const { id, channel } = await forwarded();
    const ben = await app.user('ben@example.com');
    const put = { url: stand.receiver.url };
    expect((await send('PUT', `/api/events/${id}/deliver-to`, put, ben)).status).toBe(404);
    const { id: own } = await subscribe(app, ben, { integration: 'webhook', event: 'header' });
    const foreign = { channel: channel.id };
    expect((await send('PUT', `/api/events/${own}/deliver-to`, foreign, ben)).status).toBe(400);
    const byKey = await app.request(`/api/events/${id}/deliver-to`, {
      method: 'PUT',
      headers: { ...ana.keyHeader, 'content-type': 'application/json' },
      body: JSON.stringify(put),
    });
    expect(byKey.status).toBe(403);
    const { status } = await runTool(app, ana, 'events_subscribe', {
      integration: 'webhook',
      event: 'header',
      deliverTo: stand.receiver.url,
    });
    expect(status).toBe(400);
  });

  it('can take the events of several subscriptions, and goes with the last of them', async () => {
    const first = await forwarded();
    const { app, ana, send } = stand;
    const other = await subscribe(app, ana, { integration: 'webhook', event: 'header' });
    const put = await send('PUT', `/api/events/${other.id}/deliver-to`, { channel: first.channel.id });
    expect((await put.json()).secret).toBeUndefined();
    await first.happens();
    await deliver(app, other, '{"id":"other"}', { 'x-webhook-secret': other.secret });
    await stand.receiver.until(2);
    expect(payloads().toSorted(byText)).toEqual([1, 'other']);
    const channels = async () => (await (await send('GET', '/api/notices')).json()).channels;
    await runTool(app, ana, 'events_unsubscribe', { id: first.id });
    expect(await channels()).toHaveLength(1);
    expect((await send('DELETE', `/api/events/${other.id}/deliver-to`)).status).toBe(200);
    expect(await channels()).toEqual([]);
  });

  it('that its person deletes among the channels is forgotten', async () => {
    const { channel, happens, id } = await forwarded();
    await stand.send('DELETE', `/api/notices/channels/${channel.id}`);
    await happens();
    await stand.app.deps.eventForwarding.round();
    expect(await stand.app.deps.store.eventForwards.of([id])).toEqual([]);
    expect(await shown()).toMatchObject({ deliverTo: null });
  });
});

describe('a receiver that is away', () => {
  beforeEach(() => open());

  it('for an hour gets everything afterwards, once', async () => {
    const { app, receiver } = stand;
    const { happens } = await forwarded();
    receiver.answers((response) => response.writeHead(503).end());
    for (let minute = 0; minute < 60; minute += 10) {
      await happens();
      app.clock.advance(600);
      await stand.round();
      await sendingIsOver();
    }
    const tried = receiver.got.length;
    expect(tried).toBeLessThan(20);
    receiver.answers((response) => response.writeHead(200).end());
    for (let more = 0; more < 12; more++) {
      app.clock.advance(600);
      await stand.round();
      await sendingIsOver();
    }
    await stand.untilStates(Array.from({ length: 6 }, () => 'done' as const));
    const taken = receiver.got.slice(tried).map(({ body }) => JSON.parse(body.toString()).data.payload.id);
    expect(taken.toSorted(byText)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('until it was disabled goes on where it was when its person enables it', async () => {
    const { app, receiver, send } = stand;
    const { channel, happens } = await forwarded();
    receiver.answers((response) => response.writeHead(410).end());
    await happens();
    await stand.untilStates(['failed']);
    await happens();
    await happens();
    expect(await shown()).toMatchObject({ deliverTo: { state: 'disabled' } });
    receiver.answers((response) => response.writeHead(200).end());
    await send('PATCH', `/api/notices/channels/${channel.id}`, { disabled: false });
    app.clock.advance(60);
    await app.deps.eventForwarding.round();
    await stand.untilStates(['done', 'done', 'failed']);
    expect(payloads().toSorted(byText)).toEqual([1, 2, 3]);
    const failed = (await stand.deliveries()).find(({ state }) => state === 'failed');
    expect((await send('POST', `/api/notices/deliveries/${failed?.id}/send-again`)).status).toBe(202);
    await stand.untilStates(['done', 'done', 'done']);
  });

  async function sendingIsOver(): Promise<void> {
    const { app, ana } = stand;
    await app.deps.clock.turn();
    await expect
      .poll(async () => {
        const rows = await app.deps.store.outbox.deliveries.list({ userId: ana.id, limit: 10 });
        return rows.filter(({ running_until }) => running_until !== null).length;
      })
      .toBe(0);
  }
});

describe('a process that is lost', () => {
  beforeEach(() => open());

  /** Another process over the same store. */
  const other = (outbox: Partial<Outbox> = {}) =>
    createEventForwarding({ ...stand.app.deps, outbox: { ...stand.app.deps.outbox, ...outbox } });

  /** Events that are stored by a process that then is gone. */
  async function stored(count: number) {
    const subscribed = await forwarded();
    const { eventForwards } = stand.app.deps.store;
    const of = eventForwards.of;
    eventForwards.of = () => new Promise(() => {});
    for (let each = 0; each < count; each++) await subscribed.happens();
    eventForwards.of = of;
    expect(stand.receiver.got).toEqual([]);
    return subscribed;
  }

  it('between an event and its delivery leaves it to another one', async () => {
    await stored(3);
    await other().round();
    await stand.receiver.until(3);
    expect(payloads().toSorted(byText)).toEqual([1, 2, 3]);
  });

  it.each(['before', 'after'] as const)(
    '%s the outbox has the second event sends none twice',
    async (when) => {
      await stored(3);
      const { outbox } = stand.app.deps;
      const reached = Promise.withResolvers<void>();
      let count = 0;
      void other({
        async send(...given) {
          if (++count < 2) return outbox.send(...given);
          if (when === 'after') await outbox.send(...given);
          reached.resolve();
          return new Promise(() => {});
        },
      }).round();
      await reached.promise;
      await Promise.all([other().round(), other().round(), other().round()]);
      await stand.untilStates(['done', 'done', 'done']);
      expect(payloads().toSorted(byText)).toEqual([1, 2, 3]);
    },
  );

  it('or an outbox that is full for a while loses nothing', async () => {
    const { outbox } = stand.app.deps;
    await stored(3);
    let isFull = false;
    const forwarding = other({
      async send(...given) {
        if (isFull) return 'full';
        isFull = true;
        return outbox.send(...given);
      },
    });
    await forwarding.round();
    isFull = false;
    await forwarding.round();
    await other().round();
    await stand.untilStates(['done', 'done', 'done']);
    expect(payloads().toSorted(byText)).toEqual([1, 2, 3]);
  });
});

describe('what is stored of an address', () => {
  it('is sealed again under a new key, with what waits for it', async () => {
    const [old, next] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
    await open({ env: { ENCRYPTION_KEY: old } });
    const { app, receiver } = stand;
    receiver.answers((response) => response.writeHead(503).end());
    const { channel, happens } = await forwarded();
    await happens();
    await receiver.until(1);
    const seal = await createSeal([next, old], app.deps.random);
    const { unreadable, resealed } = await rotateKeys({ ...app.deps, seal }, () => {});
    expect([unreadable, resealed]).toEqual([[], expect.any(Number)]);
    const { events, outbox } = app.deps.store;
    const rows = [
      ...(await events.list(stand.ana.id)),
      ...(await events.after(stand.ana.id, 0, 10)),
      ...(await outbox.destinations.list(stand.ana.id)),
      ...(await outbox.deliveries.list({ userId: stand.ana.id, limit: 10 })),
    ];
    expect(rows).toHaveLength(4);
    for (const { sealed } of rows) expect(seal.isCurrent(sealed)).toBe(true);
    const after = await openNotices({
      env: { ENCRYPTION_KEY: next },
      ports: { store: app.deps.store },
      now: app.clock.now() + 60,
    });
    try {
      receiver.answers((response) => response.writeHead(200).end());
      await after.app.deps.outboxSender.round();
      await receiver.until(2);
      expect(verified(channel.secret, receiver.got[1])).toMatchObject({ data: { payload: { id: 1 } } });
    } finally {
      await after.receiver.close();
    }
  });

  it('is part of the export without its secret, and goes with its person', async () => {
    await open();
    const { app, ana } = stand;
    const { channel, happens, id } = await forwarded(`${stand.receiver.url}/hidden-path`);
    await happens();
    await stand.untilStates(['done']);
    const person = await app.deps.store.users.byId(ana.id);
    if (person === null) throw new Error('the person is gone');
    const chunks: Uint8Array[] = [];
    for await (const chunk of createExportPerson(app.deps)(person)) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    expect(JSON.parse(text)).toMatchObject({
      subscriptions: [{ id, deliverTo: channel.id }],
      noticeChannels: [{ id: channel.id, purpose: 'events' }],
      deliveries: [{ destination: channel.id }],
    });
    for (const hidden of [channel.secret, 'hidden-path']) expect(text).not.toContain(hidden);
    const now = app.clock.now();
    await app.deps.store.people.beginDeletion(ana.id, {
      person: `sha ${ana.id}`,
      before: now,
      expires_at: now + 100,
    });
    for (const person of await app.deps.store.people.deleting())
      await app.deps.store.people.erase([person.id], 'somebody');
    expect(await app.deps.store.eventForwards.list(ana.id)).toEqual([]);
    expect(await app.deps.store.outbox.destinations.list(ana.id)).toEqual([]);
  });
});

it('goes through the guard at each attempt: a name that leads into the network later gets nothing', async () => {
  const network = createUndiciNetwork();
  const asked: string[] = [];
  let address = '93.184.216.34';
  await open({
    env: {
      SERVER_PUBLIC_URL: 'https://gateway.example',
      SESSION_SECRET: 'ab12'.repeat(16),
      ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    },
    ports: {
      network: {
        ...network,
        resolve: (name) => (name === 'own.example' ? [address] : network.resolve(name)),
        send: (request) => {
          asked.push(request.address);
          return Promise.resolve({ status: 200, headers: new Headers(), body: null });
        },
      },
    },
  });
  const { happens } = await forwarded('https://own.example/hook');
  await happens();
  await stand.untilStates(['done']);
  expect(asked).toEqual(['93.184.216.34']);
  const attempts = async () => (await stand.deliveries()).reduce((sum, { attempts: own }) => sum + own, 0);
  for (address of ['10.0.0.7', '127.0.0.1', '169.254.169.254', 'fd00::1']) {
    const before = await attempts();
    await happens();
    stand.app.clock.advance(3_700);
    await stand.round();
    await expect.poll(attempts).toBeGreaterThan(before);
  }
  expect(asked).toEqual(['93.184.216.34']);
  expect((await stand.deliveries())[0]).toMatchObject({ state: 'queued' });
});
