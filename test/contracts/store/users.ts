// Tests what `Users` must do.
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/ports/store.ts';
import type { OpenStore } from '../store-contract.ts';
import {
  agentKey,
  approval,
  begun,
  code,
  connection,
  grant,
  hash,
  importRecord,
  importTool,
  jot,
  MANY_QUESTIONS,
  newUser,
  NOW,
  putToken,
  rules,
  subject,
  token,
} from './records.ts';

const NO_SUBJECT = { hosted_sub: null, idp_sub: null, hosted_iss: null, idp_iss: null };
const NO_RIGHTS = {
  is_admin: false,
  is_owner: false,
  disabled_at: null,
  invited_at: null,
  signed_in_at: null,
  service_key_id: null,
  external_id: null,
  external_name: null,
  deleted_at: null,
  keeps_calls: true,
  outside_since: null,
};
const NO_KEY = { api_key_hash: null, api_key_sha: null, api_key_ciphertext: null };

const PROVIDERS = ['hosted', 'idp'] as const;
const OTHER_ISSUER = 'https://other.example';

export function usersContract(store: () => Store): void {
  describe('users', () => {
    it('creates a user without a key, a subject or admin rights', async () => {
      // The first person would be the owner.
      await store().users.create(newUser());
      const user = newUser();
      const expected = { ...user, ...NO_KEY, ...NO_SUBJECT, unverified_since: null, ...NO_RIGHTS };
      expect(await store().users.create(user)).toStrictEqual(expected);
      expect(await store().users.byId(user.id)).toStrictEqual(expected);
      expect(await store().users.byEmail(user.email)).toStrictEqual(expected);
    });

    it('returns the existing row when an e-mail is created again', async () => {
      const first = await store().users.create(newUser());
      expect(await store().users.create(newUser({ email: first.email }), subject('hosted'))).toStrictEqual(
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
      expect(await store().users.bySubject(subject('hosted'))).toBeNull();
      expect(await store().users.bySubject(subject('idp'))).toBeNull();
      expect(await store().users.byKeySha(hash())).toBeNull();
    });

    it('finds a user by the subject of the right provider and issuer only', async () => {
      const who = subject('hosted');
      const user = await store().users.create(newUser(), who);
      expect(await store().users.bySubject(who)).toStrictEqual(user);
      expect(await store().users.bySubject({ ...who, provider: 'idp' })).toBeNull();
      expect(await store().users.bySubject({ ...who, issuer: OTHER_ISSUER })).toBeNull();
    });

    it.each(PROVIDERS)('links a %s subject once and never replaces it', async (provider) => {
      const { id } = await store().users.create(newUser());
      const who = subject(provider);
      expect(await store().users.linkSubject(id, who)).toBe(true);
      expect(await store().users.linkSubject(id, who)).toBe(true);
      expect(await store().users.linkSubject(id, subject(provider))).toBe(false);
      expect((await store().users.bySubject(who))?.id).toBe(id);
    });

    it('returns false when it links a subject to an unknown user', async () => {
      expect(await store().users.linkSubject(hash(), subject('idp'))).toBe(false);
    });

    it.each(PROVIDERS)('replaces a %s subject of another issuer', async (provider) => {
      const [before, after] = [subject(provider), { ...subject(provider), issuer: OTHER_ISSUER }];
      const { id } = await store().users.create(newUser(), before);
      expect(await store().users.linkSubject(id, after)).toBe(true);
      expect(await store().users.bySubject(before)).toBeNull();
      expect((await store().users.bySubject(after))?.id).toBe(id);
    });

    it.each(PROVIDERS)('gives the same %s subject of two issuers to two users', async (provider) => {
      const first = subject(provider);
      const [second, third] = [OTHER_ISSUER, 'https://third.example'].map((issuer) => ({ ...first, issuer }));
      if (second === undefined || third === undefined) throw new Error('two issuers are needed');
      const owner = await store().users.create(newUser(), first);
      const linked = await store().users.create(newUser());
      expect(await store().users.linkSubject(linked.id, second)).toBe(true);
      const created = await store().users.create(newUser(), third);
      expect((await store().users.bySubject(third))?.id).toBe(created.id);
      for (const who of [first, second]) expect(await store().users.bySubject(who)).toBeNull();
      for (const { id } of [owner, linked]) expect(await store().users.byId(id)).toMatchObject(NO_SUBJECT);
    });

    it('links no subject to a user whose address is unverified', async () => {
      const { id } = await store().users.create(newUser({ unverified_since: NOW }));
      expect(await store().users.linkSubject(id, subject('hosted'))).toBe(false);
      expect(await store().users.confirmEmail(id)).toBe(true);
      expect(await store().users.linkSubject(id, subject('hosted'))).toBe(true);
      expect(await store().users.byId(id)).toMatchObject({ unverified_since: null });
      expect(await store().users.confirmEmail(hash())).toBe(false);
    });

    it('ends an unverified user with everything of it, for one of 20 racing callers', async () => {
      const who = subject('idp');
      const old = await store().users.create(newUser({ unverified_since: NOW }), who);
      const other = await store().users.create(newUser());
      await store().users.setKey(old.id, { ...NO_KEY, api_key_hash: hash(), api_key_sha: hash() });
      const [ours, theirs] = [old, other].map(({ id: user_id }) => ({
        connection: connection({ user_id }),
        code: code({ user_id }),
        token: token({ user_id }),
        jot: jot({ user_id }),
        imported: importRecord({ owner: user_id }),
        key: agentKey({ user_id }),
        rules: rules({ owner: user_id }),
        grant: grant({ user_id }),
        approval: approval({ user_id, state: 'running', run: hash() }),
      }));
      if (ours === undefined || theirs === undefined) throw new Error('two users are needed');
      for (const owned of [ours, theirs]) {
        await store().connections.put(owned.connection);
        await store().codes.put(owned.code);
        await putToken(store(), owned.token);
        await store().jots.put(owned.jot, null);
        await store().imports.create(owned.imported, [importTool(owned.imported, 0)], 9);
        await store().agentKeys.add(owned.key, 9);
        await store().policies.putRules(owned.rules);
        await store().policies.putGrant(owned.grant);
        await store().approvals.ask(owned.approval, MANY_QUESTIONS);
      }
      const next = Array.from({ length: 20 }, () => newUser({ email: old.email }));
      const answers = await Promise.all(next.map((user) => store().users.takeOver(old.id, user)));
      expect(answers.filter(({ tookOver }) => tookOver)).toHaveLength(1);
      expect(new Set(answers.map(({ user }) => user.id)).size).toBe(1);
      const user = await store().users.byEmail(old.email);
      expect(next.map(({ id }) => id)).toContain(user?.id);
      expect(user).toMatchObject({ ...NO_KEY, ...NO_SUBJECT, unverified_since: null });
      expect(await store().users.byId(old.id)).toBeNull();
      expect(await store().users.bySubject(who)).toBeNull();
      expect(await store().connections.list(old.id)).toEqual([]);
      expect(await store().codes.take(ours.code.code, begun())).toBeNull();
      expect(await store().refreshTokens.list(old.id, NOW)).toEqual([]);
      expect(await store().jots.list(old.id)).toEqual([]);
      expect(await store().imports.list(old.id)).toEqual([]);
      expect(await store().imports.tools([ours.imported.id])).toEqual([]);
      expect((await store().imports.revision(old.id))?.own ?? null).toBeNull();
      expect(await store().agentKeys.bySha(ours.key.key_sha)).toBeNull();
      expect(await store().policies.read(old.id, ours.grant.client_id)).toMatchObject({
        own: null,
        grant: null,
      });
      expect(await store().approvals.list({ user_id: old.id, limit: 9 })).toEqual([]);
      expect(await store().imports.list(other.id)).toEqual([theirs.imported]);
      expect(await store().imports.tools([theirs.imported.id])).toHaveLength(1);
      expect(await store().connections.list(other.id)).toHaveLength(1);
      expect(await store().codes.take(theirs.code.code, begun())).not.toBeNull();
      expect(await store().refreshTokens.list(other.id, NOW)).toHaveLength(1);
      expect(await store().jots.list(other.id)).toHaveLength(1);
      expect(await store().agentKeys.list(other.id)).toStrictEqual([theirs.key]);
      expect((await store().policies.read(other.id, null)).own?.revision).toBe(theirs.rules.revision);
      expect(await store().policies.grants(other.id)).toStrictEqual([theirs.grant]);
      expect(await store().approvals.list({ user_id: other.id, limit: 9 })).toStrictEqual([theirs.approval]);
    });

    it('keeps what administrators have decided about an address that is taken over', async () => {
      const who = subject('idp');
      const { id, email } = await store().users.create(newUser({ unverified_since: NOW }), who);
      await store().people.invite({ id: crypto.randomUUID(), email, created_at: NOW + 1 });
      await store().people.setRole(id, 'administrator');
      const next = newUser({ email });
      const { user, tookOver } = await store().users.takeOver(id, next);
      expect(tookOver).toBe(true);
      expect(user).toMatchObject({ id: next.id, invited_at: NOW + 1, is_admin: true, is_owner: false });
      expect(user).toMatchObject({ ...NO_SUBJECT, created_at: next.created_at, unverified_since: null });
    });

    it('never ends a user whose address is verified', async () => {
      const user = await store().users.create(newUser(), subject('hosted'));
      const kept = connection({ user_id: user.id });
      await store().connections.put(kept);
      const taken = await store().users.takeOver(user.id, newUser({ email: user.email }));
      expect(taken).toStrictEqual({ user, tookOver: false });
      expect(await store().connections.list(user.id)).toStrictEqual([kept]);
    });

    it('creates no first user beside others', async () => {
      const late = newUser();
      expect(await store().users.createFirst(late)).toBeNull();
      expect(await store().users.byEmail(late.email)).toBeNull();
    });

    it('refuses the subject of another user without naming either user', async () => {
      const who = subject('hosted');
      const { hosted_sub, email } = await store().users.create(newUser(), who);
      const second = newUser();
      const failure: unknown = await store()
        .users.create(second, who)
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(failure).toHaveProperty('message', expect.stringMatching(/^\[\w+\] cannot write users: /));
      expect(failure).toHaveProperty('cause', expect.any(Error));
      const told = inspect(failure, { depth: 9 });
      for (const secret of [hosted_sub, email, second.email, second.id]) expect(told).not.toContain(secret);
      expect(await store().users.byEmail(second.email)).toBeNull();
    });

    it('sets, finds, replaces and removes a key', async () => {
      const { id } = await store().users.create(newUser());
      const key = { api_key_hash: hash(), api_key_sha: hash(), api_key_ciphertext: 'sealed' };
      await store().users.setKey(id, key);
      expect(await store().users.byKeySha(key.api_key_sha)).toEqual({ id, hasRules: false });
      await store().policies.putRules({ owner: id, rules: '[]', revision: 'r', updated_at: NOW });
      expect(await store().users.byKeySha(key.api_key_sha)).toEqual({ id, hasRules: true });
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

export function firstUserContract(open: () => Promise<OpenStore>): void {
  it('creates one first user of 50 racing callers, and again none later', async () => {
    const { store, close } = await open();
    const racing = Array.from({ length: 50 }, () => newUser());
    const created = await Promise.all(racing.map((user) => store.users.createFirst(user)));
    const [winner, ...others] = created.filter((user) => user !== null);
    expect(others).toEqual([]);
    expect(await store.users.byEmail(winner?.email ?? '')).toStrictEqual(winner);
    const found = await Promise.all(racing.map(({ email }) => store.users.byEmail(email)));
    expect(found.filter((user) => user !== null)).toStrictEqual([winner]);
    expect(await store.users.createFirst(newUser())).toBeNull();
    await close();
  });
}
