// Tests what `connections.swap`, `page`, sealed keys and `Leases` must do.
import { nameOf } from '../../../src/connections/model/accounts.ts';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { connection, hash, newUser, NOW } from './records.ts';

export function swapContract(store: () => Store): void {
  describe('connections.swap', () => {
    it('replaces the row that still holds the expected values, and no other', async () => {
      const seen = connection();
      const others = [
        { ...seen, integration: 'other' },
        { ...seen, user_id: newUser().id },
      ];
      for (const put of [seen, ...others]) await store().connections.put(put);
      const next = {
        ...seen,
        access_token: 'new',
        refresh_token: null,
        expires_at: NOW + 9,
        scopes: 'fewer',
        cookies: 'new cookies',
        config: '{"new":1}',
        updated_at: NOW + 1,
      };
      expect(await store().connections.swap(seen, next)).toBe(true);
      const get = store().connections.get;
      expect(await get(seen.user_id, seen.integration, '')).toStrictEqual(next);
      for (const other of others)
        expect(await get(other.user_id, other.integration, '')).toStrictEqual(other);
    });

    it.each(['access_token', 'refresh_token', 'cookies'] as const)(
      'leaves a row alone when its %s has changed',
      async (column) => {
        for (const other of ['other', null]) {
          const seen = connection();
          const now = { ...seen, [column]: other };
          await store().connections.put(now);
          expect(await store().connections.swap(seen, { ...seen, scopes: 'x' })).toBe(false);
          expect(await store().connections.swap({ ...now }, { ...now, scopes: 'x' })).toBe(true);
        }
      },
    );

    it('does not bring back a deleted row', async () => {
      const seen = connection();
      await store().connections.put(seen);
      await store().connections.delete(seen.user_id, seen.integration, '');
      expect(await store().connections.swap(seen, { ...seen, access_token: 'new' })).toBe(false);
      expect(await store().connections.get(seen.user_id, seen.integration, '')).toBeNull();
    });

    it('lets one of 50 racing swaps win', async () => {
      const seen = connection();
      await store().connections.put(seen);
      const all = Array.from({ length: 50 }, (_, index) => ({ ...seen, access_token: `new ${index}` }));
      const won = await Promise.all(all.map((next) => store().connections.swap(seen, next)));
      expect(won.filter(Boolean)).toHaveLength(1);
    });
  });

  describe('pages of sealed values', () => {
    it('visits every connection and every sealed key once', async () => {
      const rows = Array.from({ length: 7 }, (_, index) => connection({ integration: `i${index % 3}` }));
      for (const row of rows) await store().connections.put(row);
      const keyless = await store().users.create(newUser());
      const users = Array.from({ length: 5 }, () => newUser());
      for (const user of users) {
        await store().users.create(user);
        await store().users.setKey(user.id, {
          api_key_hash: 'h',
          api_key_sha: hash(),
          api_key_ciphertext: 'sealed',
        });
      }

      const seen: string[] = [];
      for (let after = null, page = await store().connections.page(after, 2); page.length > 0;) {
        expect(page.length).toBeLessThanOrEqual(2);
        seen.push(...page.map(nameOf));
        page = await store().connections.page(page.at(-1) ?? null, 2);
      }
      expect(new Set(seen).size).toBe(seen.length);
      for (const row of rows) expect(seen).toContain(nameOf(row));

      const ids: string[] = [];
      for (let page = await store().users.pageOfSealedKeys(null, 2); page.length > 0;) {
        expect(page.length).toBeLessThanOrEqual(2);
        ids.push(...page.map(({ id }) => id));
        page = await store().users.pageOfSealedKeys(page.at(-1)?.id ?? null, 2);
      }
      expect(new Set(ids).size).toBe(ids.length);
      for (const { id } of users) expect(ids).toContain(id);
      expect(ids).not.toContain(keyless.id);
    });

    it('swaps a sealed key only for its user and only while it has the expected value', async () => {
      const [user, other] = [newUser(), newUser()];
      for (const { id } of [await store().users.create(user), await store().users.create(other)])
        await store().users.setKey(id, { api_key_hash: 'h', api_key_sha: hash(), api_key_ciphertext: 'one' });
      expect(await store().users.swapSealedKey(user.id, 'other', 'two')).toBe(false);
      expect(await store().users.swapSealedKey(user.id, 'one', 'two')).toBe(true);
      expect((await store().users.byId(user.id))?.api_key_ciphertext).toBe('two');
      expect((await store().users.byId(other.id))?.api_key_ciphertext).toBe('one');
    });
  });

  describe('leases', () => {
    it('gives a lease to one of 50 racing callers', async () => {
      for (let round = 0; round < 4; round++) {
        const name = hash();
        const asked = Array.from({ length: 50 }, (_, index) =>
          store().leases.acquire(name, `h${index}`, NOW, NOW + 20),
        );
        expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
      }
    });

    it('keeps a lease until it expires or its holder releases it', async () => {
      const name = hash();
      const { leases } = store();
      expect(await leases.acquire(name, 'a', NOW, NOW + 20)).toBe(true);
      expect(await leases.acquire(name, 'b', NOW + 19, NOW + 40)).toBe(false);
      await leases.release(name, 'b');
      expect(await leases.acquire(name, 'b', NOW + 19, NOW + 40)).toBe(false);
      expect(await leases.acquire(name, 'b', NOW + 20, NOW + 40)).toBe(true);
      await leases.release(name, 'a');
      expect(await leases.acquire(name, 'c', NOW + 21, NOW + 50)).toBe(false);
      await leases.release(name, 'b');
      expect(await leases.acquire(name, 'c', NOW + 21, NOW + 50)).toBe(true);
    });
  });
}
