// Tests what `Jots` must do.
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { hash, jot, NOW } from './records.ts';

export function jotsContract(store: () => Store): void {
  describe('jots', () => {
    it('returns a stored jot with every field, and null for an unknown name', async () => {
      const locked = jot();
      const open = jot({
        access: 'public',
        password_hash: null,
        cors: false,
        cors_chosen: false,
        files: 0,
        bytes: 0,
      });
      for (const put of [locked, open]) {
        expect(await store().jots.put(put, null)).toBe(true);
        expect(await store().jots.get(put.name)).toStrictEqual(put);
      }
      expect(await store().jots.get(hash())).toBeNull();
    });

    it('refuses a name that is taken', async () => {
      const first = jot();
      await store().jots.put(first, null);
      expect(await store().jots.put(jot({ name: first.name }), null)).toBe(false);
      expect(await store().jots.get(first.name)).toStrictEqual(first);
    });

    it('replaces only the expected version and keeps created_at', async () => {
      const first = jot();
      await store().jots.put(first, null);
      const second = jot({
        name: first.name,
        access: 'public',
        password_hash: null,
        created_at: NOW + 9,
        thumbnail: null,
        views: 0,
      });
      expect(await store().jots.put(second, hash())).toBe(false);
      expect(await store().jots.put(second, first.version)).toBe(true);
      expect(await store().jots.put(jot({ name: first.name }), first.version)).toBe(false);
      expect(await store().jots.get(first.name)).toStrictEqual({ ...second, created_at: NOW, views: 7 });
    });

    it.each([false, true])('lets one of 20 racing puts win (over an existing jot: %s)', async (standing) => {
      const first = jot();
      if (standing) await store().jots.put(first, null);
      const racers = Array.from({ length: 20 }, () => jot({ name: first.name }));
      const won = await Promise.all(
        racers.map((racer) => store().jots.put(racer, standing ? first.version : null)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await store().jots.get(first.name)).toStrictEqual(racers[won.indexOf(true)]);
    });

    it("lists only the owner's jots, by name", async () => {
      const { user_id } = jot();
      const mine = [jot({ user_id, name: `b${hash()}` }), jot({ user_id, name: `a${hash()}` })] as const;
      for (const put of [...mine, jot()]) await store().jots.put(put, null);
      expect(await store().jots.list(user_id)).toStrictEqual([mine[1], mine[0]]);
      expect(await store().jots.list(hash())).toStrictEqual([]);
    });

    it('records what a replaced and a deleted jot leave behind, until its time', async () => {
      const first = jot();
      const { user_id, name } = first;
      await store().jots.put(first, null);
      const second = jot({ name, user_id });
      const left = () => store().jots.leftoverBytes(user_id, NOW);
      expect(await left()).toBe(0);
      expect(await store().jots.put(second, first.version, { bytes: 5_000_000_000, until: NOW + 60 })).toBe(
        true,
      );
      // Neither of these writes anything, so neither leaves anything.
      expect(
        await store().jots.put(jot({ name, user_id }), first.version, { bytes: 7, until: NOW + 60 }),
      ).toBe(false);
      expect(await store().jots.delete(name, hash(), { bytes: 7, until: NOW + 60 })).toBe(false);
      expect(await left()).toBe(5_000_000_000);
      expect(await store().jots.delete(name, user_id, { bytes: 2, until: NOW + 60 })).toBe(true);
      expect(await left()).toBe(5_000_000_002);
      const third = jot({ user_id });
      await store().jots.put(third, null);
      expect(await store().jots.delete(third.name, user_id, { bytes: 3, until: NOW + 90 })).toBe(true);
      expect(await left()).toBe(5_000_000_005);
      expect(await store().jots.leftoverBytes(user_id, NOW + 60)).toBe(3);
      expect(await store().jots.leftoverBytes(hash(), NOW)).toBe(0);
    });

    it('records what is left behind once when 20 replace and delete at once', async () => {
      const first = jot();
      const { user_id, name } = first;
      await store().jots.put(first, null);
      const leftover = { bytes: 1, until: NOW + 60 };
      const won = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          n % 2 === 0
            ? store().jots.put(jot({ name, user_id }), first.version, leftover)
            : store().jots.delete(name, user_id, leftover),
        ),
      );
      expect(await store().jots.leftoverBytes(user_id, NOW)).toBe(won.filter(Boolean).length);
    });

    it('adds up the views of a jot, and tells those of the last days', async () => {
      const made = jot({ views: 0 });
      const { name, user_id, created_at } = made;
      const other = jot({ user_id, views: 0 });
      for (const put of [made, other, jot()]) await store().jots.put(put, null);
      const add = (views: number, until: number) => store().jots.addViews({ name, created_at, views, until });
      await Promise.all(Array.from({ length: 20 }, () => add(2, NOW + 60)));
      await add(5_000_000_000, NOW + 120);
      const recent = (now: number) => store().jots.recentViews(user_id, now);
      expect((await store().jots.get(name))?.views).toBe(5_000_000_040);
      expect((await store().jots.get(name))?.version).toBe(made.version);
      expect(await recent(NOW)).toStrictEqual(new Map([[name, 5_000_000_040]]));
      expect(await recent(NOW + 60)).toStrictEqual(new Map([[name, 5_000_000_000]]));
      while (await store().sweep(NOW + 60));
      expect(await recent(NOW)).toStrictEqual(new Map([[name, 5_000_000_000]]));
      expect(await store().jots.recentViews(hash(), NOW)).toStrictEqual(new Map());
    });

    it('drops the views of a deleted jot, also those that arrive later', async () => {
      const first = jot({ views: 0 });
      const { name, user_id } = first;
      await store().jots.put(first, null);
      const late = { name, created_at: first.created_at, views: 3, until: NOW + 60 };
      await store().jots.addViews(late);
      await store().jots.delete(name, user_id);
      await store().jots.addViews(late);
      const second = jot({ name, user_id, views: 0, created_at: NOW + 1 });
      await store().jots.put(second, null);
      await store().jots.addViews(late);
      expect(await store().jots.get(name)).toStrictEqual(second);
      expect(await store().jots.recentViews(user_id, NOW)).toStrictEqual(new Map());
    });

    it('lets only the owner delete a jot, once', async () => {
      const { name, user_id, ...rest } = jot();
      await store().jots.put({ name, user_id, ...rest }, null);
      expect(await store().jots.delete(name, hash())).toBe(false);
      expect(await store().jots.delete(name, user_id)).toBe(true);
      expect(await store().jots.delete(name, user_id)).toBe(false);
      expect(await store().jots.get(name)).toBeNull();
    });
  });
}
