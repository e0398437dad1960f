// What `Users` promises.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { hash, newUser, NOW } from './records.ts';

const NO_KEY = { api_key_hash: null, api_key_sha: null, api_key_ciphertext: null };

export function usersContract(store: () => Store): void {
  describe('users', () => {
    it('a new user has no key, no subject and is no admin', async () => {
      const user = newUser();
      const expected = { ...user, ...NO_KEY, hosted_sub: null, idp_sub: null, is_admin: false };
      expect(await store().users.create(user)).toStrictEqual(expected);
      expect(await store().users.byId(user.id)).toStrictEqual(expected);
      expect(await store().users.byEmail(user.email)).toStrictEqual(expected);
    });

    it('creating an e-mail again answers the row that was there first', async () => {
      const first = await store().users.create(newUser());
      expect(await store().users.create(newUser({ email: first.email, hosted_sub: hash() }))).toStrictEqual(
        first,
      );
    });

    it('50 parallel creations of one e-mail all answer the same row', async () => {
      const { email } = newUser();
      const created = await Promise.all(
        Array.from({ length: 50 }, () => store().users.create(newUser({ email }))),
      );
      expect(new Set(created.map((user) => user.id)).size).toBe(1);
    });

    it('an unknown id, e-mail, subject or key is null', async () => {
      expect(await store().users.byId(hash())).toBeNull();
      expect(await store().users.byEmail(hash())).toBeNull();
      expect(await store().users.bySubject('hosted', hash())).toBeNull();
      expect(await store().users.bySubject('idp', hash())).toBeNull();
      expect(await store().users.byKeySha(hash())).toBeNull();
    });

    it('a user is found by the subject of its provider, not by the other one', async () => {
      const subject = hash();
      const user = await store().users.create(newUser({ hosted_sub: subject }));
      expect(await store().users.bySubject('hosted', subject)).toStrictEqual(user);
      expect(await store().users.bySubject('idp', subject)).toBeNull();
    });

    it.each(['hosted', 'idp'] as const)(
      'a %s subject is linked once and never replaced',
      async (provider) => {
        const { id } = await store().users.create(newUser());
        const subject = hash();
        expect(await store().users.linkSubject(id, provider, subject)).toBe(true);
        expect(await store().users.linkSubject(id, provider, subject)).toBe(true);
        expect(await store().users.linkSubject(id, provider, hash())).toBe(false);
        expect((await store().users.bySubject(provider, subject))?.id).toBe(id);
      },
    );

    it('linking a subject to nobody is false', async () => {
      expect(await store().users.linkSubject(hash(), 'idp', hash())).toBe(false);
    });

    it('a subject that another user has is refused, and the error tells neither', async () => {
      const { hosted_sub, email } = await store().users.create(newUser({ hosted_sub: hash() }));
      const second = newUser({ hosted_sub });
      const failure: unknown = await store()
        .users.create(second)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(failure).toHaveProperty(
        'message',
        expect.stringMatching(/^\[\w+\] (batch of )?insert into "users"/),
      );
      expect(failure).toHaveProperty('cause', expect.any(Error));
      const told = inspect(failure, { depth: 9 });
      for (const secret of [hosted_sub, email, second.email, second.id]) expect(told).not.toContain(secret);
      expect(await store().users.byEmail(second.email)).toBeNull();
    });

    it('a key is set, found by its SHA-256, replaced and removed', async () => {
      const { id } = await store().users.create(newUser());
      const key = { api_key_hash: hash(), api_key_sha: hash(), api_key_ciphertext: 'sealed' };
      await store().users.setKey(id, key);
      expect(await store().users.byKeySha(key.api_key_sha)).toMatchObject({ id, ...key });
      const sha = hash();
      await store().users.setKey(id, { ...key, api_key_sha: sha });
      expect(await store().users.byKeySha(key.api_key_sha)).toBeNull();
      await store().users.setKey(id, NO_KEY);
      expect(await store().users.byKeySha(sha)).toBeNull();
    });

    it('a first key is set once, and leaves one that is there alone', async () => {
      const { id } = await store().users.create(newUser());
      const key = () => ({ api_key_hash: hash(), api_key_sha: hash(), api_key_ciphertext: 'sealed' });
      const [first, second] = [key(), key()];
      expect(await store().users.setFirstKey(id, first)).toBe(true);
      expect(await store().users.setFirstKey(id, second)).toBe(false);
      expect(await store().users.byId(id)).toMatchObject(first);
      expect(await store().users.setFirstKey(hash(), second)).toBe(false);
    });

    it('a user without any key has no legacy key', async () => {
      const { id } = await store().users.create(newUser());
      expect(await store().users.withLegacyKey()).not.toContainEqual(expect.objectContaining({ id }));
    });

    it('a legacy key is listed until its SHA-256 is known', async () => {
      const { id } = await store().users.create(newUser());
      const legacy = { api_key_hash: '$2a$10$legacy', api_key_sha: null, api_key_ciphertext: null };
      await store().users.setKey(id, legacy);
      expect(await store().users.withLegacyKey()).toContainEqual({ id, api_key_hash: legacy.api_key_hash });
      const other = await store().users.create(newUser());
      await store().users.setKey(other.id, legacy);
      const sha = hash();
      await store().users.backfillKeySha(id, legacy.api_key_hash, sha);
      expect(await store().users.byId(other.id)).toMatchObject(legacy);
      expect(await store().users.withLegacyKey()).not.toContainEqual(expect.objectContaining({ id }));
      expect((await store().users.byKeySha(sha))?.id).toBe(id);
    });

    it('a SHA-256 is not filled in for a key that has changed since', async () => {
      const { id } = await store().users.create(newUser());
      const current = { api_key_hash: 'new', api_key_sha: hash(), api_key_ciphertext: null };
      await store().users.setKey(id, current);
      await store().users.backfillKeySha(id, 'old', hash());
      await store().users.backfillKeySha(id, 'new', hash());
      expect(await store().users.byId(id)).toMatchObject(current);
      const legacy = { ...current, api_key_sha: null };
      await store().users.setKey(id, legacy);
      await store().users.backfillKeySha(id, 'old', hash());
      expect(await store().users.byId(id)).toMatchObject(legacy);
    });

    it('e-mails are compared as given, and no character breaks a look-up', async () => {
      const email = `Ünï "quoted" 'x' 😀 ${hash()}@example.com`;
      const user = await store().users.create(newUser({ email, created_at: NOW + 2 ** 33 }));
      expect(await store().users.byEmail(email)).toStrictEqual(user);
      expect(await store().users.byEmail(email.toLowerCase())).toBeNull();
      expect(await store().users.byEmail(`nul\0${hash()}`)).toBeNull();
    });
  });
}
