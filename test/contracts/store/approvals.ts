// Tests what `Approvals` must do.
import { describe, expect, it } from 'vitest';
import type { ApprovalChange, ApprovalRecord } from '../../../src/ports/policy.ts';
import type { Store } from '../../../src/ports/store.ts';
import { approval, hash, MANY_QUESTIONS, newUser, NOW } from './records.ts';

const RACERS = 50;

const count = <T>(answers: readonly T[], wanted: T) => answers.filter((each) => each === wanted).length;
const ids = (rows: readonly ApprovalRecord[]) => rows.map(({ id }) => id);

export function approvalsContract(store: () => Store): void {
  describe('approvals', () => {
    const approvals = () => store().approvals;
    const stored = ({ user_id, id }: ApprovalRecord) => approvals().get(user_id, id);

    async function person(): Promise<string> {
      return (await store().users.create(newUser())).id;
    }

    async function put(changes: Partial<ApprovalRecord> = {}): Promise<ApprovalRecord> {
      const row = approval(changes);
      expect(await approvals().ask(row, MANY_QUESTIONS)).toBe('asked');
      return row;
    }

    const claim = (): ApprovalChange => ({ state: 'running', run: hash(), running_until: NOW + 45 });

    it('returns a row by its id and by its slot, with every field, to its person only', async () => {
      const full = await put({
        state: 'running',
        covers: 'once',
        caller: `key:${hash()}`,
        caller_name: 'Ünï 😀',
        reason: 'because',
        run: hash(),
        running_until: NOW + 45,
        decided_at: NOW + 1,
        ran_at: NOW + 2,
        ended_at: NOW + 3,
      });
      const bare = await put({ account: null, sealed: null });
      for (const row of [full, bare]) {
        expect(await stored(row)).toStrictEqual(row);
        expect(await approvals().bySlot(row.user_id, row.slot)).toStrictEqual(row);
        expect(await approvals().get(hash(), row.id)).toBeNull();
        expect(await approvals().bySlot(hash(), row.slot)).toBeNull();
      }
    });

    it('names an account anew in the approvals of its integration that have not ended', async () => {
      const user_id = await person();
      const [pending, approved, ended, other, elsewhere] = [
        await put({ user_id, account: 'work', state: 'pending', ended_at: null }),
        await put({ user_id, account: 'work', state: 'approved', ended_at: null }),
        await put({ user_id, account: 'work', state: 'done', ended_at: NOW }),
        await put({ user_id, account: 'home', state: 'pending', ended_at: null }),
        await put({ user_id, account: 'work', integration: 'another', ended_at: null }),
      ];
      const stranger = await put({ account: 'work', ended_at: null });
      await approvals().renameAccount(pending, 'work', 'office');
      for (const row of [pending, approved])
        expect(await stored(row)).toStrictEqual({ ...row, account: 'office' });
      for (const row of [ended, other, elsewhere, stranger]) expect(await stored(row)).toStrictEqual(row);
    });

    it('asks once when 50 callers ask for one slot', async () => {
      for (let round = 0; round < 4; round++) {
        const [user_id, digest] = [await person(), hash()];
        const rows = Array.from({ length: RACERS }, () => approval({ user_id, digest }));
        const answers = await Promise.all(rows.map((row) => approvals().ask(row, MANY_QUESTIONS)));
        expect([count(answers, 'asked'), count(answers, 'taken')]).toEqual([1, RACERS - 1]);
        const winner = rows[answers.indexOf('asked')];
        expect(await approvals().bySlot(user_id, digest)).toStrictEqual(winner);
        expect(await approvals().list({ user_id, limit: 100 })).toHaveLength(1);
      }
    });

    it('lists the newest first, of some states or of all', async () => {
      const user_id = hash();
      const made: ApprovalRecord[] = [];
      for (const [at, state] of (['pending', 'approved', 'done', 'pending'] as const).entries())
        made.push(await put({ user_id, state, created_at: NOW + at }));
      await put();
      const list = async (limit: number, states?: ApprovalRecord['state'][]) =>
        ids(await approvals().list({ user_id, states, limit }));
      expect(await list(10)).toEqual(ids(made).toReversed());
      expect(await list(2)).toEqual(ids(made).toReversed().slice(0, 2));
      expect(await list(10, ['pending'])).toEqual([made[3]?.id, made[0]?.id]);
      expect(await list(10, ['approved', 'done'])).toEqual([made[2]?.id, made[1]?.id]);
      expect(await list(10, ['unknown'])).toEqual([]);
    });

    it('changes only what is named, and only the row that was seen', async () => {
      const [row, other] = [await put(), await put()];
      const change = {
        state: 'approved',
        covers: 'hour',
        decided_at: NOW + 1,
        expires_at: NOW + 99,
      } as const;
      for (const seen of [
        { ...row, state: 'denied' as const },
        { ...row, run: hash() },
        { ...row, expires_at: NOW + 1 },
        { ...row, id: hash() },
      ])
        expect(await approvals().move(seen, change)).toBe(false);
      expect(await stored(row)).toStrictEqual(row);
      expect(await approvals().move(row, change)).toBe(true);
      expect(await stored(row)).toStrictEqual({ ...row, ...change });
      expect(await approvals().move(row, change)).toBe(false);
      expect(await stored(other)).toStrictEqual(other);
    });

    it('lets one of 50 racing decisions win, whether yes or no', async () => {
      for (let round = 0; round < 4; round++) {
        const row = await put();
        const changes = Array.from({ length: RACERS }, (_, at): ApprovalChange =>
          at % 2 === 0
            ? { state: 'approved', covers: 'once', expires_at: NOW + 100 + at }
            : { state: 'denied', reason: `no ${at}`, decided_at: NOW + at },
        );
        const moved = await Promise.all(changes.map((change) => approvals().move(row, change)));
        expect(count(moved, true)).toBe(1);
        expect(await stored(row)).toStrictEqual({ ...row, ...changes[moved.indexOf(true)] });
      }
    });

    it('gives an approved call to one of 50 racing claims', async () => {
      for (let round = 0; round < 4; round++) {
        const row = await put({ state: 'approved', covers: 'once' });
        const changes = Array.from({ length: RACERS }, claim);
        const moved = await Promise.all(changes.map((change) => approvals().move(row, change)));
        expect(count(moved, true)).toBe(1);
        expect(await stored(row)).toStrictEqual({ ...row, ...changes[moved.indexOf(true)] });
      }
    });

    it('lets a claim or the end of the time win, never both', async () => {
      for (let round = 0; round < 10; round++) {
        const row = await put({ state: 'approved' });
        const changes = [claim(), { state: 'expired', slot: row.id } as const, claim()];
        const moved = await Promise.all(changes.map((change) => approvals().move(row, change)));
        expect(count(moved, true)).toBe(1);
      }
    });

    it('frees the slot when the row ends, so that the same call is asked about again', async () => {
      const row = await put();
      expect(await approvals().ask(approval({ ...row, id: hash() }), MANY_QUESTIONS)).toBe('taken');
      await approvals().move(row, { state: 'expired', slot: row.id });
      expect(await approvals().bySlot(row.user_id, row.digest)).toBeNull();
      const next = approval({ user_id: row.user_id, digest: row.digest });
      expect(await approvals().ask(next, MANY_QUESTIONS)).toBe('asked');
      expect(await approvals().bySlot(row.user_id, row.digest)).toStrictEqual(next);
    });

    it('returns the last run of the same call', async () => {
      const { user_id, digest } = approval();
      const end = async (
        state: ApprovalRecord['state'],
        at: number,
        changes: Partial<ApprovalRecord> = {},
      ) => {
        const row = await put({ user_id, digest, slot: hash(), state, ended_at: NOW + at, ...changes });
        return row.id;
      };
      const last = async () => (await approvals().lastEnded(user_id, digest))?.id;
      expect(await approvals().lastEnded(user_id, digest)).toBeNull();
      await end('expired', 9);
      await end('done', 9, { user_id: hash() });
      await end('done', 9, { digest: hash() });
      await put({ user_id, digest });
      expect(await approvals().lastEnded(user_id, digest)).toBeNull();
      const first = await end('unknown', 1);
      expect(await last()).toBe(first);
      const third = await end('failed', 3);
      await end('done', 2);
      expect(await last()).toBe(third);
      const fourth = await end('done', 4);
      expect(await last()).toBe(fourth);
    });

    it('keeps alive the run that has the approval, and no other', async () => {
      const running = { state: 'running', run: hash(), running_until: NOW + 45 } as const;
      const row = await put(running);
      const over = await put({ ...running, run: hash(), state: 'unknown' });
      await approvals().keepRunning(row.id, running.run, NOW + 60);
      expect((await stored(row))?.running_until).toBe(NOW + 60);
      await approvals().keepRunning(row.id, hash(), NOW + 99);
      await approvals().keepRunning(hash(), running.run, NOW + 99);
      expect(await stored(row)).toStrictEqual({ ...row, running_until: NOW + 60 });
      await approvals().keepRunning(over.id, over.run ?? '', NOW + 99);
      expect(await stored(over)).toStrictEqual(over);
    });

    it('lists the rows whose time is over, of all people or of one', async () => {
      const user_id = hash();
      const over = { user_id, expires_at: NOW };
      const due = [
        await put(over),
        await put({ ...over, state: 'approved', expires_at: NOW - 1 }),
        await put({ ...over, state: 'denied', expires_at: NOW - 2 }),
        await put({ user_id, state: 'running', run: hash(), running_until: NOW }),
      ];
      await put({ user_id, expires_at: NOW + 1 });
      await put({ ...over, state: 'running', run: hash(), running_until: NOW + 1 });
      for (const state of ['expired', 'done', 'failed', 'unknown', 'denied'] as const)
        await put({ ...over, state, slot: hash(), ended_at: NOW });
      const other = await put({ expires_at: NOW });
      const mine = await approvals().due(NOW, 100, user_id);
      expect(ids(mine).toSorted()).toEqual(ids(due).toSorted());
      expect(ids(await approvals().due(NOW, 2, user_id))).toEqual([due[2]?.id, due[1]?.id]);
      const everybody = ids(await approvals().due(NOW, 1_000));
      expect(everybody).toEqual(expect.arrayContaining([...ids(due), other.id]));
      expect(await approvals().due(NOW, 2)).toHaveLength(2);
      for (const row of [...due, other]) await approvals().move(row, { state: 'expired', ended_at: NOW });
      expect(await approvals().due(NOW, 100, user_id)).toEqual([]);
    });

    it("ends the person's approvals for an integration that have not run", async () => {
      const user_id = hash();
      const row = (changes: Partial<ApprovalRecord> = {}) => put({ user_id, ...changes });
      const ended = [await row(), await row({ state: 'approved', covers: 'hour' })];
      const kept = [
        await row({ state: 'running', run: hash() }),
        await row({ state: 'denied' }),
        await row({ integration: 'gitlab' }),
        await put(),
      ];
      await approvals().end(user_id, 'github');
      for (const each of ended) {
        const change = { state: 'expired', slot: each.id, sealed: null, expires_at: 0 };
        expect(await stored(each)).toStrictEqual({ ...each, ...change });
      }
      for (const each of kept) expect(await stored(each)).toStrictEqual(each);
      // They are due until somebody has given them their end.
      const due = await approvals().due(NOW, 9, user_id);
      expect(ids(due).toSorted()).toEqual(ids(ended).toSorted());
      const [first] = due;
      if (first === undefined) throw new Error('nothing is due');
      const end = () => approvals().move(first, { expires_at: NOW, ended_at: NOW });
      expect((await Promise.all([end(), end(), end()])).filter(Boolean)).toHaveLength(1);
      expect(await approvals().due(NOW, 9, user_id)).toHaveLength(1);
    });

    it('purges old rows that have ended, and no others', async () => {
      const old = { created_at: 10, ended_at: 20 };
      const row = (changes: Partial<ApprovalRecord> = {}) => put({ ...old, slot: hash(), ...changes });
      const gone = [
        await row({ state: 'expired' }),
        await row({ state: 'done' }),
        await row({ state: 'failed' }),
        await row({ state: 'unknown' }),
        await row({ state: 'denied' }),
      ];
      const kept = [
        await row({ state: 'done', created_at: 11 }),
        await row({ state: 'pending', ended_at: null }),
        await row({ state: 'approved', ended_at: null }),
        await row({ state: 'denied', ended_at: null }),
        await row({ state: 'running', ended_at: null, run: hash() }),
      ];
      expect(await approvals().purge(10)).toBe(false);
      for (const each of gone) expect(await stored(each)).toBeNull();
      for (const each of kept) expect(await stored(each)).toStrictEqual(each);
    });
  });
}
