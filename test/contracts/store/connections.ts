// Tests what `Connections` must do.
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { connection, hash, NOW } from './records.ts';

export function connectionsContract(store: () => Store): void {
  describe('connections', () => {
    it('returns a stored connection with every field', async () => {
      const full = connection();
      const empty = connection({
        access_token: null,
        refresh_token: null,
        expires_at: null,
        scopes: null,
        cookies: null,
        config: null,
      });
      for (const put of [full, empty]) {
        await store().connections.put(put);
        expect(await store().connections.get(put.user_id, put.integration, '')).toStrictEqual(put);
      }
    });

    it('returns null for an unknown user or integration', async () => {
      const { user_id } = connection();
      await store().connections.put(connection({ user_id }));
      expect(await store().connections.get(user_id, 'gitlab', '')).toBeNull();
      expect(await store().connections.get(hash(), 'github', '')).toBeNull();
    });

    it('replaces everything but created_at on a second put', async () => {
      const first = connection();
      await store().connections.put(first);
      const second = connection({
        user_id: first.user_id,
        access_token: 'other',
        refresh_token: null,
        cookies: null,
        config: '{"region":"us"}',
        created_at: NOW + 5,
        updated_at: NOW + 5,
      });
      await store().connections.put(second);
      expect(await store().connections.get(first.user_id, 'github', '')).toStrictEqual({
        ...second,
        created_at: NOW,
      });
    });

    it('keeps the old config when a put has none', async () => {
      const first = connection();
      await store().connections.put(first);
      await store().connections.put({ ...first, config: null, access_token: 'other' });
      expect(await store().connections.get(first.user_id, 'github', '')).toStrictEqual({
        ...first,
        access_token: 'other',
      });
    });

    it("lists only the user's connections, by name", async () => {
      const { user_id } = connection();
      for (const integration of ['slack', 'github'])
        await store().connections.put(connection({ user_id, integration }));
      await store().connections.put(connection());
      const list = await store().connections.list(user_id);
      expect(list.map(({ integration }) => integration)).toStrictEqual(['github', 'slack']);
      expect(await store().connections.list(hash())).toStrictEqual([]);
    });

    it('reports whether a deletion found a connection', async () => {
      const { user_id } = connection();
      await store().connections.put(connection({ user_id }));
      expect(await store().connections.delete(user_id, 'gitlab', '')).toBe(false);
      expect(await store().connections.delete(user_id, 'github', '')).toBe(true);
      expect(await store().connections.delete(user_id, 'github', '')).toBe(false);
      expect(await store().connections.get(user_id, 'github', '')).toBeNull();
    });
  });
}
