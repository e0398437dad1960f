// Tests that people connect MCP clients with real OpenID providers that have a choice of the account and that have
// none, and that a refused prompt is left out once. reference: Authorize tickets; decision: 021
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser, Visited } from '../support/browser.ts';
import { BASE, type ConsentStand, ask, comeBack, openConsentStand } from '../support/consent-stand.ts';
import { type GatewaySite, openGatewaySite, signInAt } from '../support/gateway-site.ts';
import { authorizeQuery, CALLBACK, registered, token } from '../support/oauth-client.ts';
import { startScriptedProvider } from '../support/scripted-provider.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const REDEEM = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: 'v'.repeat(43) };

async function redeem(app: TestApp, client_id: string, back: URL): Promise<string> {
  const code = back.searchParams.get('code') ?? '';
  const { status, body } = await token(app, { ...REDEEM, client_id, code });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body.access_token;
}

describe.each([
  ['that knows no choice of the account, as oidc-provider by default', false, null, false],
  ['that has the e-mail address at userinfo only, as oidc-provider by default', false, null, true],
  ['that lists the choice of the account', true, 'select_account', false],
] as const)('an MCP client signs in with a provider %s', (_, hasChooser, prompt, hasDefaults) => {
  let site: GatewaySite;
  beforeAll(async () => {
    site = await openGatewaySite({ hasChooser, hasDefaults, env: { OAUTH_CONSENT: 'always' } });
  });
  afterAll(() => site.close());

  async function agree(browser: Browser, client: string): Promise<Visited> {
    const consent = await browser.open(`${site.base}${authorizeQuery(client)}`);
    expect(consent.text).toContain('wants to use this gateway as you');
    return browser.submit(consent);
  }

  it('and calls as that person', async () => {
    const client = await registered(site.app);
    const browser = site.browser();
    const back = (await signInAt(browser, await agree(browser, client), 'ana')).url;
    expect(`${back.origin}${back.pathname}`).toBe(CALLBACK);
    expect(back.searchParams.get('state')).toBe('the state of the client');
    expect(site.hosted.asked.at(-1)?.get('prompt')).toBe(prompt);
    const grant = await site.app.deps.accessTokens.verify(await redeem(site.app, client, back));
    const ana = await site.app.deps.store.users.byEmail('ana@example.com');
    expect(grant?.userId).toBe(ana?.id);
  });

  it('and chooses another account in the same browser where the provider lets people choose', async () => {
    const client = await registered(site.app);
    const browser = site.browser();
    await signInAt(browser, await agree(browser, client), 'ben');
    const again = await agree(browser, client);
    let back = hasChooser ? await browser.submit(again, { login: 'cleo' }) : again;
    // The provider has pages of its own for a person who changes the account.
    for (let page = 0; page < 5 && !back.url.href.startsWith(CALLBACK); page++)
      back = await browser.submit(back);
    const grant = await site.app.deps.accessTokens.verify(await redeem(site.app, client, back.url));
    const person = await site.app.deps.store.users.byId(grant?.userId ?? '');
    expect(person?.email).toBe(hasChooser ? 'cleo@example.com' : 'ben@example.com');
  });

  it('and the portal asks for no prompt', async () => {
    for (const name of ['hosted', 'idp']) {
      const { url } = await (await site.app.request(`/api/auth/${name}`)).json();
      expect(new URL(url).searchParams.has('prompt')).toBe(false);
    }
  });
});

