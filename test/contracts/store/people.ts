// Tests what `People` must do.
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { NewEnding } from '../../../src/ports/people.ts';
import { OWNER_EMAIL, type User } from '../../../src/ports/records.ts';
import type { StoreOptions } from '../../../drivers/sql/store.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { OpenAny } from '../store-contract.ts';
import {
  agentKey,
  approval,
  code,
  connection,
  entry,
  flow,
  hash,
  MANY_QUESTIONS,
  newUser,
  NOW,
  putToken,
  subject,
  token,
} from './records.ts';

const sha = (id: string): string => createHash('sha256').update(id).digest('hex');
const endingOf = (id: string, before = NOW): NewEnding => ({
  person: sha(id),
  before,
  expires_at: before + 100,
});

async function keyOf(store: Pick<Store, 'users'>, id: string): Promise<string> {
  const api_key_sha = hash();
  await store.users.setKey(id, { api_key_hash: hash(), api_key_sha, api_key_ciphertext: hash() });
  return api_key_sha;
}

/** A person with a key, a named key, a client, a code and an open approval. */
async function equipped(store: Store) {
  const { id } = await store.users.create(newUser());
  const keySha = await keyOf(store, id);
  const agent = agentKey({ user_id: id });
  await store.agentKeys.add(agent, 5);
  const [tokened, coded, asked] = [
    token({ user_id: id }),
    code({ user_id: id }),
    approval({ user_id: id, state: 'pending', ended_at: null }),
  ];
  await putToken(store, tokened);
  await store.codes.put(coded);
  await store.approvals.ask(asked, MANY_QUESTIONS);
  const holds = async () => ({
    key: (await store.users.byKeySha(keySha)) !== null,
    agentKey: (await store.agentKeys.bySha(agent.key_sha)) !== null,
    tokens: (await store.refreshTokens.list(id, NOW)).length,
    open: (await store.approvals.get(id, asked.id))?.state === 'pending',
  });
  return { id, holds, coded };
}

const EVERYTHING = { key: true, agentKey: true, tokens: 1, open: true };
const NOTHING = { key: false, agentKey: false, tokens: 0, open: false };

export function peopleContract(store: () => Store): void {
  describe('people', () => {
    const people = () => store().people;
    // The first person would be the owner.
    beforeAll(async () => {
      await store().users.create(newUser());
    });

    it('notes since when the groups refuse a person, and that they let the person in', async () => {
      const { id } = await store().users.create(newUser());
      for (const since of [NOW, null]) {
        await people().noteOutside(id, since);
        expect(await store().users.byId(id)).toMatchObject({ id, outside_since: since });
      }
    });

    it('summarizes a person with everything that counts', async () => {
      const { id } = await equipped(store());
      await store().connections.put(connection({ user_id: id, integration: 'github' }));
      await store().connections.put(connection({ user_id: id, integration: 'slack' }));
      await store().audit.append([entry({ user_id: id }), entry({ user_id: id, created_at: NOW + 5 })]);
      expect(await people().noteSignIn(id, NOW + 7)).toBe(true);
      expect(await people().get(id, NOW)).toMatchObject({
        id,
        is_admin: false,
        is_owner: false,
        has_key: true,
        connections: 2,
        agents: 1,
        keys: 1,
        called_at: NOW + 5,
        signed_in_at: NOW + 7,
        disabled_at: null,
      });
      expect(await people().get(hash(), NOW)).toBeNull();
    });

    it('lists people by e-mail address in pages, also those that contain a text', async () => {
      const mark = hash();
      const emails = ['c', 'a', 'b'].map((letter) => `${letter}.100%_${mark}@example.com`);
      for (const email of emails) await store().users.create(newUser({ email }));
      const list = async (query: { contains: string; after?: string; limit: number }) =>
        (await people().page(query, NOW)).map(({ email }) => email.charAt(0));
      expect(await list({ contains: mark, limit: 10 })).toEqual(['a', 'b', 'c']);
      expect(await list({ contains: `%_${mark}`, limit: 2 })).toEqual(['a', 'b']);
      expect(await list({ contains: mark, after: emails[2] ?? '', limit: 10 })).toEqual(['c']);
      expect(await list({ contains: `_%${mark}`, limit: 10 })).toEqual([]);
    });

    it('invites an address once, and marks a person who came before', async () => {
      const person = { id: hash(), email: `${hash()}@example.com`, created_at: NOW };
      const invited = await people().invite(person);
      expect(invited).toMatchObject({ ...person, invited_at: NOW, signed_in_at: null });
      const again = await people().invite({ ...person, id: hash(), created_at: NOW + 9 });
      expect(again).toStrictEqual(invited);
      const known = await store().users.create(newUser());
      const marked = await people().invite({ id: hash(), email: known.email, created_at: NOW + 9 });
      expect(marked).toStrictEqual({ ...known, invited_at: NOW + 9 });
    });

    it('ends everything that a disabled person holds, and nothing of others', async () => {
      const [gone, other] = [await equipped(store()), await equipped(store())];
      const states = [gone.id, other.id].map((user_id) => flow({ user_id, expires_at: NOW + 60 }));
      for (const each of states) await store().flows.put(each);
      expect(await gone.holds()).toEqual(EVERYTHING);
      expect(await people().disable(gone.id, endingOf(gone.id))).toBe('done');
      expect(await gone.holds()).toEqual(NOTHING);
      expect(
        await store().codes.take(gone.coded.code, { family: hash(), created_at: NOW, expires_at: NOW }),
      ).toBeNull();
      const taken = await Promise.all(states.map(({ state }) => store().flows.take(state)));
      expect(taken.map((each) => each?.user_id)).toEqual([undefined, other.id]);
      expect(await other.holds()).toEqual(EVERYTHING);
      expect(await people().endings(NOW)).toContainEqual({ person: sha(gone.id), before: NOW });
      expect(await people().endings(NOW + 100)).not.toContainEqual(
        expect.objectContaining({ person: sha(gone.id) }),
      );
    });

    it('lets a disabled person hold nothing new until they are enabled', async () => {
      const { id } = await equipped(store());
      await people().disable(id, endingOf(id));
      expect(await store().users.byKeySha(await keyOf(store(), id))).toBeNull();
      expect(await store().agentKeys.add(agentKey({ user_id: id }), 5)).toBe(false);
      expect(await people().noteSignIn(id, NOW)).toBe(false);
      expect(await people().enable(id)).toBe(true);
      expect((await people().get(id, NOW))?.disabled_at).toBeNull();
      expect(await store().users.byKeySha(await keyOf(store(), id))).toMatchObject({ id });
      expect(await people().enable(hash())).toBe(false);
    });

    it('keeps the time of the first disabling, and the newest ending', async () => {
      const { id } = await equipped(store());
      await people().disable(id, endingOf(id));
      expect(await people().disable(id, endingOf(id, NOW + 5))).toBe('done');
      expect((await people().get(id, NOW))?.disabled_at).toBe(NOW);
      expect(await people().endings(NOW)).toContainEqual({ person: sha(id), before: NOW + 5 });
    });

    it('signs a person out without disabling them', async () => {
      const { id, holds } = await equipped(store());
      expect(await people().signOut(id, endingOf(id))).toBe('done');
      expect(await holds()).toEqual(NOTHING);
      expect(await store().users.byKeySha(await keyOf(store(), id))).toMatchObject({ id });
      expect(await people().signOut(hash(), endingOf(hash()))).toBe('gone');
    });

    it('says that an unknown person is gone', async () => {
      expect(await people().setRole(hash(), 'owner')).toBe('gone');
      expect(await people().disable(hash(), endingOf(hash()))).toBe('gone');
    });

    it('stores every role', async () => {
      const { id } = await store().users.create(newUser());
      for (const [role, is_admin, is_owner] of [
        ['administrator', true, false],
        ['owner', true, true],
      ] as const) {
        expect(await people().setRole(id, role)).toBe('done');
        expect(await store().users.byId(id)).toMatchObject({ is_admin, is_owner });
      }
    });
  });
}

