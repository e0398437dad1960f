// Tests what `Tasks` must do.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MostTasks, TaskRecord } from '../../../src/ports/tasks.ts';
import type { Store } from '../../../src/ports/store.ts';
import { approval, hash, MANY_QUESTIONS, newUser, NOW } from './records.ts';

/** More tasks than a test adds. */
export const MANY_TASKS: MostTasks = { tasks: 1_000, characters: 2 ** 30 };
const RACERS = 50;

export const taskRecord = (changes: Partial<TaskRecord> = {}): TaskRecord => ({
  id: randomUUID(),
  user_id: 'nobody',
  caller: 'key',
  slot: hash(),
  version: randomUUID(),
  state: 'open',
  running_until: null,
  cancelled_at: null,
  answered: '[]',
  created_at: NOW,
  updated_at: NOW,
  expires_at: NOW + 1_000,
  sealed: 'v1.key.Ünï 😀',
  ...changes,
});

export function tasksContract(store: () => Store): void {
  const tasks = () => store().tasks;
  const person = async () => (await store().users.create(newUser())).id;
  const idsOf = (records: readonly TaskRecord[]) => records.map(({ id }) => id).toSorted();

  async function added(
    changes: Partial<TaskRecord> = {},
    approvals: readonly string[] = [],
    most = MANY_TASKS,
  ) {
    const task = taskRecord({ user_id: changes.user_id ?? (await person()), ...changes });
    expect(await tasks().add(task, approvals, most)).toBe(true);
    return task;
  }

  const claimOf = (until = NOW + 45) => ({
    version: randomUUID(),
    sealed: 'claimed',
    updated_at: NOW + 1,
    running_until: until,
  });

  /** A question of the person, in the state. */
  async function question(user_id: string, changes: Parameters<typeof approval>[0] = {}) {
    const row = approval({ user_id, expires_at: NOW + 100, ...changes });
    expect(await store().approvals.ask(row, MANY_QUESTIONS)).toBe('asked');
    return row;
  }

  describe('tasks', () => {
    it('returns a task to its person alone, by its id and by its slot', async () => {
      const [ana, ben] = [await person(), await person()];
      const task = await added({ user_id: ana });
      expect(await tasks().get(ana, task.id)).toStrictEqual(task);
      expect(await tasks().bySlot(ana, task.slot)).toStrictEqual(task);
      expect(await tasks().get(ben, task.id)).toBeNull();
      expect(await tasks().bySlot(ben, task.slot)).toBeNull();
      expect(await tasks().list(ana, 10)).toStrictEqual([task]);
      expect(await tasks().list(ben, 10)).toStrictEqual([]);
    });

    it('keeps one task for a slot, also when 50 are added at once', async () => {
      const user_id = await person();
      const slot = hash();
      const racers = Array.from({ length: RACERS }, () => taskRecord({ user_id, slot }));
      const answers = await Promise.all(racers.map((task) => tasks().add(task, ['a'], MANY_TASKS)));
      expect(answers.filter(Boolean)).toHaveLength(1);
      const winner = racers[answers.indexOf(true)];
      expect(await tasks().ofApproval(user_id, 'a')).toStrictEqual([winner]);
    });

    it('keeps nothing for a person who is gone', async () => {
      const task = taskRecord({ user_id: randomUUID() });
      expect(await tasks().add(task, ['a'], MANY_TASKS)).toBe(false);
      expect(await tasks().get(task.user_id, task.id)).toBeNull();
      expect(await tasks().ofApproval(task.user_id, 'a')).toStrictEqual([]);
    });

    it('deletes the oldest of the same caller beyond the limits, and nothing of others', async () => {
      const user_id = await person();
      const other = await added({ user_id, caller: 'session', created_at: NOW - 50 });
      const few = { ...MANY_TASKS, tasks: 2 };
      const [first, second, third] = [
        await added({ user_id }, [], few),
        await added({ user_id, created_at: NOW + 1 }, [], few),
        await added({ user_id, created_at: NOW + 2 }, [], few),
      ];
      expect(idsOf(await tasks().list(user_id, 10))).toEqual(idsOf([other, second, third]));
      const large = await added({ user_id, created_at: NOW + 3, sealed: 'x'.repeat(90) }, [], {
        ...MANY_TASKS,
        characters: 100,
      });
      expect(idsOf(await tasks().list(user_id, 10))).toEqual(idsOf([other, large]));
      expect(await tasks().get(user_id, first.id)).toBeNull();
    });

    it('lets exactly one of 50 take a task, and only the holder give it back', async () => {
      const task = await added();
      const claims = Array.from({ length: RACERS }, () => claimOf());
      const won = await Promise.all(claims.map((next) => tasks().claim(task, next)));
      expect(won.filter(Boolean)).toHaveLength(1);
      const claim = claims[won.indexOf(true)] ?? claimOf();
      expect(await tasks().get(task.user_id, task.id)).toStrictEqual({ ...task, ...claim });
      const end = { version: randomUUID(), sealed: 'ended', updated_at: NOW + 2, state: 'ended' as const };
      expect(await tasks().release(task, end, {})).toBe(false);
      await tasks().keep(claim && { id: task.id, version: claim.version }, NOW + 90);
      await tasks().keep(task, NOW + 999);
      expect((await tasks().get(task.user_id, task.id))?.running_until).toBe(NOW + 90);
      expect(await tasks().release({ ...task, version: claim.version }, end, {})).toBe(true);
      expect(await tasks().get(task.user_id, task.id)).toStrictEqual({ ...task, ...end });
      expect(await tasks().claim({ id: task.id, version: end.version }, claimOf())).toBe(false);
    });

    it('gives a cancelled task to nobody, and lets its holder finish', async () => {
      const [free, held] = [await added(), await added()];
      const claim = claimOf();
      expect(await tasks().claim(held, claim)).toBe(true);
      for (const { user_id, id } of [free, held]) {
        await tasks().cancel(await person(), id, NOW + 4);
        await tasks().cancel(user_id, id, NOW + 5);
        await tasks().cancel(user_id, id, NOW + 6);
        expect((await tasks().get(user_id, id))?.cancelled_at).toBe(NOW + 5);
      }
      expect(await tasks().claim(free, claimOf())).toBe(false);
      const end = { version: randomUUID(), sealed: 'ended', updated_at: NOW + 7, state: 'ended' as const };
      expect(await tasks().release({ ...held, version: claim.version }, end, {})).toBe(true);
      await tasks().cancel(held.user_id, held.id, NOW + 8);
      expect((await tasks().get(held.user_id, held.id))?.cancelled_at).toBe(NOW + 5);
    });

    it('notes answered questions one after the other', async () => {
      const task = await added();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => tasks().answer(task, JSON.stringify([String(n)]))),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(JSON.parse((await tasks().get(task.user_id, task.id))?.answered ?? '')).toHaveLength(1);
    });

    it('finds the open tasks of an approval until they no longer wait for it', async () => {
      const user_id = await person();
      const [one, other] = [await added({ user_id }, ['a', 'b']), await added({ user_id }, ['b'])];
      expect(idsOf(await tasks().ofApproval(user_id, 'b'))).toEqual(idsOf([one, other]));
      expect(idsOf(await tasks().ofApproval(user_id, 'a'))).toEqual([one.id]);
      expect(await tasks().ofApproval(await person(), 'a')).toEqual([]);
      const claim = claimOf();
      await tasks().claim(one, claim);
      const next = { version: randomUUID(), sealed: 'half', updated_at: NOW + 2, state: 'open' as const };
      await tasks().release({ ...one, version: claim.version }, next, { ended: ['b'], begun: ['c'] });
      expect(idsOf(await tasks().ofApproval(user_id, 'c'))).toEqual([one.id]);
      expect(idsOf(await tasks().ofApproval(user_id, 'b'))).toEqual([other.id]);
      expect(idsOf(await tasks().ofApproval(user_id, 'a'))).toEqual([one.id]);
      await tasks().cancel(user_id, other.id, NOW);
      expect(await tasks().ofApproval(user_id, 'b')).toEqual([]);
    });

    it('lists as due what can go on: decided, over, or held by a process that was lost', async () => {
      const user_id = await person();
      const waiting = await question(user_id);
      const over = await question(user_id, { expires_at: NOW });
      const decided = await question(user_id, { state: 'approved' });
      const of = (id: string, changes: Partial<TaskRecord> = {}) => added({ user_id, ...changes }, [id]);
      await of(waiting.id);
      await of(decided.id, { running_until: NOW + 1 });
      await of(decided.id, { cancelled_at: NOW });
      await of(decided.id, { state: 'ended' });
      const wanted = [await of(over.id), await of(decided.id), await of(waiting.id, { running_until: NOW })];
      const due = (await tasks().due(NOW, 1_000)).filter((task) => task.user_id === user_id);
      expect(idsOf(due)).toEqual(idsOf(wanted));
    });

    it('seals anew what nobody has written meanwhile', async () => {
      const task = await added();
      expect(await tasks().swapSealed(task.id, 'something else', 'new')).toBe(false);
      expect(await tasks().swapSealed(task.id, task.sealed, 'new')).toBe(true);
      expect((await tasks().get(task.user_id, task.id))?.sealed).toBe('new');
      const paged: string[] = [];
      for (
        let rows = await tasks().page(null, 7);
        rows.length > 0;
        rows = await tasks().page(rows.at(-1)?.id ?? '', 7)
      )
        paged.push(...rows.map(({ id }) => id));
      expect(paged).toContain(task.id);
      expect(new Set(paged).size).toBe(paged.length);
    });

    it('forgets what has expired', async () => {
      const user_id = await person();
      const gone = await added({ user_id, expires_at: NOW - 1 }, ['a']);
      const kept = await added({ user_id }, ['a']);
      while (await store().sweep(NOW));
      expect(await tasks().list(user_id, 10)).toStrictEqual([kept]);
      expect(await tasks().get(user_id, gone.id)).toBeNull();
      expect(idsOf(await tasks().ofApproval(user_id, 'a'))).toEqual([kept.id]);
    });
  });
}
