// Tests sign-in against a real OpenID provider, as hosted and as idp. reference: Portal sign-in. Against a real OpenID provider, twice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewaySite, openGatewaySite, signInAt } from '../support/gateway-site.ts';
import { createTestApp } from '../support/test-app.ts';

let site: GatewaySite;
beforeAll(async () => {
  site = await openGatewaySite();
});
afterAll(() => site.close());

const begin = async (provider: string): Promise<string> =>
  (await (await site.app.request(`/api/auth/${provider}`)).json()).url;

async function signIn(provider: 'hosted' | 'idp', login: string) {
  const browser = site.browser();
  const arrived = await signInAt(browser, await browser.open(await begin(provider)), login);
  const token = new URLSearchParams(arrived.url.hash.slice(1)).get('token') ?? '';
  const me = await site.app.request('/api/auth/me', { headers: { authorization: `Bearer ${token}` } });
  return { arrived, me: await me.json() };
}

describe('sign-in providers', () => {
  it('are listed when they are enabled: hosted by its client id, idp by all three values', async () => {
    const listed = async (env: Record<string, string>) => {
      const app = await createTestApp({ env });
      const { providers } = await (await app.request('/api/auth/providers')).json();
      await app.close();
      return providers;
    };
    const idp = { IDP_ISSUER_URL: 'https://id.example', IDP_CLIENT_ID: 'a', IDP_CLIENT_SECRET: 'b' };
    expect(await listed({})).toEqual([]);
    expect(await listed({ HOSTED_CLIENT_ID: 'a' })).toEqual(['hosted']);
    expect(await listed(idp)).toEqual(['idp']);
    expect(await listed({ ...idp, HOSTED_CLIENT_ID: 'a' })).toEqual(['hosted', 'idp']);
    for (const name of Object.keys(idp)) expect(await listed({ ...idp, [name]: '' })).toEqual([]);
  });

  it('have names for people when a client asks for them: known ones, else their host', async () => {
    const app = await createTestApp({
      env: {
        HOSTED_CLIENT_ID: 'a',
        IDP_ISSUER_URL: 'https://login.acme.dev/realm',
        IDP_CLIENT_ID: 'a',
        IDP_CLIENT_SECRET: 'b',
      },
    });
    const answer = await app.request('/api/auth/providers?names=true');
    expect(await answer.json()).toEqual({
      providers: ['hosted', 'idp'],
      names: { hosted: 'Google', idp: 'login.acme.dev' },
    });
    await app.close();
  });

  it.each(['hosted', 'idp'])('answer 503 with a reason when %s is not configured', async (provider) => {
    const app = await createTestApp();
    const response = await app.request(`/api/auth/${provider}`);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/OAuth not configured/) });
    await app.close();
  });
});

describe('the redirect to the provider', () => {
  it('for hosted is JSON with the address, state, nonce, scopes, online access and our callback', async () => {
    const url = new URL(await begin('hosted'));
    expect(url.origin).toBe(new URL(site.hosted.issuer).origin);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'gateway',
      redirect_uri: `${site.base}/api/auth/hosted/callback`,
      response_type: 'code',
      scope: 'openid email profile',
      access_type: 'online',
      state: expect.stringMatching(/^[\w-]+$/),
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('for idp is the same without PKCE, at an issuer below a path', async () => {
    const url = new URL(await begin('idp'));
    expect(url.href).toMatch(new RegExp(`^${site.idp.issuer}/`));
    expect([...url.searchParams.keys()].toSorted()).toEqual(
      ['client_id', 'nonce', 'redirect_uri', 'response_type', 'scope', 'state'].toSorted(),
    );
    expect(url.searchParams.get('redirect_uri')).toBe(`${site.base}/api/auth/idp/callback`);
  });
});

describe('the callback of a sign-in', () => {
  it.each(['hosted', 'idp'] as const)(
    'at %s ends at the portal with a session in the fragment',
    async (provider) => {
      const { arrived, me } = await signIn(provider, `someone-${provider}`);
      expect(arrived.url.origin).toBe(site.base);
      expect(arrived.url.hash).toMatch(/^#token=[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(me).toEqual({ id: expect.any(String), email: `someone-${provider}@example.com` });
    },
  );

  it('returns the same person to the same account, by subject and by e-mail', async () => {
    const first = await signIn('hosted', 'returning');
    expect((await signIn('hosted', 'returning')).me).toEqual(first.me);
    expect((await signIn('idp', 'returning')).me).toEqual(first.me);
    const user = await site.app.deps.store.users.byId(first.me.id);
    expect(user).toMatchObject({ hosted_sub: 'returning', idp_sub: 'returning', is_admin: false });
  });

  it('answers 400 with a sentence to a person who declines at the provider', async () => {
    const browser = site.browser();
    const page = await browser.open(await begin('hosted'));
    const abort = new URL(/href="([^"]*abort[^"]*)"/.exec(page.text)?.[1] ?? '', page.url);
    const refused = await browser.open(abort);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('did not let you in (access_denied)');
  });
});
