// Tests what `CallDetailsStore` must do.
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CallDetailsRecord } from '../../../src/ports/call-details.ts';
import type { Store } from '../../../src/ports/store.ts';
import { newUser, NOW } from './records.ts';

const MOST = { calls: 100, characters: 1_000_000 };

const record = (changes: Partial<CallDetailsRecord> = {}): CallDetailsRecord => ({
  id: randomUUID(),
  created_at: NOW,
  expires_at: NOW + 100,
  sealed: 'v1.key.Ünï 😀',
  ...changes,
});

export function callDetailsContract(store: () => Store): void {
  const details = () => store().callDetails;
  const person = async () => (await store().users.create(newUser())).id;
  const idsOf = async (user: string, records: readonly CallDetailsRecord[]) => {
    const found = await Promise.all(records.map(({ id }) => details().get(user, id, NOW)));
    return found.flatMap((each) => (each === null ? [] : [each.id]));
  };

  describe('call details', () => {
    it('returns what was kept to its person alone, and until it expires', async () => {
      const [ana, ben] = [await person(), await person()];
      const [one, other] = [record(), record({ expires_at: NOW + 5 })];
      await details().keep(ana, [], MOST);
      await details().keep(ana, [one, other], MOST);
      expect(await details().get(ana, one.id, NOW)).toStrictEqual(one);
      expect(await details().get(ben, one.id, NOW)).toBeNull();
      expect(await details().get(ana, randomUUID(), NOW)).toBeNull();
      expect(await details().get(ana, other.id, NOW + 4)).toStrictEqual(other);
      expect(await details().get(ana, other.id, NOW + 5)).toBeNull();
    });

    it('lists those of several calls that their person has, and that have not expired', async () => {
      const [ana, ben] = [await person(), await person()];
      const [one, two, short, ofBen] = [record(), record(), record({ expires_at: NOW + 5 }), record()];
      await details().keep(ana, [one, two, short], MOST);
      await details().keep(ben, [ofBen], MOST);
      const all = [one, short, ofBen, record()].map(({ id }) => id);
      expect(await details().list(ana, all, NOW + 5)).toStrictEqual([one]);
      expect(await details().list(ana, [], NOW)).toStrictEqual([]);
    });

    it('deletes the oldest beyond the number of calls, and nothing of others', async () => {
      const [ana, ben] = [await person(), await person()];
      const records = Array.from({ length: 6 }, (_, index) => record({ created_at: NOW + index }));
      const ofBen = record();
      await details().keep(ben, [ofBen], MOST);
      await details().keep(ana, records.slice(0, 3), { ...MOST, calls: 4 });
      await details().keep(ana, records.slice(3), { ...MOST, calls: 4 });
      expect(await idsOf(ana, records)).toStrictEqual(records.slice(2).map(({ id }) => id));
      expect(await idsOf(ben, [ofBen])).toStrictEqual([ofBen.id]);
    });

    it('deletes the oldest beyond the number of characters', async () => {
      const ana = await person();
      const records = [5, 900, 4, 90].map((length, index) =>
        record({ created_at: NOW + index, sealed: 'x'.repeat(length) }),
      );
      await details().keep(ana, records, { ...MOST, characters: 100 });
      expect(await idsOf(ana, records)).toStrictEqual(records.slice(2).map(({ id }) => id));
    });

    it('keeps nothing for a person who does not want it, and deletes what is there', async () => {
      const [ana, ben] = [await person(), await person()];
      const [before, after, again, ofBen] = [record(), record(), record(), record()];
      await details().keep(ana, [before], MOST);
      await details().keep(ben, [ofBen], MOST);
      expect((await store().users.byId(ana))?.keeps_calls).toBe(true);
      expect(await details().choose(ana, false)).toBe(true);
      expect((await store().users.byId(ana))?.keeps_calls).toBe(false);
      await details().keep(ana, [after], MOST);
      expect(await details().choose(ana, true)).toBe(true);
      await details().keep(ana, [again], MOST);
      expect(await idsOf(ana, [before, after, again])).toStrictEqual([again.id]);
      expect(await idsOf(ben, [ofBen])).toStrictEqual([ofBen.id]);
      expect(await details().choose(randomUUID(), false)).toBe(false);
    });

    it('leaves nothing behind when the choice and calls come at the same time', async () => {
      const ana = await person();
      const records = Array.from({ length: 30 }, () => record());
      const [early, late] = [records.slice(0, 15), records.slice(15)];
      await Promise.all([
        ...early.map((each) => details().keep(ana, [each], MOST)),
        details().choose(ana, false),
        ...late.map((each) => details().keep(ana, [each], MOST)),
      ]);
      await details().choose(ana, true);
      expect(await idsOf(ana, records)).toStrictEqual([]);
    });

    it('deletes the details of a person who is deleted, and keeps none afterwards', async () => {
      const { id } = await store().users.create(newUser());
      const [before, after, gone] = [record(), record(), record()];
      await details().keep(id, [before], MOST);
      const sha = createHash('sha256').update(id).digest('hex');
      await store().people.beginDeletion(id, { person: sha, before: NOW, expires_at: NOW + 1 });
      await details().keep(id, [after], MOST);
      expect(await details().choose(id, true)).toBe(false);
      await store().people.erase([id], 'deleted-x');
      await details().keep(id, [gone], MOST);
      expect(await idsOf(id, [before, after, gone])).toStrictEqual([]);
    });

    it('lists all by pages, and swaps a sealed text only while it has the expected value', async () => {
      const ana = await person();
      const records = [record(), record(), record()];
      await details().keep(ana, records, MOST);
      const found: string[] = [];
      let page = await details().page(null, 2);
      for (; page.length > 0; page = await details().page(found.at(-1) ?? null, 2))
        found.push(...page.map(({ id }) => id));
      expect(found).toEqual(expect.arrayContaining(records.map(({ id }) => id)));
      expect(new Set(found).size).toBe(found.length);
      const [one = record(), other = record()] = records;
      expect(await details().swapSealed(one.id, 'other', 'next')).toBe(false);
      expect(await details().swapSealed(one.id, one.sealed, 'next')).toBe(true);
      expect(await details().get(ana, one.id, NOW)).toStrictEqual({ ...one, sealed: 'next' });
      expect(await details().get(ana, other.id, NOW)).toStrictEqual(other);
    });

    it('sweeps what has expired', async () => {
      const ana = await person();
      const [old, live] = [record({ expires_at: 10 }), record()];
      await details().keep(ana, [old, live], MOST);
      while (await store().sweep(10));
      const left = [];
      let page = await details().page(null, 500);
      for (; page.length > 0; page = await details().page(page.at(-1)?.id ?? null, 500)) left.push(...page);
      const ids = left.map(({ id }) => id);
      expect(ids).not.toContain(old.id);
      expect(ids).toContain(live.id);
    });
  });
}
