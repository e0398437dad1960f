// Tests what `AgentKeys` must do.
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { agentKey, approval, hash, MANY_QUESTIONS, newUser, NOW } from './records.ts';

const MOST = 5;

export function agentKeysContract(store: () => Store): void {
  describe('named keys', () => {
    const keys = () => store().agentKeys;

    async function person(): Promise<string> {
      return (await store().users.create(newUser())).id;
    }

    it('returns a key by its digest and by its id, with every field', async () => {
      const user_id = await person();
      const bare = { name: '', limits: '{}', expires_at: null, last_used_at: null };
      for (const made of [agentKey({ user_id }), agentKey({ user_id, ...bare })]) {
        expect(await keys().add(made, MOST)).toBe(true);
        expect(await keys().bySha(made.key_sha)).toStrictEqual(made);
        expect(await keys().get(made.id)).toStrictEqual(made);
      }
      expect(await keys().bySha(hash())).toBeNull();
      expect(await keys().get(hash())).toBeNull();
    });

    it("lists the person's keys, the newest first", async () => {
      const user_id = await person();
      const made = [2, 3, 1].map((at) => agentKey({ user_id, created_at: NOW + at }));
      for (const each of made) await keys().add(each, MOST);
      const [second, first, third] = made;
      expect(await keys().list(user_id)).toStrictEqual([first, second, third]);
      expect(await keys().list(await person())).toEqual([]);
    });

    it('stores no key beyond the limit, also when 20 are added at once', async () => {
      for (let round = 0; round < 4; round++) {
        const [user_id, other] = [await person(), await person()];
        const made = Array.from({ length: 20 }, () => agentKey({ user_id }));
        const added = await Promise.all(made.map((each) => keys().add(each, MOST)));
        expect(added.filter(Boolean)).toHaveLength(MOST);
        const kept = made.filter((_, at) => added[at]).map(({ id }) => id);
        expect((await keys().list(user_id)).map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
        expect(await keys().add(agentKey({ user_id: other }), MOST)).toBe(true);
        await keys().delete(user_id, kept[0] ?? '');
        expect(await keys().add(agentKey({ user_id }), MOST)).toBe(true);
        expect(await keys().add(agentKey({ user_id }), MOST)).toBe(false);
      }
    });

    it('stores no key of a person who is gone', async () => {
      const lost = agentKey();
      expect(await keys().add(lost, MOST)).toBe(false);
      expect(await keys().get(lost.id)).toBeNull();
    });

    it("changes and pauses the person's own key, and keeps the key itself", async () => {
      const made = agentKey({ user_id: await person() });
      const other = agentKey({ user_id: await person() });
      for (const each of [made, other]) await keys().add(each, MOST);
      const change = { name: 'New', limits: '{}', expires_at: null };
      expect(await keys().update(other.user_id, made.id, change)).toBeNull();
      expect(await keys().update(made.user_id, made.id, change)).toStrictEqual({ ...made, ...change });
      expect(await keys().pause(other.user_id, made.id, NOW)).toBeNull();
      const paused = { ...made, ...change, paused_at: NOW };
      expect(await keys().pause(made.user_id, made.id, NOW)).toStrictEqual(paused);
      expect(await keys().bySha(made.key_sha)).toStrictEqual(paused);
      expect(await keys().pause(made.user_id, made.id, null)).toStrictEqual({ ...paused, paused_at: null });
      expect(await keys().get(other.id)).toStrictEqual(other);
    });

    it("deletes the person's own key once", async () => {
      const made = agentKey({ user_id: await person() });
      await keys().add(made, MOST);
      expect(await keys().delete(await person(), made.id)).toBe(false);
      expect(await keys().get(made.id)).toStrictEqual(made);
      const deleted = await Promise.all(
        Array.from({ length: 10 }, () => keys().delete(made.user_id, made.id)),
      );
      expect(deleted.filter(Boolean)).toHaveLength(1);
      expect(await keys().bySha(made.key_sha)).toBeNull();
    });

    it('ends the approvals of a deleted key that have not run, and no others', async () => {
      const user_id = await person();
      const made = agentKey({ user_id });
      await keys().add(made, MOST);
      const of = (caller: string, changes: object = {}) => approval({ user_id, caller, ...changes });
      const ended = [of(`key:${made.id}`), of(`key:${made.id}`, { state: 'approved' })];
      const kept = [
        of(`key:${made.id}`, { state: 'running', run: hash(), running_until: NOW + 9 }),
        of(`key:${made.id}`, { state: 'denied' }),
        of('key'),
        of(`key:${hash()}`),
        approval({ caller: `key:${made.id}` }),
      ];
      for (const each of [...ended, ...kept]) await store().approvals.ask(each, MANY_QUESTIONS);
      await keys().delete(user_id, made.id);
      for (const each of ended) {
        const change = { state: 'expired', slot: each.id, sealed: null, expires_at: 0 };
        expect(await store().approvals.get(user_id, each.id)).toStrictEqual({ ...each, ...change });
      }
      for (const each of kept) expect(await store().approvals.get(each.user_id, each.id)).toStrictEqual(each);
    });

    it('keeps the approvals of a key that another person wants to delete', async () => {
      const made = agentKey({ user_id: await person() });
      await keys().add(made, MOST);
      const asked = approval({ user_id: made.user_id, caller: `key:${made.id}` });
      await store().approvals.ask(asked, MANY_QUESTIONS);
      await keys().delete(await person(), made.id);
      expect(await store().approvals.get(made.user_id, asked.id)).toStrictEqual(asked);
    });

    it('notes the latest use, also when uses arrive out of order', async () => {
      const [made, other] = [await person(), await person()].map((user_id) =>
        agentKey({ user_id, last_used_at: null }),
      );
      if (made === undefined || other === undefined) throw new Error('two keys are needed');
      for (const each of [made, other]) await keys().add(each, MOST);
      await keys().noteUse(made.id, NOW + 7);
      await keys().noteUse(made.id, NOW + 3);
      await Promise.all([5, 9, 1, 8].map((at) => keys().noteUse(made.id, NOW + at)));
      expect((await keys().get(made.id))?.last_used_at).toBe(NOW + 9);
      expect(await keys().get(other.id)).toStrictEqual(other);
    });
  });
}
