// Tests what `Events` must do.
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { EventDraft, EventPoller, EventSubscription, MostEvents } from '../../../src/ports/events.ts';
import type { Store } from '../../../src/ports/store.ts';
import { hash, newUser, NOW } from './records.ts';

const MANY: MostEvents = { events: 1_000, characters: 2 ** 30 };
const MOST = 100;

export const eventSubscription = (changes: Partial<EventSubscription> = {}): EventSubscription => ({
  id: randomUUID(),
  user_id: randomUUID(),
  caller: 'key',
  kind: 'webhook',
  integration: 'github',
  event: 'issues',
  account: null,
  address: hash(),
  ended: null,
  created_at: NOW,
  delivered_at: null,
  refused_at: null,
  refused: null,
  sealed: 'v1.key.Ünï 😀',
  ...changes,
});

export const eventDraft = (of: EventSubscription, changes: Partial<EventDraft> = {}): EventDraft => ({
  id: hash(),
  user_id: of.user_id,
  subscription_id: of.id,
  received_at: NOW,
  expires_at: NOW + 1_000,
  characters: 10,
  sealed: 'v1.key.Ünï 😀',
  ...changes,
});

export const eventPoller = (of: EventSubscription, changes: Partial<EventPoller> = {}): EventPoller => ({
  subscription_id: of.id,
  user_id: of.user_id,
  every: 60,
  next_run: NOW,
  holder: null,
  lease_until: null,
  run: null,
  last_run: null,
  failures: 0,
  error: null,
  cursor: null,
  ...changes,
});

