// Kills senders at each step, and lets several send at once. reference: The outbox
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOutboxSender } from '../../src/notices/sending/outbox-sender.ts';
import type { Deliveries } from '../../src/ports/outbox.ts';
import { type NoticeStand, openNotices } from '../support/notice-stand.ts';

const LEASE_SECONDS = 120;

/** What never comes back, as in a process that was killed. */
const never = () => new Promise<never>(() => {});

describe('the outbox', () => {
  let stand: NoticeStand;
  beforeEach(async () => {
    stand = await openNotices();
  });
  afterEach(() => stand.close());

  /** Another process over the same store. */
  function otherSender(broken: Partial<Deliveries> = {}, fetch = stand.app.deps.egress.fetch) {
    const { deps } = stand.app;
    const { outbox } = deps.store;
    const deliveries = { ...outbox.deliveries, ...broken };
    const store = { ...deps.store, outbox: { ...outbox, deliveries } };
    return createOutboxSender({ ...deps, store, egress: { ...deps.egress, fetch } });
  }

  /** Stores a delivery that the gateway itself does not send: its process is gone. */
  async function queued(): Promise<string> {
    const { deps } = stand.app;
    const channel = await stand.add({ channel: 'webhook', name: 'Server', url: stand.receiver.url });
    const { outboxSender, store } = deps;
    const { clock } = stand.app;
    await store.outbox.destinations.note(
      { id: channel.id, failures: 0, disabled_at: null },
      {
        failures: 0,
        failing_since: null,
        last_error: null,
        last_ok_at: null,
        disabled_at: null,
        paused_until: clock.now() + 1,
      },
    );
    await stand.tell();
    await outboxSender.round();
    clock.advance(2);
    return channel.id;
  }

  it('sends what was queued before the process was killed', async () => {
    await queued();
    expect(stand.receiver.got).toEqual([]);
    await otherSender().round();
    await stand.untilStates(['done']);
    expect(stand.receiver.got).toHaveLength(1);
  });

  it('sends what a process had taken and never sent', async () => {
    await queued();
    const taken = Promise.withResolvers<void>();
    await otherSender({}, () => (taken.resolve(), never())).round();
    await taken.promise;
    await otherSender().round();
    expect(stand.receiver.got).toEqual([]);
    stand.app.clock.advance(LEASE_SECONDS);
    await otherSender().round();
    await stand.untilStates(['done']);
    expect(stand.receiver.got).toHaveLength(1);
  });

  it('sends again under the same id what was sent and not noted', async () => {
    await queued();
    const sent = Promise.withResolvers<void>();
    await otherSender({ finish: () => (sent.resolve(), never()) }).round();
    await sent.promise;
    expect(stand.receiver.got).toHaveLength(1);
    stand.app.clock.advance(LEASE_SECONDS);
    await otherSender().round();
    await stand.untilStates(['done']);
    const ids = stand.receiver.got.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it('sends each delivery once while three processes send', async () => {
    const { app, receiver } = stand;
    await queued();
    const senders = [otherSender(), otherSender(), otherSender()];
    for (let each = 0; each < 20; each++) await stand.tell();
    await expect
      .poll(async () => {
        await Promise.all(senders.map((sender) => sender.round()));
        return (await stand.deliveries()).filter(({ state }) => state !== 'done').length;
      })
      .toBe(0);
    const ids = receiver.got.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(21);
    expect(new Set(ids).size).toBe(21);
    expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('gives the turn of a slow person to others', async () => {
    const { app, receiver, send } = stand;
    const ben = await app.user('ben@example.com');
    receiver.answers((response, { path }) => {
      if (path !== '/slow') response.writeHead(200).end();
    });
    for (let each = 0; each < 10; each++)
      await stand.add({ channel: 'webhook', name: 'Slow', url: `${receiver.url}/slow` });
    await stand.tell();
    await receiver.until(4);
    await stand.add({ channel: 'webhook', name: 'Quick', url: `${receiver.url}/quick` }, ben);
    await stand.tell({ userId: ben.id });
    await expect.poll(() => receiver.got.some(({ path }) => path === '/quick')).toBe(true);
    // Four attempts are the most of one person.
    expect(receiver.got.filter(({ path }) => path === '/slow')).toHaveLength(4);
    expect((await send('GET', '/api/notices')).status).toBe(200);
  });

  it('takes the events of a feature once, and tells a person nothing of a stranger', async () => {
    const { app, ana, receiver } = stand;
    const { outbox } = app.deps;
    const refused = await outbox.addWebhook({ userId: ana.id, name: 'Events', url: 'ftp://example.com' });
    expect(refused).toMatchObject({ ok: false });
    const made = await outbox.addWebhook({ userId: ana.id, name: 'Events', url: receiver.url });
    if (!made.ok) throw new Error(made.message);
    const event = { id: 'evt-1', type: 'github.push', at: app.clock.now(), data: { ref: 'main' } };
    expect(await outbox.send(ana.id, made.id, event)).toBe('queued');
    expect(await outbox.send(ana.id, made.id, event)).toBe('known');
    expect(await outbox.send('somebody', made.id, event)).toBe('gone');
    await receiver.until(1);
    expect(JSON.parse(receiver.got[0]?.body.toString() ?? '')).toMatchObject({
      type: 'github.push',
      data: { ref: 'main' },
    });
    // It is no channel for notices.
    await stand.tell();
    expect(await stand.deliveries()).toHaveLength(1);
    expect(await outbox.remove(ana.id, made.id)).toBe(true);
    expect(await outbox.send(ana.id, made.id, { ...event, id: 'evt-2' })).toBe('gone');
  });
});
