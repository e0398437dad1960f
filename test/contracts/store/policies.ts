// Tests what `Policies` must do.
import { describe, expect, it } from 'vitest';
import type { ApprovalRecord } from '../../../src/ports/policy.ts';
import { EVERYONE, type Store } from '../../../src/ports/store.ts';
import { approval, grant, hash, MANY_QUESTIONS, NOW, rules } from './records.ts';

export function policiesContract(store: () => Store): void {
  describe('policies', () => {
    const policies = () => store().policies;
    const approvals = () => store().approvals;
    const seen = ({ rules: list, revision }: { rules: string; revision: string }) => ({
      rules: list,
      revision,
    });
    const stateOf = async ({ user_id, id }: ApprovalRecord) => (await approvals().get(user_id, id))?.state;

    /** Rules for everyone hold for the other tests, too. */
    async function forEveryone(work: () => Promise<void>): Promise<void> {
      try {
        await work();
      } finally {
        await policies().putRules(rules({ owner: EVERYONE, rules: '[]' }));
      }
    }

    it('reads the rules of the person, of everyone and of the grant at once', () =>
      forEveryone(async () => {
        const own = rules();
        const everyone = rules({ owner: EVERYONE, rules: '[{"decision":"block"}]' });
        const granted = grant({ user_id: own.owner });
        const nobody = await policies().read(own.owner, granted.client_id);
        expect([nobody.own, nobody.grant]).toEqual([null, null]);
        await policies().putRules(own);
        await policies().putRules(everyone);
        await policies().putGrant(granted);
        const { limits, expires_at, revision } = granted;
        const both = { everyone: seen(everyone), own: seen(own) };
        expect(await policies().read(own.owner, granted.client_id)).toStrictEqual({
          ...both,
          grant: { limits, expires_at, revision },
        });
        expect(await policies().read(own.owner, null)).toStrictEqual({ ...both, grant: null });
        expect(await policies().read(own.owner, hash())).toStrictEqual({ ...both, grant: null });
        expect(await policies().read(hash(), granted.client_id)).toStrictEqual({
          everyone: seen(everyone),
          own: null,
          grant: null,
        });
      }));

    it('replaces the rules of the owner only', async () => {
      const [first, other] = [rules(), rules()];
      for (const each of [first, other]) await policies().putRules(each);
      const next = rules({ owner: first.owner, rules: '[]' });
      await policies().putRules(next);
      expect((await policies().read(first.owner, null)).own).toStrictEqual(seen(next));
      expect((await policies().read(other.owner, null)).own).toStrictEqual(seen(other));
    });

    it("ends the person's approvals that have not run in the step that stores their rules", async () => {
      const user_id = hash();
      const ended = [approval({ user_id }), approval({ user_id, state: 'approved', covers: 'hour' })];
      const kept = [
        approval({ user_id, state: 'running', run: hash(), running_until: NOW + 9 }),
        approval({ user_id, state: 'denied', reason: 'no' }),
        approval({ user_id, state: 'done', ended_at: NOW }),
        approval(),
      ];
      for (const each of [...ended, ...kept]) await approvals().ask(each, MANY_QUESTIONS);
      await policies().putRules(rules({ owner: user_id, updated_at: NOW + 5 }));
      for (const each of ended) {
        const change = { state: 'expired', slot: each.id, sealed: null, expires_at: 0 };
        expect(await approvals().get(user_id, each.id)).toStrictEqual({ ...each, ...change });
      }
      for (const each of kept) expect(await approvals().get(each.user_id, each.id)).toStrictEqual(each);
    });

    it("ends everybody's approvals that have not run when the rules for everyone change", () =>
      forEveryone(async () => {
        const asked = Array.from({ length: 300 }, () => approval());
        for (const each of asked) await approvals().ask(each, MANY_QUESTIONS);
        const running = approval({ state: 'running', run: hash(), running_until: NOW + 9 });
        await approvals().ask(running, MANY_QUESTIONS);
        await policies().putRules(rules({ owner: EVERYONE }));
        const states = await Promise.all(asked.map(stateOf));
        expect(new Set(states)).toEqual(new Set(['expired']));
        expect(await stateOf(running)).toBe('running');
      }));

    it('lets no approved call begin after the rules have changed', async () => {
      for (let round = 0; round < 10; round++) {
        const row = approval({ state: 'approved', covers: 'once' });
        await approvals().ask(row, MANY_QUESTIONS);
        const running = { state: 'running', run: hash(), running_until: NOW + 9 } as const;
        const [, begun] = await Promise.all([
          policies().putRules(rules({ owner: row.user_id })),
          approvals().move(row, running),
        ]);
        expect(await stateOf(row)).toBe(begun ? 'running' : 'expired');
        expect(await approvals().move(row, running)).toBe(false);
      }
    });

    it('survives rules and grants of many people that change at once', async () => {
      const granted = Array.from({ length: 10 }, () => grant());
      const rows = granted.flatMap(({ user_id, client_id }) =>
        Array.from({ length: 5 }, () => approval({ user_id, caller: `client:${client_id}` })),
      );
      await forEveryone(async () => {
        for (const each of rows) await approvals().ask(each, MANY_QUESTIONS);
        await Promise.all([
          ...granted.map((each) => policies().putGrant(each)),
          ...granted.map(({ user_id }) => policies().putRules(rules({ owner: user_id }))),
          ...[1, 2, 3].map(() => policies().putRules(rules({ owner: EVERYONE }))),
        ]);
      });
      expect(new Set(await Promise.all(rows.map(stateOf)))).toEqual(new Set(['expired']));
    });

    describe('grants', () => {
      it("lists the person's grants with every field", async () => {
        const user_id = hash();
        const made = ['a', 'b'].map((name) => grant({ user_id, client_id: `${name} ${hash()}` }));
        const bare = grant({ user_id, client_id: `c ${hash()}`, expires_at: null, last_used_at: null });
        for (const each of [bare, ...made.toReversed()]) await policies().putGrant(each);
        expect(await policies().grants(user_id)).toStrictEqual([...made, bare]);
        expect(await policies().grants(hash())).toEqual([]);
      });

      it('replaces the limits and keeps the last use', async () => {
        const first = grant({ last_used_at: NOW + 50 });
        const { user_id, client_id } = first;
        await policies().putGrant(first);
        const next = grant({ user_id, client_id, limits: '{"access":"write"}', last_used_at: null });
        await policies().putGrant(next);
        expect(await policies().grants(user_id)).toStrictEqual([{ ...next, last_used_at: NOW + 50 }]);
      });

      it('pauses a client with and without limits, lists it, and keeps the pause when limits are stored', async () => {
        const limited = grant({ paused_at: null });
        const bare = { ...grant({ limits: '{}', expires_at: null, paused_at: NOW }), revision: '-' };
        await policies().putGrant(limited);
        await policies().pause({ ...limited, limits: '{}', paused_at: NOW });
        await policies().pause(bare);
        await policies().putGrant({ ...limited, limits: '{"access":"write"}' });
        expect(await policies().grants(limited.user_id)).toStrictEqual([
          { ...limited, limits: '{"access":"write"}', paused_at: NOW },
        ]);
        expect(await policies().grants(bare.user_id)).toStrictEqual([bare]);
        const keyOf = ({ user_id, client_id }: typeof bare) => ({ user_id, client_id });
        expect(await policies().paused()).toEqual(expect.arrayContaining([keyOf(limited), keyOf(bare)]));
        await policies().pause({ ...limited, paused_at: null });
        expect(await policies().paused()).not.toContainEqual(keyOf(limited));
      });

      it('ends the approvals of this client that have not run', async () => {
        const granted = grant({ updated_at: NOW + 5 });
        const { user_id, client_id } = granted;
        const [ended, running, other, stranger] = [
          approval({ user_id, caller: `client:${client_id}`, state: 'approved' }),
          approval({ user_id, caller: `client:${client_id}`, state: 'running', run: hash() }),
          approval({ user_id, caller: `client:${hash()}` }),
          approval({ caller: `client:${client_id}` }),
        ];
        for (const each of [ended, running, other, stranger]) await approvals().ask(each, MANY_QUESTIONS);
        await policies().putGrant(granted);
        expect(await Promise.all([ended, running, other, stranger].map(stateOf))).toEqual([
          'expired',
          'running',
          'pending',
          'pending',
        ]);
        expect(await stateOf(ended)).toBe('expired');
      });

      it('notes the latest use, also when uses arrive out of order, and changes nothing else', async () => {
        const made = grant({ last_used_at: null });
        await policies().putGrant(made);
        const use = (at: number) =>
          policies().noteUse({ ...made, limits: '{}', revision: hash(), last_used_at: NOW + at });
        const asked = approval({ user_id: made.user_id, caller: `client:${made.client_id}` });
        await approvals().ask(asked, MANY_QUESTIONS);
        await use(7);
        await use(3);
        await Promise.all([5, 9, 1, 8].map(use));
        expect(await policies().grants(made.user_id)).toStrictEqual([{ ...made, last_used_at: NOW + 9 }]);
        expect(await stateOf(asked)).toBe('pending');
      });

      it('makes a row for the first use of a client', async () => {
        const used = grant({ limits: '{}', expires_at: null });
        const { user_id, client_id, limits, expires_at, revision } = used;
        await Promise.all([1, 2, 3].map(() => policies().noteUse(used)));
        expect(await policies().grants(user_id)).toStrictEqual([used]);
        const { grant: read } = await policies().read(user_id, client_id);
        expect(read).toStrictEqual({ limits, expires_at, revision });
      });
    });
  });
}