export function eventsContract(store: () => Store): void {
  const events = () => store().events;
  const person = async () => (await store().users.create(newUser())).id;

  async function added(changes: Partial<EventSubscription> = {}, poller: Partial<EventPoller> | null = null) {
    const made = eventSubscription({ user_id: changes.user_id ?? (await person()), ...changes });
    const row = poller === null ? null : eventPoller(made, poller);
    expect(await events().subscribe(made, row, MOST)).toBe('added');
    return made;
  }
  const idsAfter = async (user: string, position = 0) =>
    (await events().after(user, position, 1_000)).map(({ id }) => id);

  describe('events', () => {
    it('finds a subscription by its address, and shows it to its person alone', async () => {
      const [made, other] = [await added(), await added()];
      expect(await events().byAddress(made.address ?? '')).toStrictEqual(made);
      expect(await events().byAddress(hash())).toBeNull();
      expect(await events().get(made.user_id, made.id)).toStrictEqual(made);
      expect(await events().get(other.user_id, made.id)).toBeNull();
      expect(await events().list(made.user_id)).toStrictEqual([made]);
    });

    it('keeps to the most of each kind when many subscribe at once, and takes nobody who is gone', async () => {
      const ana = await person();
      const tries = Array.from({ length: 12 }, () =>
        events().subscribe(eventSubscription({ user_id: ana }), null, 5),
      );
      expect((await Promise.all(tries)).filter((one) => one === 'added')).toHaveLength(5);
      const watch = eventSubscription({ user_id: ana, kind: 'watch', address: null });
      expect(await events().subscribe(watch, eventPoller(watch), 5)).toBe('added');
      expect(await events().subscribe(eventSubscription(), null, 5)).toBe('gone');
    });

    it('stores an event once, also when many store it at once', async () => {
      const made = await added();
      const draft = eventDraft(made);
      const stored = await Promise.all(Array.from({ length: 20 }, () => events().append([draft], MANY)));
      expect(stored.filter((ids) => ids.has(draft.id))).toHaveLength(1);
      expect(await idsAfter(made.user_id)).toStrictEqual([draft.id]);
      expect(await events().known([draft.id, hash()])).toStrictEqual(new Set([draft.id]));
      expect((await events().get(made.user_id, made.id))?.delivered_at).toBe(NOW);
    });

    it('adds a poller once, and none to a subscription that is gone', async () => {
      const made = await added();
      await Promise.all([1, 2].map(() => events().addPoller(eventPoller(made))));
      expect(await events().pollers(made.user_id)).toStrictEqual([eventPoller(made)]);
      await events().addPoller(eventPoller(made, { next_run: NOW + 9 }));
      expect((await events().poller(made.id))?.next_run).toBe(NOW);
      const gone = eventSubscription({ user_id: made.user_id });
      await events().addPoller(eventPoller(gone));
      expect(await events().poller(gone.id)).toBeNull();
    });

    it('reads the events of one subscription after a position', async () => {
      const made = await added();
      const other = await added({ user_id: made.user_id });
      const drafts = [eventDraft(made), eventDraft(other), eventDraft(made)];
      await events().append(drafts, MANY);
      const own = await events().after(made.user_id, 0, 10, made.id);
      expect(own.map(({ id, position }) => [id, position])).toEqual([
        [drafts[0]?.id, 1],
        [drafts[2]?.id, 3],
      ]);
      expect(await events().after(made.user_id, 1, 1, made.id)).toStrictEqual([own[1]]);
    });

    it('gives positions in the order in which events can be seen: a reader misses none', async () => {
      const made = await added();
      const drafts = Array.from({ length: 60 }, () => eventDraft(made));
      let position = 0;
      const seen: string[] = [];
      const read = async () => {
        for (const row of await events().after(made.user_id, position, 1_000)) {
          seen.push(row.id);
          position = row.position;
        }
      };
      let isOver = false;
      const reading = (async () => {
        while (!isOver) {
          await read();
          // SQLite answers without a turn of the event loop.
          await setImmediate();
        }
      })();
      await Promise.all(drafts.map((draft) => events().append([draft], MANY)));
      isOver = true;
      await reading;
      await read();
      expect(seen.toSorted()).toStrictEqual(drafts.map(({ id }) => id).toSorted());
    });

    it('stores the events of several people in one write, and none of a subscription that is over', async () => {
      const [one, other, over] = [await added(), await added(), await added()];
      await events().end(over.id, 'its key was deleted');
      const drafts = [eventDraft(one), eventDraft(over), eventDraft(other), eventDraft(one)];
      expect(await events().append(drafts, MANY)).toStrictEqual(
        new Set([drafts[0]?.id, drafts[2]?.id, drafts[3]?.id]),
      );
      expect(await idsAfter(one.user_id)).toStrictEqual([drafts[0]?.id, drafts[3]?.id]);
      expect((await events().get(over.user_id, over.id))?.ended).toBe('its key was deleted');
    });

    it('drops the oldest events beyond the most, and says up to where', async () => {
      const made = await added();
      const drafts = Array.from({ length: 7 }, () => eventDraft(made));
      for (const draft of drafts) await events().append([draft], { events: 4, characters: 1_000 });
      expect(await idsAfter(made.user_id)).toStrictEqual(drafts.slice(3).map(({ id }) => id));
      expect((await events().streams([made.user_id])).get(made.user_id)).toStrictEqual({
        last: 7,
        dropped: 3,
      });
      await events().append([eventDraft(made, { characters: 25 })], { events: 100, characters: 40 });
      expect(await events().count(made.user_id)).toBe(2);
      expect((await events().streams([made.user_id])).get(made.user_id)).toStrictEqual({
        last: 8,
        dropped: 6,
      });
    });

    it('deletes what is over, and says up to where', async () => {
      const made = await added();
      const old = eventDraft(made, { expires_at: NOW + 5 });
      const young = eventDraft(made);
      await events().append([old, young], MANY);
      while (await events().expire(NOW + 5));
      expect(await idsAfter(made.user_id)).toStrictEqual([young.id]);
      expect((await events().streams([made.user_id])).get(made.user_id)?.dropped).toBe(1);
    });

    it('lists the newest before a position, of all and of one subscription', async () => {
      const one = await added();
      const other = await added({ user_id: one.user_id });
      const drafts = [eventDraft(one), eventDraft(other), eventDraft(one)];
      await events().append(drafts, MANY);
      const ids = async (before: number, of: string | null) =>
        (await events().before(one.user_id, before, 10, of)).map(({ id }) =>
          drafts.findIndex((draft) => draft.id === id),
        );
      expect(await ids(2 ** 50, null)).toStrictEqual([2, 1, 0]);
      expect(await ids(3, null)).toStrictEqual([1, 0]);
      expect(await ids(2 ** 50, one.id)).toStrictEqual([2, 0]);
    });

    it('lets one of many claims have a poller that is due, until its lease is over', async () => {
      const made = await added({ kind: 'watch', address: null }, { next_run: NOW });
      expect(await events().claim(made.id, 'early', NOW - 1, NOW + 60)).toBeNull();
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) => events().claim(made.id, `run${n}`, NOW, NOW + 60)),
      );
      expect(claims.filter((one) => one !== null)).toHaveLength(1);
      const mine = async (now: number) =>
        (await events().due(now, now, 1_000)).filter(({ subscription_id: id }) => id === made.id);
      expect(await mine(NOW + 59)).toStrictEqual([]);
      expect(await mine(NOW + 60)).toHaveLength(1);
      expect(await events().claim(made.id, 'next', NOW + 60, NOW + 120)).not.toBeNull();
    });

    it('notes the end of a run with its events, and neither for a run that has lost its lease', async () => {
      const made = await added({ kind: 'watch', address: null }, { next_run: NOW });
      await events().claim(made.id, 'first', NOW, NOW + 60);
      await events().claim(made.id, 'second', NOW + 60, NOW + 120);
      const end = (holder: string) => ({
        subscription_id: made.id,
        user_id: made.user_id,
        holder,
        last_run: NOW + 61,
        next_run: NOW + 121,
        failures: 0,
        error: null,
        cursor: `v1.${holder}`,
      });
      const [lost, kept] = [eventDraft(made), eventDraft(made)];
      expect(await events().finish(end('first'), [lost], MANY)).toBeNull();
      expect(await events().finish(end('second'), [kept], MANY)).toStrictEqual(new Set([kept.id]));
      expect(await idsAfter(made.user_id)).toStrictEqual([kept.id]);
      expect(await events().poller(made.id)).toMatchObject({
        holder: null,
        lease_until: null,
        run: 'second',
        cursor: 'v1.second',
        next_run: NOW + 121,
      });
      await events().claim(made.id, 'third', NOW + 121, NOW + 200);
      expect(await events().finish({ ...end('third'), failures: 1, error: 'away' }, [], MANY)).toStrictEqual(
        new Set(),
      );
      expect(await events().pollers(made.user_id)).toMatchObject([{ failures: 1, error: 'away' }]);
    });

    it('deletes a subscription with its events, for its person alone', async () => {
      const made = await added({}, {});
      const stranger = await added();
      await events().append([eventDraft(made)], MANY);
      expect(await events().remove(stranger.user_id, made.id)).toBe(false);
      expect(await events().count(made.user_id)).toBe(1);
      expect(await events().remove(made.user_id, made.id)).toBe(true);
      expect(await events().count(made.user_id)).toBe(0);
      expect(await events().poller(made.id)).toBeNull();
      expect(await events().append([eventDraft(made)], MANY)).toStrictEqual(new Set());
    });

    it('stores events of a megabyte', async () => {
      const made = await added();
      const sealed = 'x'.repeat(1_400_000);
      await events().append([eventDraft(made, { sealed }), eventDraft(made)], MANY);
      const [first] = await events().after(made.user_id, 0, 1);
      expect(first?.sealed.length).toBe(sealed.length);
      expect(await events().count(made.user_id)).toBe(2);
    });

    it('pages and replaces what is sealed, only where it is as it was', async () => {
      const made = await added({ kind: 'watch', address: null }, { cursor: 'v1.cursor' });
      const draft = eventDraft(made);
      await events().append([draft], MANY);
      expect((await events().pageOfSubscriptions(null, 10_000)).map(({ id }) => id)).toContain(made.id);
      expect((await events().pageOfPollers(null, 10_000)).map(({ subscription_id: id }) => id)).toContain(
        made.id,
      );
      expect((await events().pageOfEvents(null, 10_000)).map(({ id }) => id)).toContain(draft.id);
      expect(await events().swapSealed(made.id, 'other', 'next')).toBe(false);
      expect(await events().swapSealed(made.id, made.sealed, 'next')).toBe(true);
      expect(await events().swapCursor(made.id, 'v1.cursor', 'next')).toBe(true);
      expect(await events().swapEvent(draft.id, draft.sealed, 'next')).toBe(true);
      expect((await events().event(made.user_id, draft.id))?.sealed).toBe('next');
    });
  });
}

