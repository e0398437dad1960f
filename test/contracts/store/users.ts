// Tests what `Users` must do.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import { hash, newUser, NOW } from './records.ts';

const NO_KEY = { api_key_hash: null, api_key_sha: null, api_key_ciphertext: null };

export function usersContract(store: () => Store): void {
  describe('users', () => {
    it('creates a user without a key, a subject or admin rights', async () => {
      const user = newUser();
      const expected = { ...user, ...NO_KEY, hosted_sub: null, idp_sub: null, is_admin: false };
      expect(await store().users.create(user)).toStrictEqual(expected);
      expect(await store().users.byId(user.id)).toStrictEqual(expected);
      expect(await store().users.byEmail(user.email)).toStrictEqual(expected);
    });

    it('returns the existing row when an e-mail is created again', async () => {
      const first = await store().users.create(newUser());
      expect(await store().users.create(newUser({ email: first.email, hosted_sub: hash() }))).toStrictEqual(
        first,
      );
    });

    it('returns the same row for 50 racing creations of one e-mail', async () => {
      const { email } = newUser();
      const created = await Promise.all(
        Array.from({ length: 50 }, () => store().users.create(newUser({ email }))),
      );
      expect(new Set(created.map((user) => user.id)).size).toBe(1);
    });

    it('returns null for an unknown id, e-mail, subject or key', async () => {
      expect(await store().users.byId(hash())).toBeNull();
      expect(await store().users.byEmail(hash())).toBeNull();
      expect(await store().users.bySubject('hosted', hash())).toBeNull();
      expect(await store().users.bySubject('idp', hash())).toBeNull();
      expect(await store().users.byKeySha(hash())).toBeNull();
    });

    it('finds a user by the subject of the right provider only', async () => {
      const subject = hash();
      const user = await store().users.create(newUser({ hosted_sub: subject }));
      expect(await store().users.bySubject('hosted', subject)).toStrictEqual(user);
      expect(await store().users.bySubject('idp', subject)).toBeNull();
    });

    it.each(['hosted', 'idp'] as const)('links a %s subject once and never replaces it', async (provider) => {
      const { id } = await store().users.create(newUser());
      const subject = hash();
      expect(await store().users.linkSubject(id, provider, subject)).toBe(true);
      expect(await store().users.linkSubject(id, provider, subject)).toBe(true);
      expect(await store().users.linkSubject(id, provider, hash())).toBe(false);
      expect((await store().users.bySubject(provider, subject))?.id).toBe(id);
    });

    it('returns false when it links a subject to an unknown user', async () => {
      expect(await store().users.linkSubject(hash(), 'idp', hash())).toBe(false);
    });

    it('refuses the subject of another user without naming either user', async () => {
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

    it('sets, finds, replaces and removes a key', async () => {
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

    it('sets a first key once and never replaces an existing key', async () => {
      const { id } = await store().users.create(newUser());
      const key = () => ({ api_key_hash: hash(), api_key_sha: hash(), api_key_ciphertext: 'sealed' });
      const [first, second] = [key(), key()];
      expect(await store().users.setFirstKey(id, first)).toBe(true);
      expect(await store().users.setFirstKey(id, second)).toBe(false);
      expect(await store().users.byId(id)).toMatchObject(first);
      expect(await store().users.setFirstKey(hash(), second)).toBe(false);
    });

    it('lists no legacy key for a user without a key', async () => {
      const { id } = await store().users.create(newUser());
      expect(await store().users.withLegacyKey()).not.toContainEqual(expect.objectContaining({ id }));
    });

    it('lists a legacy key until its SHA-256 is known', async () => {
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

    it('does not fill in the SHA-256 of a key that has changed', async () => {
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

    it('compares e-mails exactly and accepts every character', async () => {
      const email = `Ünï "quoted" 'x' 😀 ${hash()}@example.com`;
      const user = await store().users.create(newUser({ email, created_at: NOW + 2 ** 33 }));
      expect(await store().users.byEmail(email)).toStrictEqual(user);
      expect(await store().users.byEmail(email.toLowerCase())).toBeNull();
      expect(await store().users.byEmail(`nul\0${hash()}`)).toBeNull();
    });
  });
}
