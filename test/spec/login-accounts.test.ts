// Tests which account a sign-in opens: unverified addresses, and another issuer under the same provider name.
// reference: Users; decision: 016
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedUser } from '../../adapters/node/owner.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { connection, jot, NOW, putToken, token } from '../contracts/store/records.ts';
import { authorizeQuery, CALLBACK, registered } from '../support/oauth-client.ts';
import { PROVIDERS, refusal, useSignIns } from '../support/sign-ins.ts';
import type { TestApp } from '../support/test-app.ts';

const { stand, bySubject, claim, open, signIn, users } = useSignIns();

let usual: TestApp;
const useGateway = async (env: Record<string, string>) => {
  usual = stand.app;
  stand.app = await open(env);
};
const leaveGateway = async () => {
  await stand.app.close();
  stand.app = usual;
};

const landing = (response: Response) => new URL(response.headers.get('location') ?? 'http://refused');
const session = (response: Response) => new URLSearchParams(landing(response).hash.slice(1)).get('token');
async function userId(response: Response): Promise<string | undefined> {
  expect(response.status).toBe(302);
  return (await stand.app.deps.sessions.verify(session(response) ?? ''))?.userId;
}

describe('IDP_EMAIL_TRUSTED=false', () => {
  beforeEach(() => useGateway({ IDP_EMAIL_TRUSTED: 'false' }));
  afterEach(leaveGateway);

  const silent = { email_verified: undefined };

  it('opens no existing account by an address without a verified claim', async () => {
    const seeded = await stand.app.user(`${stand.person}@example.com`);
    claim('idp', silent);
    expect(await refusal(await signIn('idp'))).toMatch(/not verified/);
    expect(await users()).toMatchObject({ id: seeded.id, idp_sub: null });
    // The same person with a verified claim is let in.
    claim('idp', {});
    expect(await userId(await signIn('idp'))).toBe(seeded.id);
    // From now on the subject opens the account.
    claim('idp', silent);
    expect(await userId(await signIn('idp'))).toBe(seeded.id);
  });

  it('creates an account whose address is unverified, and finds it by subject only', async () => {
    claim('idp', silent);
    const first = await userId(await signIn('idp'));
    expect(await users()).toMatchObject({ id: first, unverified_since: stand.app.clock.now() });
    expect(await userId(await signIn('idp'))).toBe(first);
    claim('idp', { ...silent, sub: 'somebody else' });
    expect(await refusal(await signIn('idp'))).toMatch(/not verified/);
  });

  it('creates one account for several first sign-ins of one person at once', async () => {
    const { idp } = stand.providers;
    idp.script.claims = {
      ...silent,
      sub: stand.person,
      email: `${stand.person}@example.com`,
      // Each code is the nonce of its sign-in.
      get nonce() {
        return idp.forms.at(-1)?.get('code');
      },
    };
    const begun: URLSearchParams[] = [];
    for (let at = 0; at < 20; at++) {
      const { url } = await (await stand.app.request('/api/auth/idp')).json();
      const { state = '', nonce = '' } = Object.fromEntries(new URL(url).searchParams);
      begun.push(new URLSearchParams({ code: nonce, state }));
    }
    const answers = await Promise.all(
      begun.map((query) => stand.app.request(`/api/auth/idp/callback?${query}`)),
    );
    expect(new Set(await Promise.all(answers.map(userId))).size).toBe(1);
  });

  it('marks the address as verified when the same subject comes with a verified claim', async () => {
    claim('idp', silent);
    const id = await userId(await signIn('idp'));
    claim('idp', { email: 'another@example.com' });
    await signIn('idp');
    expect(await users()).toMatchObject({ id, unverified_since: stand.app.clock.now() });
    claim('idp', {});
    const answer = await signIn('idp');
    expect(await userId(answer)).toBe(id);
    expect(landing(answer).hash).not.toContain('tookOver');
    expect(await users()).toMatchObject({ id, unverified_since: null });
  });

  it.each(PROVIDERS)(
    'ends the account of a stranger when its address is verified at %s, and tells the person',
    async (name) => {
      const { store } = stand.app.deps;
      claim('idp', { ...silent, sub: 'stranger' });
      const stolen = session(await signIn('idp')) ?? '';
      const stranger = await users();
      if (stranger === null) throw new Error('the stranger has no account');
      const as = { authorization: `Bearer ${stolen}` };
      const minted = await stand.app.request('/api/keys', { method: 'POST', headers: as });
      const { apiKey } = await minted.json();
      const refreshToken = token({ user_id: stranger.id, expires_at: stand.app.clock.now() + 1_000 });
      await putToken(store, refreshToken);
      await store.connections.put(connection({ user_id: stranger.id }));
      await store.jots.put(jot({ user_id: stranger.id }), null);

      claim(name, {});
      const answer = await signIn(name);
      const owner = await userId(answer);
      expect(owner).not.toBe(stranger.id);
      expect(landing(answer).hash).toMatch(/^#token=[\w-]+\.[\w-]+\.[\w-]+&tookOver=true$/);
      expect(stand.app.lines.filter(({ event }) => /unverified/.test(event))).toEqual([
        expect.objectContaining({ level: 'warn', provider: name, ended: stranger.id, user: owner }),
      ]);
      expect(await users()).toMatchObject({ id: owner, unverified_since: null, api_key_hash: null });
      expect(await store.users.byId(stranger.id)).toBeNull();

      // Nothing of the stranger's opens anything of the person's, and nothing is lent on.
      const me = (headers: Record<string, string>) => stand.app.request('/api/auth/me', { headers });
      expect((await me(as)).status).toBe(404);
      expect((await me({ 'x-service-api-key': apiKey })).status).toBe(401);
      const rotation = { family: refreshToken.family, client_id: refreshToken.client_id, now: NOW };
      const { token_hash: presented } = refreshToken;
      expect(
        await store.refreshTokens.rotate({ ...rotation, presented, next: 'next', expires_at: NOW + 1 }),
      ).toMatchObject({ outcome: 'unknown' });
      for (const id of [stranger.id, owner ?? '']) {
        expect(await store.connections.list(id)).toEqual([]);
        expect(await store.jots.list(id)).toEqual([]);
      }
      claim('idp', { ...silent, sub: 'stranger' });
      expect(await refusal(await signIn('idp'))).toMatch(/not verified/);

      // The person is told once.
      claim(name, {});
      const again = await signIn(name);
      expect(await userId(again)).toBe(owner);
      expect(landing(again).hash).not.toContain('tookOver');
    },
  );

  it('tells the person at the portal, also when a client waits for the sign-in', async () => {
    claim('idp', { ...silent, sub: 'stranger' });
    await signIn('idp');
    const client = await registered(stand.app);
    const authorize = async () => {
      const begun = await stand.app.request(authorizeQuery(client));
      const { state = '', nonce = '' } = Object.fromEntries(landing(begun).searchParams);
      stand.nonce = nonce;
      const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const query = new URLSearchParams({ code: 'code', state });
      return stand.app.request(`/api/auth/hosted/callback?${query}`, { headers: { cookie } });
    };
    claim('hosted', {});
    expect(landing(await authorize()).hash).toMatch(/^#token=.*&tookOver=true$/);
    expect(landing(await authorize()).href.startsWith(CALLBACK)).toBe(true);
  });

  it('ends the account of a stranger when the operator seeds its address', async () => {
    claim('idp', silent);
    await signIn('idp');
    const stranger = await users();
    const seeded = await seedUser(stand.app.deps, `${stand.person}@example.com`);
    expect(seeded.userId).not.toBe(stranger?.id);
    expect(await users()).toMatchObject({ id: seeded.userId, idp_sub: null, unverified_since: null });
    expect((await seedUser(stand.app.deps, seeded.email)).userId).toBe(seeded.userId);
  });

  it('changes nothing at the hosted provider, which must verify', async () => {
    claim('hosted', silent);
    expect(await refusal(await signIn('hosted'))).toMatch(/not verified/);
  });
});

describe.each(PROVIDERS)('the issuer of a subject at %s', (name) => {
  const ISSUER = { hosted: 'HOSTED_ISSUER_URL', idp: 'IDP_ISSUER_URL' } as const;
  const other = () => stand.providers[name === 'hosted' ? 'idp' : 'hosted'];
  /** Reconfigures this provider to use the issuer of the other one, over the same database. */
  async function useOtherIssuer(): Promise<void> {
    const { store } = stand.app.deps;
    usual = stand.app;
    // The usual gateway still needs the store when this one is closed.
    const shared = { ...store, close: () => Promise.resolve() };
    stand.app = await open({ [ISSUER[name]]: other().issuer }, { store: shared });
  }
  const someone = () => ({ sub: stand.person, email: `${stand.person}@example.com` });

  it('is stored beside it', async () => {
    await signIn(name);
    expect(await bySubject(name)).toMatchObject({
      [`${name}_sub`]: stand.person,
      [`${name}_iss`]: stand.providers[name].issuer,
    });
  });

  it("opens nobody's account for the same subject of another issuer", async () => {
    const first = await userId(await signIn(name));
    await useOtherIssuer();
    other().script.claims = { ...someone(), email: `other-${stand.person}@example.com` };
    const second = await userId(await signIn(name));
    expect(second).not.toBe(first);
    expect(await stand.app.deps.store.users.byEmail(`other-${stand.person}@example.com`)).toMatchObject({
      id: second,
      [`${name}_iss`]: other().issuer,
    });
    expect(await userId(await signIn(name))).toBe(second);
    await leaveGateway();
    // The first person is found by address again.
    expect(await userId(await signIn(name))).toBe(first);
  });

  it('may change for a person whom the new issuer names by the same verified address', async () => {
    const first = await userId(await signIn(name));
    await useOtherIssuer();
    other().script.claims = { ...someone(), sub: `new-${stand.person}` };
    expect(await userId(await signIn(name))).toBe(first);
    expect(await users()).toMatchObject({ [`${name}_sub`]: `new-${stand.person}` });
    other().script.claims = { ...someone(), sub: `third-${stand.person}` };
    expect(await refusal(await signIn(name))).toMatch(/belongs to another account/);
    await leaveGateway();
  });

  it('is adopted by a row of version 0.1 at the next sign-in', async () => {
    const { users: stored } = stand.app.deps.store;
    const row = await stand.app.user(`${stand.person}@example.com`);
    // Version 0.1 stored the subject alone.
    await stored.linkSubject(row.id, {
      provider: name,
      issuer: stand.providers[name].issuer,
      subject: stand.person,
    });
    const database = openSqlite(join(stand.app.folder, 'service.db'));
    await database.run(CompiledQuery.raw(`update users set ${name}_iss = null where id = ?`, [row.id]));
    await database.close();
    claim(name, { email: 'renamed@example.com' });
    expect(await userId(await signIn(name))).toBe(row.id);
    expect(await users()).toMatchObject({ [`${name}_iss`]: stand.providers[name].issuer });
  });
});
