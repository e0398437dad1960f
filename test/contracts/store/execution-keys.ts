// Tests what `ExecutionKeys` must do.
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ExecutionKey } from '../../../src/ports/execution-keys.ts';
import type { Store } from '../../../src/ports/store.ts';
import { executionKey, newUser, NOW } from './records.ts';

const MOST = 1_000;
const DONE = { state: 'done', running_until: null } as const;

export function executionKeysContract(store: () => Store): void {
  const keys = () => store().executionKeys;
  const person = async () => (await store().users.create(newUser())).id;
  const row = (user_id: string, changes: Partial<ExecutionKey> = {}) => executionKey({ user_id, ...changes });
  const claimed = async (user: string, changes: Partial<ExecutionKey> = {}) => {
    const made = row(user, changes);
    expect(await keys().claim(made, MOST)).toBe('claimed');
    return made;
  };
  /** What is there for the id: a claim that does not win returns it. */
  const found = async ({ id, user_id }: ExecutionKey, now = NOW) => {
    const [other] = await keys()
      .list(user_id, now, null, 500)
      .then((all) => all.filter((each) => each.id === id));
    return other ?? null;
  };

  describe('keys of executions', () => {
    it('lets one of many claims of an id win, and gives the others its row', async () => {
      const ana = await person();
      const first = row(ana);
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => keys().claim({ ...first, run: randomUUID() }, MOST)),
      );
      expect(answers.filter((answer) => answer === 'claimed')).toHaveLength(1);
      const [winner] = await keys().list(ana, NOW, null, 10);
      expect(winner).toStrictEqual({ ...first, run: winner?.run });
      for (const answer of answers) expect(['claimed', winner]).toContainEqual(answer);
    });

    it('puts a claim in the place of a row that is over, and of no row that still runs', async () => {
      const ana = await person();
      const over = await claimed(ana, { running_until: null, state: 'done', expires_at: NOW + 5 });
      const next = { ...over, run: randomUUID(), created_at: NOW + 5, expires_at: NOW + 105 };
      expect(await keys().claim({ ...next, created_at: NOW + 4 }, MOST)).toStrictEqual(over);
      expect(await keys().claim(next, MOST)).toBe('claimed');
      expect(await found(next)).toStrictEqual(next);
      const running = await claimed(ana, { expires_at: NOW + 5, running_until: NOW + 50 });
      expect(await keys().claim({ ...running, run: 'x', created_at: NOW + 20 }, MOST)).toStrictEqual(running);
    });

    it('stores no more rows of a person than the most, and counts nobody else', async () => {
      const [ana, ben] = [await person(), await person()];
      for (let n = 0; n < 3; n++) expect(await keys().claim(row(ana), 3)).toBe('claimed');
      expect(await keys().claim(row(ana), 3)).toBe('full');
      expect(await keys().claim(row(ben), 3)).toBe('claimed');
    });

    it('shows a row to its person alone', async () => {
      const [ana, ben] = [await person(), await person()];
      const ofAna = await claimed(ana);
      expect(await keys().claim({ ...ofAna, user_id: ben }, MOST)).toBe('free');
      expect(await keys().list(ben, NOW, null, 10)).toStrictEqual([]);
    });

    it('changes a row for one of many that saw it', async () => {
      const ana = await person();
      const seen = await claimed(ana, { state: 'asking' });
      const moves = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          keys().move(seen, { run: `r${n}`, state: 'running', running_until: NOW + 90 }),
        ),
      );
      expect(moves.filter(Boolean)).toHaveLength(1);
      const running = { ...seen, run: `r${moves.indexOf(true)}`, state: 'running', running_until: NOW + 90 };
      expect(await found(seen)).toStrictEqual(running);
    });

    it('keeps an answer, and drops the oldest answers of the person beyond the most', async () => {
      const [ana, ben] = [await person(), await person()];
      const all: ExecutionKey[] = [];
      for (const [at, sealed] of ['a'.repeat(60), 'b'.repeat(30), 'c'.repeat(50)].entries()) {
        const made = await claimed(ana, { created_at: NOW + at });
        expect(await keys().move(made, { run: made.run, ...DONE, sealed })).toBe(true);
        all.push({ ...made, ...DONE, sealed });
      }
      const ofBen = await claimed(ben);
      await keys().move(ofBen, { run: ofBen.run, ...DONE, sealed: 'x'.repeat(900) });
      await keys().trim(ana, 100);
      const [first, second, third] = all;
      expect(await Promise.all(all.map((each) => found(each)))).toStrictEqual([
        { ...first, sealed: null },
        second,
        third,
      ]);
      expect((await found(ofBen))?.sealed).toHaveLength(900);
    });

    it('keeps a run alive while it has the key, and releases it for its own run only', async () => {
      const ana = await person();
      const made = await claimed(ana);
      await keys().keepRunning(made.id, 'another', NOW + 500);
      expect((await found(made))?.running_until).toBe(NOW + 45);
      await keys().keepRunning(made.id, made.run, NOW + 90);
      expect((await found(made))?.running_until).toBe(NOW + 90);
      await keys().release(made.id, 'another');
      expect(await found(made)).not.toBeNull();
      await keys().release(made.id, made.run);
      expect(await found(made)).toBeNull();
      const ended = await claimed(ana, DONE);
      await keys().keepRunning(ended.id, ended.run, NOW + 90);
      expect((await found(ended))?.running_until).toBeNull();
    });

    it('deletes the rows of a person who is deleted, and stores none afterwards', async () => {
      const { id } = await store().users.create(newUser());
      const made = await claimed(id);
      const sha = createHash('sha256').update(id).digest('hex');
      await store().people.beginDeletion(id, { person: sha, before: NOW, expires_at: NOW + 1 });
      expect(await keys().claim(row(id), MOST)).toBeNull();
      await store().people.erase([id], 'deleted-x');
      expect(await found(made)).toBeNull();
      expect(await keys().claim(row(id), MOST)).toBeNull();
    });

    it('lists answers by pages, and swaps one only while it has the expected value', async () => {
      const ana = await person();
      const made = [await claimed(ana), await claimed(ana), await claimed(ana)];
      for (const each of made) await keys().move(each, { run: each.run, ...DONE, sealed: 'v1.Ünï 😀' });
      const without = await claimed(ana);
      const ids: string[] = [];
      let page = await keys().page(null, 2);
      for (; page.length > 0; page = await keys().page(ids.at(-1) ?? null, 2))
        ids.push(...page.map(({ id }) => id));
      expect(ids).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
      expect(ids).not.toContain(without.id);
      expect(new Set(ids).size).toBe(ids.length);
      const [one = without] = made;
      expect(await keys().swapSealed(one.id, 'other', 'next')).toBe(false);
      expect(await keys().swapSealed(one.id, 'v1.Ünï 😀', 'next')).toBe(true);
      expect((await found(one))?.sealed).toBe('next');
    });

    it('sweeps what is over', async () => {
      const ana = await person();
      const [old, live] = [await claimed(ana, { expires_at: 10 }), await claimed(ana)];
      while (await store().sweep(10));
      expect(await found(old, 0)).toBeNull();
      expect(await found(live, 0)).not.toBeNull();
    });
  });
}
