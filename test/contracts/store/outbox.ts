// Tests what `OutboxStore` must do.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DeliveryRecord, DestinationRecord } from '../../../src/ports/outbox.ts';
import type { Store } from '../../../src/ports/store.ts';
import { newUser, NOW } from './records.ts';

const MOST = { queued: 100, rows: 100, characters: 2 ** 20 };

const destinationOf = (user: string, changes: Partial<DestinationRecord> = {}): DestinationRecord => ({
  id: randomUUID(),
  user_id: user,
  purpose: 'notices',
  channel: 'webhook',
  name: 'Server',
  muted: '[]',
  sealed: 'sealed address',
  created_at: NOW,
  failures: 0,
  failing_since: null,
  last_error: null,
  last_ok_at: null,
  paused_until: 0,
  disabled_at: null,
  hour: 0,
  hour_count: 0,
  ...changes,
});

const deliveryOf = (
  { id: destination, user_id, channel }: DestinationRecord,
  changes: Partial<DeliveryRecord> = {},
): DeliveryRecord => ({
  id: `msg_${randomUUID()}`,
  user_id,
  destination,
  channel,
  kind: 'approval',
  about: 'approval 1',
  state: 'queued',
  attempts: 0,
  due_at: NOW,
  give_up_at: NOW + 100,
  run: null,
  running_until: null,
  last_status: null,
  last_error: null,
  created_at: NOW,
  ended_at: null,
  expires_at: NOW + 1_000,
  sealed: 'sealed payload',
  ...changes,
});

