// Tests what `RefreshTokens` must do.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AgentGrant } from '../../../src/ports/policy.ts';
import type { RefreshToken } from '../../../src/ports/records.ts';
import type { BegunFamily, Rotation, Store } from '../../../src/ports/store.ts';
import { begun, code, grant, hash, newUser, NOW, putToken, token } from './records.ts';

const rotation = (of: RefreshToken, changes: Partial<Rotation> = {}): Rotation => ({
  presented: of.token_hash,
  next: hash(),
  family: of.family,
  client_id: of.client_id,
  now: NOW,
  expires_at: NOW + 2000,
  ...changes,
});

export function refreshTokensContract(store: () => Store): void {
  const put = async (changes: Partial<RefreshToken> = {}) => {
    const made = token(changes);
    await putToken(store(), made);
    return made;
  };
  const live = ({ user_id }: RefreshToken) => store().refreshTokens.list(user_id, NOW);

  describe('the family that a code begins', () => {
    const putCode = async () => {
      const granted = code();
      await store().codes.put(granted);
      return granted;
    };

    it('has the person, client and scope of the code, and no token until one is stored', async () => {
      const { code: presented, ...of } = await putCode();
      const made = token({ user_id: of.user_id, client_id: of.client_id, scope: of.scope });
      expect(await store().codes.take(presented, made)).toStrictEqual({ ...of, code: presented });
      expect(await live(made)).toStrictEqual([]);
      await store().refreshTokens.start(made);
      expect(await live(made)).toStrictEqual([made]);
      expect(await store().refreshTokens.rotate(rotation(made))).toMatchObject({ outcome: 'rotated' });
    });

    it('is not begun by a code that is not there', async () => {
      const made = token();
      await store().codes.take(code().code, made);
      await store().refreshTokens.start(made);
      expect(await live(made)).toStrictEqual([]);
    });

    it('ends unless its first token is stored in time', async () => {
      const { code: presented, user_id } = await putCode();
      const { family } = await take(presented, begun({ expires_at: NOW + 60 }));
      await store().sweep(NOW + 60);
      const made = token({ family, user_id });
      await store().refreshTokens.start(made);
      expect(await live(made)).toStrictEqual([]);
    });

    it.each(['family', 'client'] as const)(
      'gets no live token after its %s has been revoked',
      async (what) => {
        const { code: presented, user_id, client_id } = await putCode();
        const { family } = await take(presented, begun());
        if (what === 'family') await store().refreshTokens.revokeFamily(family);
        else await store().refreshTokens.revokeClient(user_id, client_id, NOW);
        const made = token({ family, user_id });
        await store().refreshTokens.start(made);
        expect(await live(made)).toStrictEqual([]);
      },
    );

    it('has no live token after two of many presented the code at once and one revoked', async () => {
      for (let round = 0; round < 10; round++) {
        const { code: presented, user_id } = await putCode();
        const { family, ...times } = begun();
        const made = token({ family, user_id });
        const present = async () => {
          const taken = await store().codes.take(presented, { family, ...times });
          await (taken === null
            ? store().refreshTokens.revokeFamily(family)
            : store().refreshTokens.start(made));
          return taken !== null;
        };
        const won = await Promise.all(Array.from({ length: 8 }, present));
        expect(won.filter(Boolean)).toHaveLength(1);
        expect(await live(made)).toStrictEqual([]);
      }
    });

    async function take(presented: string, start: BegunFamily): Promise<BegunFamily> {
      expect(await store().codes.take(presented, start)).not.toBeNull();
      return start;
    }
  });

  describe('refresh token rotation', () => {
    it('rotates a live token and changes only its hash and expiry', async () => {
      const { id } = await store().users.create(newUser());
      const first = await put({ user_id: id });
      const asked = rotation(first);
      const next = { ...first, token_hash: asked.next, expires_at: asked.expires_at };
      expect(await store().refreshTokens.rotate(asked)).toStrictEqual({
        outcome: 'rotated',
        token: next,
        hasUser: true,
      });
      expect(await live(first)).toStrictEqual([next]);
    });

    it('reports that the user of a rotated token no longer exists', async () => {
      expect(await store().refreshTokens.rotate(rotation(await put()))).toMatchObject({
        outcome: 'rotated',
        hasUser: false,
      });
    });

    it('reports a rotated token as reused and keeps its successor', async () => {
      const first = await put();
      const asked = rotation(first);
      await store().refreshTokens.rotate(asked);
      const reused = { outcome: 'reused', family: first.family, rotated_at: NOW };
      expect(await store().refreshTokens.rotate(rotation(first, { now: NOW + 5 }))).toStrictEqual(reused);
      expect(await store().refreshTokens.rotate(rotation(first, { client_id: 'other' }))).toStrictEqual(
        reused,
      );
      expect(await live(first)).toHaveLength(1);
    });

    it('reports every earlier token as reused, with a time that is never too recent', async () => {
      const first = await put();
      const rotated = [first];
      for (const at of [10, 30, 70]) {
        const last = rotated.at(-1) ?? first;
        const asked = rotation(last, { now: NOW + at });
        await store().refreshTokens.rotate(asked);
        rotated.push({ ...last, token_hash: asked.next });
      }
      const since = await Promise.all(
        rotated.slice(0, 3).map((used) => store().refreshTokens.rotate(rotation(used))),
      );
      expect(since).toStrictEqual(
        [first.created_at, NOW + 30, NOW + 70].map((rotated_at) => ({
          outcome: 'reused',
          family: first.family,
          rotated_at,
        })),
      );
      const live = await store().refreshTokens.rotate(rotation(rotated[3] ?? first));
      expect(live.outcome).toBe('rotated');
    });

    it('reports an invented token as unknown, also in an existing family', async () => {
      const first = await put();
      const never = { ...token(), family: first.family };
      expect(await store().refreshTokens.rotate(rotation(never))).toStrictEqual({ outcome: 'unknown' });
      await store().refreshTokens.rotate(rotation(first));
      expect(await store().refreshTokens.rotate(rotation(never))).toStrictEqual({ outcome: 'unknown' });
      expect(await live(first)).toHaveLength(1);
    });

    it('gives a token without a known family the presented family at its first rotation', async () => {
      const old = await put();
      const first = rotation(old, { family: hash() });
      const { family } = first;
      expect(await store().refreshTokens.rotate(first)).toMatchObject({
        outcome: 'rotated',
        token: { family },
      });
      expect(await store().refreshTokens.rotate(rotation(old, { family }))).toMatchObject({
        outcome: 'reused',
        family,
      });
      await store().refreshTokens.revokeFamily(family);
      expect(await live(old)).toStrictEqual([]);
    });

    it('burns a token that another client presents', async () => {
      const first = await put();
      const burned = await store().refreshTokens.rotate(rotation(first, { client_id: 'other' }));
      expect(burned).toStrictEqual({ outcome: 'burned' });
      expect(await live(first)).toStrictEqual([]);
      expect(await store().refreshTokens.rotate(rotation(first))).toStrictEqual({ outcome: 'unknown' });
    });

    it('burns a token that has expired', async () => {
      const first = await put({ expires_at: NOW });
      expect(await store().refreshTokens.rotate(rotation(first))).toStrictEqual({ outcome: 'burned' });
      expect(await store().refreshTokens.rotate(rotation(first))).toStrictEqual({ outcome: 'unknown' });
    });

    it('reports a token of an unknown family as unknown', async () => {
      expect(await store().refreshTokens.rotate(rotation(token()))).toStrictEqual({ outcome: 'unknown' });
    });

    it('lets one of 50 racing rotations win, reports the others as reused, and keeps one live token', async () => {
      for (let round = 0; round < 4; round++) {
        const first = await put();
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => store().refreshTokens.rotate(rotation(first))),
        );
        const winners = answers.filter((answer) => answer.outcome === 'rotated');
        expect(winners).toHaveLength(1);
        expect(answers.filter(({ outcome }) => outcome === 'reused')).toHaveLength(49);
        expect(await live(first)).toStrictEqual(winners.map((winner) => winner.token));
      }
    });

    it('lets one win when the owner and another client race, and keeps no burned token alive', async () => {
      for (let round = 0; round < 10; round++) {
        const first = await put();
        const [rightful, foreign] = await Promise.all([
          store().refreshTokens.rotate(rotation(first)),
          store().refreshTokens.rotate(rotation(first, { client_id: 'other' })),
        ]);
        const burned = foreign.outcome === 'burned';
        expect(rightful.outcome).toBe(burned ? 'unknown' : 'rotated');
        expect(await live(first)).toHaveLength(burned ? 0 : 1);
      }
    });
  });

  describe('refresh token revocation', () => {
    it("lists the user's live tokens, oldest first", async () => {
      const { user_id } = token();
      const younger = await put({ user_id, created_at: NOW });
      const older = await put({ user_id });
      await put({ user_id, expires_at: NOW });
      await put();
      expect(await live(older)).toStrictEqual([older, younger]);
    });

    it('revokes a whole family and no other token', async () => {
      const first = await put();
      const sibling = await put({ user_id: first.user_id, family: first.family });
      const other = await put({ user_id: first.user_id });
      await store().refreshTokens.revokeFamily(first.family);
      expect(await live(sibling)).toStrictEqual([other]);
    });

    it("counts the tokens that it revokes for a client, and deletes the client's codes", async () => {
      const first = await put();
      const { user_id, client_id } = first;
      await put({ user_id, client_id });
      const others = [await put({ user_id, created_at: NOW }), await put({ client_id })];
      const [taken, kept] = [code({ user_id, client_id }), code({ user_id })];
      for (const made of [taken, kept]) await store().codes.put(made);
      expect(await store().refreshTokens.revokeClient(user_id, client_id, NOW)).toBe(2);
      expect(await store().refreshTokens.revokeClient(user_id, client_id, NOW)).toBe(0);
      for (const other of others) expect(await live(other)).toStrictEqual([other]);
      expect(await store().codes.take(taken.code, begun())).toBeNull();
      expect(await store().codes.take(kept.code, begun())).toStrictEqual(kept);
    });

    it('ends the limits of a client that it revokes, and forgets a client without limits', async () => {
      const { policies, refreshTokens } = store();
      const user_id = randomUUID();
      const put = (client_id: string, changes: Partial<AgentGrant>) =>
        policies.putGrant(grant({ user_id, client_id, ...changes }));
      await put('kept', {});
      await put('limited', {});
      await put('timed', { limits: '{}' });
      await put('used', { limits: '{}', expires_at: null });
      const revoked = ['limited', 'timed', 'used', 'unknown', 'limited'];
      for (const client of revoked) await refreshTokens.revokeClient(user_id, client, NOW);
      const ended = { limits: '{}', expires_at: NOW, updated_at: NOW };
      expect(await policies.grants(user_id)).toMatchObject([
        { client_id: 'kept', limits: '{"access":"read"}' },
        { client_id: 'limited', ...ended },
        { client_id: 'timed', ...ended },
      ]);
    });

    it.each(['client', 'family'] as const)(
      'leaves no live token when a %s is revoked during rotations',
      async (what) => {
        for (let round = 0; round < 10; round++) {
          const first = await put();
          const rotate = () => store().refreshTokens.rotate(rotation(first));
          const revoke = () =>
            what === 'client'
              ? store().refreshTokens.revokeClient(first.user_id, first.client_id, NOW)
              : store().refreshTokens.revokeFamily(first.family);
          await Promise.all([rotate(), rotate(), revoke(), rotate(), rotate()]);
          expect(await live(first)).toStrictEqual([]);
        }
      },
    );
  });
}