export function eventForwardsContract(store: () => Store): void {
  const forwards = () => store().eventForwards;

  async function subscribed(user_id?: string) {
    const owner = user_id ?? (await store().users.create(newUser())).id;
    const made = eventSubscription({ user_id: owner });
    expect(await store().events.subscribe(made, null, MOST)).toBe('added');
    return made;
  }
  const forwardOf = ({ id, user_id }: EventSubscription, destination = 'one') => ({
    subscription_id: id,
    user_id,
    destination,
  });

  describe('forwards of events', () => {
    it('begin behind the last event, and begin again where their address changes', async () => {
      const made = await subscribed();
      await store().events.append([eventDraft(made), eventDraft(made)], MANY);
      expect(await forwards().put(forwardOf(made))).toBe(true);
      expect(await forwards().list(made.user_id)).toStrictEqual([{ ...forwardOf(made), position: 2 }]);
      await store().events.append([eventDraft(made)], MANY);
      expect(await forwards().put(forwardOf(made, 'two'))).toBe(true);
      expect(await forwards().of([made.id, 'nope'])).toStrictEqual([
        { ...forwardOf(made, 'two'), position: 3 },
      ]);
      expect(await forwards().put(forwardOf(eventSubscription({ user_id: made.user_id })))).toBe(false);
      expect(await forwards().put({ ...forwardOf(made), user_id: 'somebody' })).toBe(false);
    });

    it('go on and never back, and only to their own address', async () => {
      const made = await subscribed();
      await forwards().put(forwardOf(made));
      const position = async () => (await forwards().of([made.id]))[0]?.position;
      for (const [destination, next, then] of [
        ['one', 5, 5],
        ['one', 3, 5],
        ['two', 9, 5],
      ] as const) {
        await forwards().move(forwardOf(made, destination), next);
        expect(await position()).toBe(then);
      }
    });

    it('are behind while their person has later events, page by page', async () => {
      const made = [await subscribed(), await subscribed(), await subscribed()];
      for (const each of made) await forwards().put(forwardOf(each));
      const listed = async () => {
        const found: string[] = [];
        for (let after: string | null = null; ;) {
          const page = await forwards().behind(after, 1);
          found.push(...page.map(({ subscription_id: id }) => id));
          after = page.at(-1)?.subscription_id ?? null;
          if (after === null) break;
        }
        const own = new Set(made.map(({ id }) => id));
        return found.filter((id) => own.has(id));
      };
      expect(await listed()).toEqual([]);
      const [first, second] = made;
      if (first === undefined || second === undefined) throw new Error('there are three');
      await store().events.append([eventDraft(first), eventDraft(second)], MANY);
      expect(new Set(await listed())).toEqual(new Set([first.id, second.id]));
      await forwards().move(forwardOf(first), 1);
      expect(await listed()).toEqual([second.id]);
    });

    it('end by themselves, with their subscription, and with their person', async () => {
      const made = await subscribed();
      await forwards().put(forwardOf(made));
      expect(await forwards().remove(forwardOf(made, 'two'))).toBe(false);
      expect(await forwards().remove({ ...forwardOf(made), user_id: 'somebody' })).toBe(false);
      expect(await forwards().remove(forwardOf(made))).toBe(true);
      await forwards().put(forwardOf(made));
      await store().events.remove(made.user_id, made.id);
      expect(await forwards().of([made.id])).toEqual([]);
      const other = await subscribed(made.user_id);
      await forwards().put(forwardOf(other));
      const ending = { person: `sha ${made.user_id}`, before: NOW, expires_at: NOW + 1 };
      await store().people.beginDeletion(made.user_id, ending);
      const gone = (await store().people.deleting()).find(({ id }) => id === made.user_id);
      if (gone === undefined) throw new Error('the deletion has not begun');
      const late = forwards().put(forwardOf(other, 'two'));
      await Promise.all([late, store().people.erase([gone.id], 'gone')]);
      expect(await forwards().of([other.id])).toEqual([]);
    });
  });
}
