// Tests what `connections.mark`, `connections.due` and `PendingRevocations` must do.
import { describe, expect, it } from 'vitest';
import type { CredentialState, PendingRevocation } from '../../../src/ports/records.ts';
import type { Store } from '../../../src/ports/store.ts';
import { connection, hash, NOW } from './records.ts';

const state: CredentialState = {
  status: 'reconnect',
  cause: 'GitHub answered 401: Bad credentials',
  since: NOW + 5,
  checked_at: NOW + 5,
  account_id: null,
  account_label: null,
};

const revocation = (changes: Partial<PendingRevocation>): PendingRevocation => ({
  id: hash(),
  user_id: '',
  integration: 'github',
  credential: 'sealed',
  attempts: 0,
  due_at: NOW + 60,
  expires_at: NOW + 86_400,
  created_at: NOW,
  ...changes,
});

export function credentialStateContract(store: () => Store): void {
  describe('connections.mark', () => {
    it('writes the state of the credential and nothing else', async () => {
      const seen = connection({ cookies: null });
      const other = connection({ user_id: seen.user_id, integration: 'gitlab' });
      for (const row of [seen, other]) await store().connections.put(row);
      expect(await store().connections.mark({ ...seen, scopes: 'other', way: null }, state)).toBe(true);
      expect(await store().connections.get(seen.user_id, 'github', '')).toStrictEqual({
        ...seen,
        ...state,
      });
      expect(await store().connections.get(seen.user_id, 'gitlab', '')).toStrictEqual(other);
    });

    it('writes nothing when another credential is stored, or none', async () => {
      const seen = connection();
      const newer = { ...seen, access_token: 'newer' };
      await store().connections.put(newer);
      expect(await store().connections.mark(seen, state)).toBe(false);
      expect(await store().connections.get(seen.user_id, 'github', '')).toStrictEqual(newer);
      await store().connections.delete(seen.user_id, 'github', '');
      expect(await store().connections.mark(newer, state)).toBe(false);
    });

    it('is not undone by a swap of the same credentials', async () => {
      const seen = connection();
      await store().connections.put(seen);
      await store().connections.mark(seen, state);
      const next = { ...seen, access_token: 'refreshed' };
      expect(await store().connections.swap(seen, next)).toBe(true);
      expect(await store().connections.get(seen.user_id, 'github', '')).toStrictEqual({
        ...next,
        ...state,
      });
    });
  });

  it('lists the connections of some integrations whose check is due, the oldest first', async () => {
    const { user_id } = connection();
    const name = (n: string) => `due-${n}-${user_id.slice(0, 8)}`;
    const checked: [string, number | null][] = [
      ['b', NOW - 10],
      ['a', NOW - 20],
      ['c', null],
      ['d', NOW + 1],
      ['e', NOW],
    ];
    for (const [n, checked_at] of checked)
      await store().connections.put(connection({ user_id, integration: name(n), checked_at }));
    const due = async (names: string[], limit = 10) =>
      (await store().connections.due(names.map(name), NOW, limit)).map(({ integration }) => integration);
    expect(await due(['a', 'b', 'c', 'd', 'e'])).toEqual(['c', 'a', 'b', 'e'].map(name));
    expect(await due(['a', 'b', 'c', 'd', 'e'], 2)).toEqual(['c', 'a'].map(name));
    expect(await due(['b', 'd'])).toEqual(['b'].map(name));
    expect(await due([])).toEqual([]);
  });

  describe('pending revocations', () => {
    it('take the place of a connection, once', async () => {
      const seen = connection();
      await store().connections.put(seen);
      const { user_id } = seen;
      const all = Array.from({ length: 5 }, () => revocation({ user_id }));
      const begun = await Promise.all(all.map((each) => store().revocations.begin(seen, each)));
      expect(begun.filter(Boolean)).toHaveLength(1);
      expect(await store().connections.get(user_id, 'github', '')).toBeNull();
      expect(await store().revocations.list(user_id, 'github')).toStrictEqual([all[begun.indexOf(true)]]);
    });

    it('leave a connection that has changed', async () => {
      const seen = connection();
      const newer = { ...seen, refresh_token: 'newer' };
      await store().connections.put(newer);
      const { user_id } = seen;
      expect(await store().revocations.begin(seen, revocation({ user_id }))).toBe(false);
      expect(await store().connections.get(user_id, 'github', '')).toStrictEqual(newer);
      expect(await store().revocations.list(user_id, 'github')).toEqual([]);
    });

    it('give the turn of an attempt to one process, and are due again later', async () => {
      const seen = connection();
      await store().connections.put(seen);
      const { user_id } = seen;
      const begun = revocation({ user_id, due_at: 1 });
      await store().revocations.begin(seen, begun);
      const isDue = async (now: number) =>
        (await store().revocations.due(now, 100)).some(({ id }) => id === begun.id);
      expect([await isDue(0), await isDue(1)]).toEqual([false, true]);
      const turns = await Promise.all([1, 2, 3].map(() => store().revocations.take(begun, 5)));
      expect(turns.filter(Boolean)).toHaveLength(1);
      expect([await isDue(4), await isDue(5)]).toEqual([false, true]);
      await store().revocations.delete(begun.id);
      expect(await isDue(5)).toBe(false);
    });
  });
}