describe('the prompt without a list of the provider', () => {
  it.each([
    ['https://accounts.google.com', 'select_account'],
    ['https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0', 'select_account'],
    ['https://login.microsoftonline.us/tenant/v2.0', 'select_account'],
    ['https://login.partner.microsoftonline.cn/tenant/v2.0', 'select_account'],
    // Azure AD B2C documents `login` only.
    ['https://contoso.b2clogin.com/tenant/v2.0', null],
    ['https://accounts.google.com.example.com', null],
    ['https://id.example.com', null],
  ])('is sent to issuers that document it: %s gets %s', async (issuer, prompt) => {
    const { origin, pathname } = new URL(issuer);
    const path = pathname.replace(/^\/$/, '');
    const provider = await startScriptedProvider({ path, now: () => 0, nonce: () => '' });
    const endpoints = {
      authorization_endpoint: `${origin}/auth`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/keys`,
    };
    provider.script.discovery = { body: JSON.stringify({ issuer, ...endpoints }) };
    const app = await createTestApp({
      env: {
        HOSTED_ISSUER_URL: issuer,
        HOSTED_CLIENT_ID: 'gateway',
        UPSTREAM_MAP: `${origin}=${new URL(provider.issuer).origin}`,
      },
    });
    const response = await app.request(authorizeQuery(await registered(app)));
    const there = new URL(response.headers.get('location') ?? 'about:blank');
    expect([there.origin, there.searchParams.get('prompt')]).toEqual([origin, prompt]);
    await Promise.all([app.close(), provider.close()]);
  });
});

describe('a provider that lists the choice of the account and refuses it', () => {
  let stand: ConsentStand;
  let app: TestApp;
  let client: string;
  beforeEach(async () => {
    stand = await openConsentStand();
    const { issuer } = stand.provider;
    stand.provider.script.discovery = {
      body: JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        prompt_values_supported: ['select_account'],
      }),
    };
    ({ app } = stand);
    client = await registered(app);
  });
  afterEach(() => stand.close());

  const REFUSED = { error: 'invalid_request', error_description: 'unsupported prompt value requested' };

  async function begin(browser: Browser, changes: Record<string, string> = {}): Promise<Visited> {
    const there = await browser.submit(await ask(browser, client, changes));
    expect(there.url.searchParams.get('prompt')).toBe('select_account');
    return there;
  }
  const refuse = (browser: Browser, there: Visited, answer: Record<string, string> = REFUSED) =>
    browser.open(
      `${BASE}/api/auth/hosted/callback?${new URLSearchParams({ ...answer, state: there.url.searchParams.get('state') ?? '' })}`,
    );
  const isAtProvider = ({ url }: Visited) => url.origin === new URL(stand.provider.issuer).origin;

  it.each<[string, Record<string, string>]>([
    ['a description that names the prompt', REFUSED],
    ['a description that names the value', { error: 'server_error', error_description: 'select_account?' }],
    ['interaction_required', { error: 'interaction_required' }],
    ['account_selection_required', { error: 'account_selection_required' }],
  ])('is asked once more without it after %s, and the client gets its token', async (_, answer) => {
    const browser = stand.browse();
    const there = await begin(browser);
    const again = await refuse(browser, there, answer);
    expect(isAtProvider(again)).toBe(true);
    const [first, second] = [there, again].map(({ url }) => Object.fromEntries(url.searchParams));
    const { prompt: _prompt, state: _state, nonce: _nonce, ...same } = first ?? {};
    expect(second).toEqual({ ...same, state: expect.any(String), nonce: expect.any(String) });
    expect([second?.['state'], second?.['nonce']]).not.toContain(first?.['state']);
    expect(second?.['nonce']).not.toBe(first?.['nonce']);
    await redeem(app, client, await comeBack(stand, browser, again));
    expect(app.lines.filter(({ event }) => /repeated without/.test(event))).toHaveLength(1);
  });

  it('is asked again with a request that is too long for the state', async () => {
    const browser = stand.browse();
    const state = 'x'.repeat(2_000);
    const again = await refuse(browser, await begin(browser, { state }));
    const back = await comeBack(stand, browser, again);
    expect(back.searchParams.get('state')).toBe(state);
    await redeem(app, client, back);
  });

  it('is not asked a third time', async () => {
    const browser = stand.browse();
    const again = await refuse(browser, await begin(browser));
    const { status, text } = await refuse(browser, again);
    expect([status, text]).toEqual([400, expect.stringContaining('did not let you in (invalid_request)')]);
  });

  it('is asked again by one of any number of repeats of the answer', async () => {
    const browser = stand.browse();
    const there = await begin(browser);
    const all = await Promise.all(Array.from({ length: 8 }, () => refuse(browser, there)));
    expect(all.filter(isAtProvider)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 400)).toHaveLength(7);
  });

  it('is not asked again by another browser, and the request is used up', async () => {
    const browser = stand.browse();
    const there = await begin(browser);
    expect((await refuse(stand.browse(), there)).status).toBe(400);
    expect((await refuse(browser, there)).status).toBe(400);
  });

  it.each<[string, Record<string, string>]>([
    ['the person declines', { error: 'access_denied', error_description: 'declined at the prompt' }],
    ['it is about something else', { error: 'invalid_request', error_description: 'bad scope' }],
    ['it says nothing', { error: 'invalid_request' }],
  ])('is not asked again when %s', async (_, answer) => {
    const browser = stand.browse();
    expect((await refuse(browser, await begin(browser), answer)).status).toBe(400);
  });

  it('is not asked again for the portal, which sends no prompt', async () => {
    const browser = stand.browse();
    const { url } = await (await app.request('/api/auth/hosted')).json();
    const state = new URL(url).searchParams.get('state') ?? '';
    const query = new URLSearchParams({ ...REFUSED, state });
    expect((await browser.open(`${BASE}/api/auth/hosted/callback?${query}`)).status).toBe(400);
  });
});
