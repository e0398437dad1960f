// Tests what `Connections` must do with several accounts of one integration.
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/ports/records.ts';
import type { Store } from '../../../src/ports/store.ts';
import { connection, newUser, NOW } from './records.ts';

const MOST = 5;

export function accountsContract(store: () => Store): void {
  /** A person with these accounts of GitHub. */
  async function person(...accounts: Partial<Connection>[]): Promise<Connection[]> {
    const user = newUser();
    await store().users.create(user);
    const rows = accounts.map((changes) => connection({ user_id: user.id, ...changes }));
    for (const row of rows) expect(await store().connections.add(row, MOST)).toBe('added');
    return rows;
  }
  const of = ({ user_id }: Connection) => store().connections.of(user_id, 'github');

  describe('accounts', () => {
    it('are listed with the oldest first', async () => {
      const [first, second] = await person({ created_at: NOW + 1 }, { account: 'b', created_at: NOW });
      if (first === undefined) throw new Error('no row');
      expect(await of(first)).toStrictEqual([second, first]);
      expect(await store().connections.list(first.user_id)).toStrictEqual([second, first]);
    });

    it('are read, written and deleted one by one', async () => {
      const [first, second] = await person({}, { account: 'b', label: 'two', is_default: true });
      if (first === undefined || second === undefined) throw new Error('no row');
      const { connections } = store();
      const next = { ...second, access_token: 'other', label: null, is_default: false, created_at: NOW + 9 };
      await connections.put(next);
      expect(await connections.get(first.user_id, 'github', 'b')).toStrictEqual({
        ...second,
        access_token: 'other',
      });
      expect(await connections.swap({ ...first, access_token: 'other' }, next)).toBe(false);
      expect(await connections.mark(first, { ...first, status: 'ok' })).toBe(true);
      expect((await of(first)).map(({ status }) => status)).toEqual(['ok', second.status]);
      expect(await connections.delete(first.user_id, 'github', '')).toBe(true);
      expect((await of(first)).map(({ account }) => account)).toEqual(['b']);
    });

    it('are added once, under a label of their own, and never too many of them', async () => {
      const [first] = await person({ label: 'one' });
      if (first === undefined) throw new Error('no row');
      const add = (changes: Partial<Connection>) =>
        store().connections.add({ ...first, label: null, ...changes }, MOST);
      expect(await add({ account: '' })).toBe('taken');
      expect(await add({ account: 'b', label: 'one' })).toBe('taken');
      const same = await Promise.all(Array.from({ length: 20 }, () => add({ account: 'b' })));
      expect(same.filter((outcome) => outcome === 'added')).toHaveLength(1);
      const many = await Promise.all(Array.from({ length: 20 }, (_, at) => add({ account: `c${at}` })));
      expect(many.filter((outcome) => outcome === 'added')).toHaveLength(MOST - 2);
      expect(many.filter((outcome) => outcome === 'full')).toHaveLength(20 - MOST + 2);
      expect(await of(first)).toHaveLength(MOST);
    });

    it('never share a label, also when parallel calls set it', async () => {
      const [first, second] = await person({}, { account: 'b' });
      if (first === undefined || second === undefined) throw new Error('no row');
      const { connections } = store();
      const outcomes = await Promise.all([first, second].map((row) => connections.rename(row, 'work')));
      expect(outcomes).toHaveLength(2);
      expect(new Set(outcomes)).toEqual(new Set(['renamed', 'taken']));
      const [winner] = (await of(first)).filter(({ label }) => label === 'work');
      if (winner === undefined) throw new Error('no label was set');
      expect(await connections.rename(winner, 'work')).toBe('renamed');
      expect(await connections.rename({ ...first, account: 'gone' }, 'x')).toBe('gone');
    });

    it('are neither added nor named for a person who is gone', async () => {
      const row = connection({ label: null });
      const { connections } = store();
      expect(await connections.add(row, MOST)).toBe('gone');
      expect(await of(row)).toEqual([]);
      // The row of somebody whose user was deleted by hand.
      await connections.put(row);
      expect(await connections.rename(row, 'work')).toBe('gone');
      expect(await connections.add({ ...row, account: 'b' }, MOST)).toBe('gone');
      expect(await of(row)).toStrictEqual([row]);
    });

    it('are the default one at a time, for reads and for writes', async () => {
      const [first, second] = await person({}, { account: 'b' });
      if (first === undefined || second === undefined) throw new Error('no row');
      const { connections } = store();
      const flags = async () =>
        (await of(first)).map(({ is_default, is_write_default }) => [is_default, is_write_default]);
      expect(await connections.setDefault(first, 'reads', true)).toBe(true);
      expect(await connections.setDefault(second, 'reads', true)).toBe(true);
      expect(await connections.setDefault(first, 'writes', true)).toBe(true);
      expect(await flags()).toEqual([
        [false, true],
        [true, false],
      ]);
      expect(await connections.setDefault(first, 'reads', false)).toBe(true);
      expect(await flags()).toEqual([
        [false, true],
        [true, false],
      ]);
      expect(await connections.setDefault(second, 'reads', false)).toBe(true);
      expect((await flags()).flat().filter(Boolean)).toHaveLength(1);
    });

    it('stay the default when another account is chosen that is gone', async () => {
      const [first] = await person({}, { account: 'b' });
      if (first === undefined) throw new Error('no row');
      const { connections } = store();
      await connections.setDefault(first, 'reads', true);
      await connections.setDefault(first, 'writes', true);
      for (const use of ['reads', 'writes'] as const)
        expect(await connections.setDefault({ ...first, account: 'gone' }, use, true)).toBe(false);
      expect((await of(first))[0]).toMatchObject({ is_default: true, is_write_default: true });
    });

    it('are all on the pages, and none twice', async () => {
      const [first] = await person({}, { account: 'b' }, { account: 'c' });
      if (first === undefined) throw new Error('no row');
      const seen: string[] = [];
      let page = await store().connections.page(null, 2);
      while (page.length > 0) {
        seen.push(...page.filter((row) => row.user_id === first.user_id).map(({ account }) => account));
        page = await store().connections.page(page.at(-1) ?? null, 2);
      }
      expect(seen).toEqual(['', 'b', 'c']);
    });

    it('end one by one when a grant is revoked', async () => {
      const [first, second] = await person({}, { account: 'b' });
      if (first === undefined || second === undefined) throw new Error('no row');
      const revocation = {
        id: `revocation of ${first.user_id}`,
        user_id: first.user_id,
        integration: 'github',
        credential: 'sealed',
        attempts: 0,
        due_at: NOW + 1_000_000,
        expires_at: NOW + 2_000_000,
        created_at: NOW,
      };
      // Both rows hold the same sealed texts here, and only the account differs.
      expect(await store().revocations.begin(second, revocation)).toBe(true);
      expect((await of(first)).map(({ account }) => account)).toEqual(['']);
    });
  });
}