export function outboxContract(store: () => Store): void {
  describe('the outbox', () => {
    const destinations = () => store().outbox.destinations;
    const deliveries = () => store().outbox.deliveries;
    const person = async (): Promise<string> => (await store().users.create(newUser())).id;
    async function made(user: string, changes: Partial<DestinationRecord> = {}): Promise<DestinationRecord> {
      const record = destinationOf(user, changes);
      expect(await destinations().add(record, 10)).toBe(true);
      return record;
    }
    async function queued(
      to: DestinationRecord,
      changes: Partial<DeliveryRecord> = {},
    ): Promise<DeliveryRecord> {
      const record = deliveryOf(to, changes);
      expect(await deliveries().add(record, MOST)).toBe('queued');
      return record;
    }
    const dueIds = async (now: number, mails = true) =>
      (await deliveries().due(now, mails, 1_000)).map(({ id }) => id);

    it('returns destinations and deliveries with every field, to their owner only', async () => {
      const [ana, ben] = [await person(), await person()];
      const to = await made(ana, {
        failing_since: NOW,
        last_error: 'away',
        last_ok_at: NOW,
        hour: 3,
        hour_count: 2,
      });
      expect(await destinations().get(ana, to.id)).toStrictEqual(to);
      expect(await destinations().list(ana)).toStrictEqual([to]);
      expect(await destinations().get(ben, to.id)).toBeNull();
      const one = await queued(to, { due_at: NOW + 5_000, last_status: 500, last_error: 'away' });
      expect(await deliveries().get(ana, one.id)).toStrictEqual(one);
      expect(await deliveries().get(ben, one.id)).toBeNull();
      expect(await deliveries().list({ userId: ben, limit: 10 })).toEqual([]);
      expect(await deliveries().again(ben, one.id, { now: NOW, giveUpAt: NOW, expiresAt: NOW })).toBe(false);
      expect(await destinations().delete(ben, to.id)).toBe(false);
    });

    it('adds no destination beyond the limit when many come at once, and none for somebody who is gone', async () => {
      const ana = await person();
      const many = Array.from({ length: 10 }, () => destinations().add(destinationOf(ana), 3));
      expect((await Promise.all(many)).filter(Boolean)).toHaveLength(3);
      expect(await destinations().add(destinationOf(ana, { purpose: 'events' }), 3)).toBe(true);
      expect(await destinations().add(destinationOf(randomUUID()), 3)).toBe(false);
    });

    it('stores a delivery once, and says why it stores none', async () => {
      const ana = await person();
      const to = await made(ana);
      const one = await queued(to);
      const same = Array.from({ length: 5 }, () => deliveries().add(one, MOST));
      expect(new Set(await Promise.all(same))).toEqual(new Set(['known']));
      expect(await deliveries().add(deliveryOf(to), { ...MOST, queued: 1 })).toBe('full');
      expect(await deliveries().add(deliveryOf({ ...to, user_id: await person() }), MOST)).toBe('gone');
      await destinations().note(to, { ...to, disabled_at: NOW });
      expect(await deliveries().add(deliveryOf(to), MOST)).toBe('gone');
      const invitation = { destination: '', channel: 'email' } as const;
      expect(await deliveries().add(deliveryOf(to, invitation), MOST)).toBe('queued');
      expect(await deliveries().add(deliveryOf({ ...to, user_id: randomUUID() }, invitation), MOST)).toBe(
        'gone',
      );
    });

    it('deletes the oldest that have ended, and nothing that waits', async () => {
      const ana = await person();
      const to = await made(ana);
      const waits = await queued(to, { created_at: NOW - 10 });
      const old = await queued(to, { created_at: NOW - 5 });
      await deliveries().claim(old.id, 'r', NOW, NOW + 9);
      await deliveries().finish(old.id, { ...old, run: 'r', state: 'done', ended_at: NOW });
      const newest = deliveryOf(to);
      await deliveries().add(newest, { ...MOST, rows: 1 });
      const left = (await deliveries().list({ userId: ana, limit: 10 })).map(({ id }) => id);
      expect(left).toEqual([newest.id, waits.id]);
    });

    it('lists the first due delivery of each destination that is not paused', async () => {
      const ana = await person();
      const [one, other, paused] = [
        await made(ana),
        await made(ana, { channel: 'email' }),
        await made(ana, { paused_until: NOW + 50 }),
      ];
      const second = await queued(one, { due_at: NOW - 1 });
      const first = await queued(one, { due_at: NOW - 2 });
      const mail = await queued(other, { due_at: NOW - 3 });
      const later = await queued(paused, { due_at: NOW - 4 });
      const due = await dueIds(NOW);
      expect(due).toEqual(expect.arrayContaining([first.id, mail.id]));
      for (const id of [second.id, later.id]) expect(due).not.toContain(id);
      expect(await dueIds(NOW, false)).not.toContain(mail.id);
      expect(await dueIds(NOW + 50)).toContain(later.id);
      expect((await deliveries().dueOf(one.id, NOW, 10)).map(({ id }) => id).toSorted()).toEqual(
        [first.id, second.id].toSorted(),
      );
    });

    it('lets one of many take a delivery, and another one when its time is over', async () => {
      const to = await made(await person());
      const { id, user_id: user } = await queued(to);
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, run) => deliveries().claim(id, `run ${run}`, NOW, NOW + 60)),
      );
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await deliveries().claim(id, 'late', NOW + 59, NOW + 90)).toBe(false);
      expect(await deliveries().claim(id, 'late', NOW + 60, NOW + 90)).toBe(true);
      const end = {
        state: 'done',
        attempts: 1,
        due_at: NOW,
        last_status: 200,
        last_error: null,
        ended_at: NOW,
      } as const;
      const first = `run ${taken.indexOf(true)}`;
      expect(await deliveries().finish(id, { ...end, run: first })).toBe(false);
      expect(await deliveries().finish(id, { ...end, run: 'late' })).toBe(true);
      expect(await deliveries().get(user, id)).toMatchObject({ state: 'done', attempts: 1, run: null });
      expect(
        await deliveries().again(user, id, { now: NOW + 7, giveUpAt: NOW + 9, expiresAt: NOW + 99 }),
      ).toBe(true);
      expect(await deliveries().get(user, id)).toMatchObject({
        state: 'queued',
        attempts: 0,
        due_at: NOW + 7,
        ended_at: null,
      });
    });

    it('drops, fails and gives up what waits', async () => {
      const ana = await person();
      const [one, other] = [await made(ana), await made(ana)];
      const dropped = await queued(one, { about: 'approval 2' });
      const failed = await queued(other);
      const over = await queued(one, { give_up_at: NOW - 50_000 });
      await deliveries().drop(ana, 'approval 2', NOW);
      await deliveries().failAll(other.id, 'disabled', NOW);
      await deliveries().giveUp(NOW - 40_000, 'nobody');
      const stateOf = async ({ id }: DeliveryRecord) => (await deliveries().get(ana, id))?.state;
      expect([await stateOf(dropped), await stateOf(failed), await stateOf(over)]).toEqual([
        'dropped',
        'failed',
        'failed',
      ]);
      expect(await deliveries().count(ana)).toEqual({ queued: 0, rows: 3 });
      expect(await deliveries().countSince(ana, 'approval', NOW - 1)).toBe(3);
    });

    it('pages through deliveries, the newest first', async () => {
      const ana = await person();
      const to = await made(ana);
      const ids: string[] = [];
      for (let each = 0; each < 5; each++)
        ids.push((await queued(to, { created_at: NOW + Math.floor(each / 2) })).id);
      const seen: string[] = [];
      for (let before: DeliveryRecord | undefined; ;) {
        const rows = await deliveries().list({ userId: ana, destination: to.id, before, limit: 2 });
        seen.push(...rows.map(({ id }) => id));
        before = rows.at(-1);
        if (rows.length < 2) break;
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
      expect(seen[0]).toBe(ids[4]);
    });

    it('counts mails up to the limit of an hour', async () => {
      const to = await made(await person());
      const count = async (hour: number) => {
        const seen = await destinations().get(to.user_id, to.id);
        return seen !== null && destinations().countMail(seen, hour, 2);
      };
      expect([await count(1), await count(1), await count(1), await count(2)]).toEqual([
        true,
        true,
        false,
        true,
      ]);
      expect(await destinations().countMail(to, 2, 2)).toBe(false);
    });

    it('notes an end once, and enables what was disabled', async () => {
      const to = await made(await person());
      const failing = {
        failures: 1,
        failing_since: NOW,
        last_error: 'away',
        last_ok_at: null,
        paused_until: NOW + 5,
        disabled_at: null,
      };
      const noted = await Promise.all(Array.from({ length: 5 }, () => destinations().note(to, failing)));
      expect(noted.filter(Boolean)).toHaveLength(1);
      await destinations().note({ ...to, failures: 1 }, { ...failing, failures: 2, disabled_at: NOW });
      expect(await destinations().note({ ...to, failures: 2 }, failing)).toBe(false);
      expect(await destinations().enable(to.user_id, to.id)).toBe(true);
      expect(await destinations().get(to.user_id, to.id)).toMatchObject({
        failures: 0,
        disabled_at: null,
        paused_until: 0,
      });
      expect(await destinations().change(to.user_id, to.id, { name: 'New', muted: '["key"]' })).toBe(true);
    });

    it('deletes a destination with its deliveries, and everything with its person', async () => {
      const ana = await person();
      const [one, other] = [await made(ana), await made(ana)];
      const first = await queued(one);
      const second = await queued(other);
      await store().outbox.settings.put({ user_id: ana, quiet_from: 60, quiet_to: 120, time_zone: 'UTC' });
      expect(await store().outbox.settings.get(ana)).toMatchObject({ quiet_from: 60, time_zone: 'UTC' });
      expect(await destinations().delete(ana, one.id)).toBe(true);
      expect(await deliveries().get(ana, first.id)).toBeNull();
      const ending = { person: `sha ${ana}`, before: NOW, expires_at: NOW + 1 };
      expect(await store().people.beginDeletion(ana, ending)).toBe('done');
      const gone = (await store().people.deleting()).find(({ id }) => id === ana);
      if (gone === undefined) throw new Error('the deletion has not begun');
      await store().people.erase([gone.id], 'gone');
      expect(await deliveries().get(ana, second.id)).toBeNull();
      expect(await destinations().list(ana)).toEqual([]);
      expect(await store().outbox.settings.get(ana)).toBeNull();
      await store().outbox.settings.put({ user_id: ana, quiet_from: 1, quiet_to: 2, time_zone: 'UTC' });
      expect(await store().outbox.settings.get(ana)).toBeNull();
    });

    it('draws a key once, and swaps sealed texts only while they are those that were seen', async () => {
      const id = randomUUID();
      const keys = store().outbox.keys;
      const drawn = await Promise.all(['a', 'b', 'c'].map((sealed) => keys.make({ id, sealed })));
      expect(new Set(drawn.map(({ sealed }) => sealed)).size).toBe(1);
      const [{ sealed } = { sealed: '' }] = drawn;
      expect([await keys.swapSealed(id, 'x', 'n'), await keys.swapSealed(id, sealed, 'n')]).toEqual([
        false,
        true,
      ]);
      const to = await made(await person());
      const one = await queued(to);
      expect([
        await destinations().swapSealed(to.id, 'x', 'n'),
        await destinations().swapSealed(to.id, to.sealed, 'n'),
      ]).toEqual([false, true]);
      expect([
        await deliveries().swapSealed(one.id, 'x', 'n'),
        await deliveries().swapSealed(one.id, one.sealed, 'n'),
      ]).toEqual([false, true]);
      expect((await destinations().page(null, 1_000)).map(({ id }) => id)).toContain(to.id);
      expect((await deliveries().page(null, 1_000)).map(({ id }) => id)).toContain(one.id);
    });
  });
}
