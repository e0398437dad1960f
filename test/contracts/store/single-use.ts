// Tests what `Flows`, `OAuthClients` and `AuthorizationCodes` must do.
import { describe, expect, it } from 'vitest';
import type { Flow } from '../../../src/ports/records.ts';
import type { Store } from '../../../src/ports/store.ts';
import { begun, client, code, flow, grant, hash, newUser, NOW, putToken, token } from './records.ts';

export function singleUseContract(store: () => Store): void {
  describe('flows', () => {
    it('returns a flow once, with every field', async () => {
      const full = flow();
      const empty = flow({ user_id: null, session_data: null, code_verifier: null, config: null });
      for (const put of [full, empty]) {
        await store().flows.put(put);
        expect(await store().flows.take(put.state)).toStrictEqual(put);
        expect(await store().flows.take(put.state)).toBeNull();
      }
    });

    it('replaces the flow when a state is put again', async () => {
      const { state } = flow();
      await store().flows.put(flow({ state }));
      const second = flow({ state, integration: 'slack' });
      await store().flows.put(second);
      expect(await store().flows.take(state)).toStrictEqual(second);
    });

    const kept = async (flows: readonly Flow[]) => {
      const taken = await Promise.all(flows.map(({ state }) => store().flows.take(state)));
      return taken.map((one) => one !== null);
    };
    const stored = async () => {
      const user = newUser();
      await store().users.create(user);
      return user.id;
    };

    it('keeps the newest flows of a person and kind, also of one second and of several integrations', async () => {
      const [user_id, other] = [await stored(), await stored()];
      const begun = Array.from({ length: 5 }, (_, at) => flow({ user_id, integration: `kind-${at}` }));
      const [unbound, ofOther, ofKind] = [flow({ user_id }), flow({ user_id: other }), flow({ user_id })];
      await store().flows.put(unbound);
      await store().flows.put(ofOther, { kind: 'connect', most: 3 });
      await store().flows.put(ofKind, { kind: 'upload', most: 3 });
      for (const each of begun) await store().flows.put(each, { kind: 'connect', most: 3 });
      expect(await kept(begun)).toEqual([false, false, true, true, true]);
      expect(await kept([unbound, ofOther, ofKind])).toEqual([true, true, true]);
    });

    it('makes room where a flow was taken, and counts one that is put again once', async () => {
      const user_id = await stored();
      const put = async () => {
        const made = flow({ user_id });
        await store().flows.put(made, { kind: 'connect', most: 3 });
        return made;
      };
      const [first, second] = [await put(), await put()];
      expect(await store().flows.take(second.state)).toStrictEqual(second);
      const [third, fourth] = [await put(), await put()];
      await store().flows.put(first, { kind: 'connect', most: 3 });
      const fifth = await put();
      expect(await kept([first, third, fourth, fifth])).toEqual([true, false, true, true]);
    });

    it('keeps exactly the allowed number when 40 are put at once, and gives each to one taker', async () => {
      const user_id = await stored();
      const begun = Array.from({ length: 40 }, () => flow({ user_id }));
      await Promise.all(begun.map((each) => store().flows.put(each, { kind: 'connect', most: 7 })));
      const takes = begun.flatMap(({ state }) => [store().flows.take(state), store().flows.take(state)]);
      expect((await Promise.all(takes)).filter((one) => one !== null)).toHaveLength(7);
    });

    it('drops the flows of pending connections, of this person alone', async () => {
      const user_id = await stored();
      const [gone, left, ofOther] = [flow({ user_id }), flow({ user_id }), flow()];
      const bound = { kind: 'connect', most: 9 } as const;
      await store().flows.put(gone, { ...bound, connectionId: 'c-1' });
      await store().flows.put(left, { ...bound, connectionId: 'c-2' });
      await store().flows.put(ofOther, { ...bound, connectionId: 'c-1' });
      await store().flows.drop(user_id, []);
      await store().flows.drop(user_id, ['c-1', 'c-3']);
      expect(await kept([gone, left, ofOther])).toEqual([false, true, true]);
    });

    it('gives the flow to one of 50 racing takes', async () => {
      for (let round = 0; round < 4; round++) {
        const put = flow();
        await store().flows.put(put);
        const taken = await Promise.all(Array.from({ length: 50 }, () => store().flows.take(put.state)));
        expect(taken.filter((one) => one !== null)).toStrictEqual([put]);
      }
    });
  });

  describe('clients', () => {
    it('returns a stored client, and null for an unknown id', async () => {
      for (const put of [client(), client({ client_name: null, redirect_uris: [] })]) {
        await store().clients.put(put);
        expect(await store().clients.get(put.client_id)).toStrictEqual(put);
      }
      expect(await store().clients.get(hash())).toBeNull();
    });

    it('replaces the client on a second put', async () => {
      const first = client();
      await store().clients.put(first);
      await store().clients.put({ ...first, redirect_uris: ['https://example.com/'] });
      expect((await store().clients.get(first.client_id))?.redirect_uris).toStrictEqual([
        'https://example.com/',
      ]);
    });

    it('deletes a client with its codes, tokens and used tokens, and no others', async () => {
      const [gone, kept] = [client(), client()];
      const codes = [code({ client_id: gone.client_id }), code({ client_id: kept.client_id })] as const;
      const tokens = [token({ client_id: gone.client_id }), token({ client_id: kept.client_id })] as const;
      for (const put of [gone, kept]) await store().clients.put(put);
      for (const put of codes) await store().codes.put(put);
      for (const put of tokens) await putToken(store(), put);
      const used = token({ client_id: gone.client_id });
      await putToken(store(), used);
      const { token_hash: presented, family } = used;
      const again = { presented, family, client_id: gone.client_id, now: 0, expires_at: 10 };
      await store().refreshTokens.rotate({ ...again, next: hash() });

      await store().clients.delete(gone.client_id);
      expect(await store().clients.get(gone.client_id)).toBeNull();
      expect(await store().codes.take(codes[0].code, begun())).toBeNull();
      expect(await store().refreshTokens.list(tokens[0].user_id, 0)).toStrictEqual([]);
      expect(await store().refreshTokens.rotate({ ...again, next: hash() })).toStrictEqual({
        outcome: 'unknown',
      });
      expect(await store().clients.get(kept.client_id)).toStrictEqual(kept);
      expect(await store().codes.take(codes[1].code, begun())).toStrictEqual(codes[1]);
      expect(await store().refreshTokens.list(tokens[1].user_id, 0)).toStrictEqual([tokens[1]]);
    });
  });

  describe('unused clients', () => {
    const DAY = 86_400;
    const purgeAt = (now: number) => store().clients.purge({ idle: now - 90 * DAY, unused: now - DAY }, now);
    const has = async (id: string) => (await store().clients.get(id)) !== null;

    it('purges a client a day after its registration, or 90 days after its last use', async () => {
      const [unused, used, asked, allowed] = [client(), client(), client(), client()];
      for (const put of [unused, used, asked, allowed]) await store().clients.register(put, 1);
      await putToken(store(), token({ client_id: used.client_id, expires_at: NOW + 30 * DAY }));
      await store().codes.put(code({ client_id: asked.client_id, expires_at: NOW + 2 * DAY }));
      await store().clients.use(allowed.client_id, NOW);
      await purgeAt(NOW + DAY - 1);
      expect(await has(unused.client_id)).toBe(true);
      await purgeAt(NOW + DAY);
      expect(await has(unused.client_id)).toBe(false);
      expect(await has(asked.client_id)).toBe(true);
      await purgeAt(NOW + 29 * DAY);
      // The token has just expired, so it does not count as a use.
      await purgeAt(NOW + 30 * DAY);
      await purgeAt(NOW + 90 * DAY - 1);
      expect(await has(allowed.client_id)).toBe(true);
      await purgeAt(NOW + 90 * DAY);
      expect(await has(allowed.client_id)).toBe(false);
      await purgeAt(NOW + 119 * DAY - 1);
      expect(await has(used.client_id)).toBe(true);
      await purgeAt(NOW + 119 * DAY);
      expect(await has(used.client_id)).toBe(false);
    });

    it('purges the grants of clients that are gone, but not of those that can come back', async () => {
      const old = { updated_at: NOW - 2 * DAY, last_used_at: NOW - 2 * DAY };
      const kept = client();
      await store().clients.put({ ...kept, created_at: NOW });
      const user_id = hash();
      const put = async (client_id: string, changes: object = {}) => {
        const made = grant({ user_id, client_id, ...old, ...changes });
        await store().policies.putGrant(made);
        return made.client_id;
      };
      await put(hash());
      await put(hash(), { last_used_at: null });
      const left = [
        await put(kept.client_id),
        await put(`https://agent.example/${hash()}`),
        await put(hash(), { updated_at: NOW }),
        await put(hash(), { last_used_at: NOW }),
      ];
      await purgeAt(NOW);
      const grants = await store().policies.grants(user_id);
      expect(grants.map(({ client_id }) => client_id)).toEqual(left.toSorted());
    });

    it('trims all never-used clients but the last ones, and no others', async () => {
      const put = client();
      await store().clients.put(put);
      const made = Array.from({ length: 6 }, () => client());
      for (const [at, each] of made.entries()) await store().clients.register(each, 1_000_000 + at);
      await store().clients.use(made[1]?.client_id ?? '', NOW);
      const kept = () => Promise.all(made.map(({ client_id }) => has(client_id)));
      await store().clients.trim(5);
      expect(await kept()).toEqual([true, true, true, true, true, true]);
      await store().clients.trim(3);
      expect(await kept()).toEqual([false, true, false, true, true, true]);
      expect(await has(put.client_id)).toBe(true);
    });
  });

  describe('codes', () => {
    it('returns a code once, with every field', async () => {
      const put = code();
      await store().codes.put(put);
      expect(await store().codes.take(put.code, begun())).toStrictEqual(put);
      expect(await store().codes.take(put.code, begun())).toBeNull();
    });

    it('gives the code to one of 50 racing takes', async () => {
      const put = code();
      await store().codes.put(put);
      const taken = await Promise.all(
        Array.from({ length: 50 }, () => store().codes.take(put.code, begun())),
      );
      expect(taken.filter((one) => one !== null)).toStrictEqual([put]);
    });
  });
}
