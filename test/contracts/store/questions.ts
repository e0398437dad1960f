// Tests how many questions `Approvals` keeps for a caller and for a person.
import { describe, expect, it } from 'vitest';
import type { ApprovalRecord } from '../../../src/ports/policy.ts';
import type { Store } from '../../../src/ports/store.ts';
import { approval, hash, MANY_QUESTIONS, newUser, NOW } from './records.ts';

const MOST = 5;
const RACERS = 50;
const ofCaller = (most: number) => ({ ...MANY_QUESTIONS, ofCaller: most });

const count = <T>(answers: readonly T[], wanted: T) => answers.filter((each) => each === wanted).length;
const ids = (rows: readonly ApprovalRecord[]) => rows.map(({ id }) => id);

export function questionsContract(store: () => Store): void {
  describe('questions that wait', () => {
    const approvals = () => store().approvals;

    async function person(): Promise<string> {
      return (await store().users.create(newUser())).id;
    }

    it('keeps no question beyond the limit of a caller, also when 50 ask at once', async () => {
      for (let round = 0; round < 4; round++) {
        const user_id = await person();
        const rows = Array.from({ length: RACERS }, () => approval({ user_id }));
        const answers = await Promise.all(rows.map((row) => approvals().ask(row, ofCaller(MOST))));
        expect([count(answers, 'asked'), count(answers, 'full')]).toEqual([MOST, RACERS - MOST]);
        const kept = rows.filter((_, at) => answers[at] === 'asked');
        expect(ids(await approvals().list({ user_id, limit: 100 })).toSorted()).toEqual(ids(kept).toSorted());
      }
    });

    it('counts only the pending questions of the same person and caller that are not over', async () => {
      const user_id = await person();
      const ask = (changes: Partial<ApprovalRecord> = {}) =>
        approvals().ask(approval({ user_id, ...changes }), ofCaller(1));
      for (const state of ['approved', 'denied', 'running', 'done', 'expired'] as const)
        expect(await ask({ state })).toBe('asked');
      expect(await ask({ expires_at: NOW })).toBe('asked');
      expect(await ask({ user_id: await person() })).toBe('asked');
      expect(await ask({ caller: 'session' })).toBe('asked');
      const pending = approval({ user_id });
      expect(await approvals().ask(pending, ofCaller(1))).toBe('asked');
      expect(await ask()).toBe('full');
      expect(await approvals().ask(approval({ user_id, digest: pending.digest }), ofCaller(1))).toBe('taken');
      await approvals().move(pending, { state: 'approved' });
      expect(await ask()).toBe('asked');
    });

    it('keeps no question beyond the limits of a person, also when 50 callers ask at once', async () => {
      const sealed = 'é'.repeat(500);
      for (const most of [{ ofPerson: MOST }, { sealedOfPerson: MOST * 1_000 }]) {
        const user_id = await person();
        const rows = Array.from({ length: RACERS }, (_, n) =>
          approval({ user_id, caller: `key:${n}`, sealed }),
        );
        const answers = await Promise.all(
          rows.map((row) => approvals().ask(row, { ...MANY_QUESTIONS, ...most })),
        );
        expect([count(answers, 'asked'), count(answers, 'person-full')]).toEqual([MOST, RACERS - MOST]);
        const kept = rows.filter((_, at) => answers[at] === 'asked');
        expect(ids(await approvals().list({ user_id, limit: 100 })).toSorted()).toEqual(ids(kept).toSorted());
        expect(await approvals().waiting(user_id)).toEqual({ count: MOST, sealed: MOST * 1_000 });
      }
    });

    it('counts all pending questions of a person, also those whose time is over', async () => {
      const user_id = await person();
      expect(await approvals().waiting(user_id)).toEqual({ count: 0, sealed: 0 });
      const ask = (changes: Partial<ApprovalRecord> = {}) =>
        approvals().ask(approval({ user_id, caller: hash(), ...changes }), {
          ...MANY_QUESTIONS,
          ofPerson: 1,
        });
      for (const state of ['approved', 'denied', 'running', 'done', 'expired'] as const)
        expect(await ask({ state })).toBe('asked');
      expect(await ask({ user_id: await person() })).toBe('asked');
      const over = approval({ user_id, expires_at: NOW, sealed: null });
      expect(await approvals().ask(over, MANY_QUESTIONS)).toBe('asked');
      expect(await approvals().waiting(user_id)).toEqual({ count: 1, sealed: 0 });
      expect(await ask()).toBe('person-full');
      await approvals().move(over, { state: 'expired' });
      expect(await ask()).toBe('asked');
    });
  });
}