export function ownersContract(open: OpenAny): void {
  describe('owners', () => {
    async function opened<T>(work: (store: Store) => Promise<T>, options?: StoreOptions): Promise<T> {
      const { store, close } = await open(options);
      try {
        return await work(store);
      } finally {
        await close();
      }
    }
    const owners = (people: readonly User[]) => people.filter((user) => user.is_owner && user.is_admin);

    it('makes exactly one of 20 racing first people the owner', () =>
      opened(async ({ users, people }) => {
        expect(await people.hasAdministrator()).toBe(false);
        const made = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            at % 2 === 0 ? users.create(newUser()) : users.create(newUser(), subject('idp')),
          ),
        );
        const stored = await Promise.all(made.map(({ id }) => users.byId(id)));
        expect(owners(stored.filter((user) => user !== null))).toHaveLength(1);
        expect(await people.hasAdministrator()).toBe(true);
      }));

    it('makes nobody the owner whose address is not verified, until it is', () =>
      opened(async ({ users }) => {
        const early = newUser();
        expect(await users.create({ ...early, unverified_since: NOW })).toMatchObject({ is_owner: false });
        expect(await users.confirmEmail(early.id)).toBe(true);
        expect(await users.byId(early.id)).toMatchObject({ is_owner: true, is_admin: true });
        expect(await users.create(newUser())).toMatchObject({ is_owner: false, is_admin: false });
      }));

    it.each([
      ['makes the second person a member without a sign-in provider', false],
      ['makes the second person an owner where a sign-in provider is enabled', true],
    ])('lets owner@localhost need no row of an owner, and %s', (_, hasSignInProvider) =>
      opened(
        async ({ users }) => {
          expect(await users.create(newUser({ email: OWNER_EMAIL }))).toMatchObject({ is_owner: false });
          const second = await users.create(newUser());
          expect(second).toMatchObject({ is_owner: hasSignInProvider, is_admin: hasSignInProvider });
          expect(await users.create(newUser())).toMatchObject({ is_owner: false, is_admin: false });
        },
        { hasSignInProvider },
      ),
    );

    it('keeps the last owner, whatever is asked at once', () =>
      opened(async (store) => {
        const { users, people } = store;
        const [one, two] = [await users.create(newUser()), await users.create(newUser())];
        expect(await people.setRole(one.id, 'member')).toBe('last-owner');
        expect(await people.disable(one.id, endingOf(one.id))).toBe('last-owner');
        expect(await people.endings(NOW)).toEqual([]);
        const key = await keyOf(store, one.id);
        expect(await people.disable(one.id, endingOf(one.id))).toBe('last-owner');
        expect(await users.byKeySha(key)).toMatchObject({ id: one.id });
        for (let round = 0; round < 10; round++) {
          for (const { id } of [one, two]) {
            await people.enable(id);
            await people.setRole(id, 'owner');
          }
          const asked = await Promise.all([
            people.disable(one.id, endingOf(one.id)),
            people.setRole(two.id, 'member'),
            people.disable(two.id, endingOf(two.id)),
          ]);
          expect(asked).toContain('last-owner');
          const left = [await users.byId(one.id), await users.byId(two.id)];
          expect(left.filter((user) => user?.is_owner === true && user.disabled_at === null)).toHaveLength(1);
        }
      }));
  });
}
