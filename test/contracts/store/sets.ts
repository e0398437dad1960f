// Tests what `Sets` must do.
import { describe, expect, it } from 'vitest';
import type { SetRecord, SetUse } from '../../../src/ports/sets.ts';
import { EVERYONE, type Store } from '../../../src/ports/store.ts';
import { hash, newUser, NOW, toolSet } from './records.ts';

const MOST = 5;

export function setsContract(store: () => Store): void {
  describe('sets', () => {
    const sets = () => store().sets;
    const person = async (): Promise<string> => (await store().users.create(newUser())).id;
    const setOf = (owner: string, changes: Partial<SetRecord> = {}) => toolSet({ owner, ...changes });
    const useOf = (set: SetRecord, changes: Partial<SetUse> = {}): SetUse => ({
      set_id: set.id,
      user_id: set.owner,
      caller: `key:${hash()}`,
      caller_name: 'CI',
      last_used_at: NOW,
      expires_at: NOW + 60,
      ...changes,
    });
    async function made(owner: string, changes: Partial<SetRecord> = {}): Promise<SetRecord> {
      const record = setOf(owner, changes);
      expect(await sets().create(record, MOST)).toBe('created');
      return record;
    }

    it('returns a set with every field, to its owner only', async () => {
      const [ana, ben] = [await person(), await person()];
      const record = await made(ana);
      expect(await sets().find(ana, record.name)).toStrictEqual(record);
      expect(await sets().get(ana, record.name)).toStrictEqual(record);
      expect(await sets().list(ana)).toContainEqual(record);
      expect(await sets().find(ben, record.name)).toBeNull();
      expect(await sets().get(EVERYONE, record.name)).toBeNull();
      expect(await sets().list(ben)).not.toContainEqual(record);
    });

    it('gives a set of the team to everybody, after their own of that name', async () => {
      const [ana, ben] = [await person(), await person()];
      const own = await made(ana);
      const team = await made(EVERYONE, { name: own.name, created_by: ben });
      expect(await sets().find(ana, own.name)).toStrictEqual(own);
      expect(await sets().find(ben, own.name)).toStrictEqual(team);
      expect((await sets().list(ana)).filter(({ name }) => name === own.name)).toStrictEqual([team, own]);
      await sets().delete(team.id);
    });

    it('refuses a name that the owner or the team has, and the sets beyond the limit', async () => {
      const [ana, ben] = [await person(), await person()];
      const first = await made(ana);
      expect(await sets().create(setOf(ana, { name: first.name }), MOST)).toBe('taken');
      const team = await made(EVERYONE, { created_by: ben });
      expect(await sets().create(setOf(ana, { name: team.name }), MOST)).toBe('taken');
      await sets().delete(team.id);
      for (let more = 1; more < MOST; more++) await made(ana);
      expect(await sets().create(setOf(ana), MOST)).toBe('full');
      await sets().delete(first.id);
      await made(ana);
      await made(ben);
    });

    it('creates one of 20 sets of a name, and no set beyond the limit, when they come at once', async () => {
      const [ana, ben] = [await person(), await person()];
      const name = `set-${hash().slice(0, 12)}`;
      const named = Array.from({ length: 20 }, () => sets().create(setOf(ana, { name }), MOST));
      expect((await Promise.all(named)).filter((outcome) => outcome === 'created')).toHaveLength(1);
      const many = Array.from({ length: 20 }, () => sets().create(setOf(ben), MOST));
      expect((await Promise.all(many)).filter((outcome) => outcome === 'created')).toHaveLength(MOST);
      expect(await sets().list(ben)).toHaveLength(MOST);
    });

    it('creates nothing for somebody who is gone', async () => {
      const gone = hash();
      expect(await sets().create(setOf(gone), MOST)).toBe('gone');
      expect(await sets().create(setOf(EVERYONE, { created_by: gone }), MOST)).toBe('gone');
    });

    it('replaces the version that was seen, once', async () => {
      const record = await made(await person());
      const nexts = Array.from({ length: 8 }, (_, at) => ({
        ...record,
        title: `Title ${at}`,
        description: 'More',
        tools: '[]',
        updated_at: NOW + 5,
        version: hash(),
      }));
      const updated = await Promise.all(nexts.map((next) => sets().update(record.version, next)));
      expect(updated.filter(Boolean)).toHaveLength(1);
      expect(await sets().find(record.owner, record.name)).toStrictEqual(nexts[updated.indexOf(true)]);
    });

    it('keeps the last use of each caller, and forgets it with the set and with its time', async () => {
      const [ana, ben] = [await person(), await person()];
      const record = await made(ana);
      const [early, late] = [useOf(record), useOf(record, { last_used_at: NOW + 9, caller_name: null })];
      for (const use of [early, late]) await sets().noteUse(use);
      const again = { ...early, last_used_at: NOW + 20, expires_at: NOW + 90, caller_name: 'New' };
      await sets().noteUse(again);
      expect(await sets().uses(record.id, ana, 10)).toStrictEqual([again, late]);
      expect(await sets().uses(record.id, ana, 1)).toStrictEqual([again]);
      expect(await sets().uses(record.id, ben, 10)).toStrictEqual([]);
      await store().sweep(NOW + 60);
      expect(await sets().uses(record.id, ana, 10)).toStrictEqual([again]);
      expect(await sets().delete(record.id)).toBe(true);
      expect(await sets().delete(record.id)).toBe(false);
      expect(await sets().uses(record.id, ana, 10)).toStrictEqual([]);
      await sets().noteUse(again);
      expect(await sets().uses(record.id, ana, 10)).toStrictEqual([]);
    });

    it('goes with its person, and keeps no trace of them in the sets of the team', async () => {
      const [ana, ben] = [await person(), await person()];
      const own = await made(ana);
      const team = await made(EVERYONE, { created_by: ana });
      await sets().noteUse(useOf(own));
      await sets().noteUse(useOf(team, { user_id: ana }));
      await sets().noteUse(useOf(team, { user_id: ben }));
      const ending = { person: hash(), before: NOW, expires_at: NOW + 60 };
      await store().people.beginDeletion(ana, ending);
      await store().people.erase([ana], 'somebody');
      expect(await sets().get(ana, own.name)).toBeNull();
      expect(await sets().uses(own.id, ana, 10)).toStrictEqual([]);
      expect(await sets().uses(team.id, ana, 10)).toStrictEqual([]);
      expect(await sets().uses(team.id, ben, 10)).toHaveLength(1);
      expect((await sets().get(EVERYONE, team.name))?.created_by).toBe('somebody');
      await sets().delete(team.id);
    });
  });
}
