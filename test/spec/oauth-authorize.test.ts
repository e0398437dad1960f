// Tests /authorize and the return from the sign-in. reference: Authorization requests; Authorize tickets; decision: 020, 021
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { type GatewaySite, openGatewaySite, signInAt } from '../support/gateway-site.ts';
import { authorizeQuery, CALLBACK, registered, token } from '../support/oauth-client.ts';
import { BASE, createTestApp } from '../support/test-app.ts';

let site: GatewaySite;
let client: string;
beforeAll(async () => {
  site = await openGatewaySite();
  client = await registered(site.app);
});
afterAll(() => site.close());

const authorize = (changes: Record<string, string | undefined> = {}, id = client) =>
  site.app.request(authorizeQuery(id, changes));
const start = (browser: Browser) => browser.open(`${site.base}${authorizeQuery(client)}`);

/** Follows the client's link to the page where the browser ends. */
async function connect(browser: Browser, login: string) {
  return signInAt(browser, await start(browser), login);
}

describe('the validation of /authorize', () => {
  it.each([
    ['no client', { client_id: undefined }, 'invalid_request'],
    ['an unknown client', { client_id: 'f'.repeat(32) }, 'invalid_request'],
    ['no response_type', { response_type: undefined }, 'unsupported_response_type'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['no redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['a longer redirect_uri', { redirect_uri: `${CALLBACK}/x` }, 'invalid_request'],
    ['another redirect_uri', { redirect_uri: 'https://evil.example/cb' }, 'invalid_request'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge of 129 characters', { code_challenge: 'x'.repeat(129) }, 'invalid_request'],
    ['a challenge with a space', { code_challenge: 'x x' }, 'invalid_request'],
    ['a scope of 1,001 characters', { scope: 'x'.repeat(1_001) }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a resource elsewhere', { resource: 'https://evil.example/mcp' }, 'invalid_request'],
    ['a resource that is none', { resource: 'mcp' }, 'invalid_request'],
    ['a scope with quotes', { scope: '"' }, 'invalid_request'],
    ['a state of 2,049 bytes', { state: `${'x'.repeat(2_047)}ü` }, 'invalid_request'],
    ['a request of more than 5,632 bytes', { resource: `${BASE}/${'x'.repeat(5_632)}` }, 'invalid_request'],
  ])('answers 400 to %s', async (_, changes, error) => {
    const response = await authorize(changes);
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.json()).toEqual({ error, error_description: expect.any(String) });
  });

  it('accepts a challenge of 128 characters with every allowed one, and a scope of 1,000', async () => {
    const changes = { code_challenge: 'aZ09._~-'.padEnd(128, 'x'), scope: 'x '.repeat(500) };
    expect((await authorize(changes)).status).toBe(302);
  });

  it('answers 400 to a parameter that occurs twice', async () => {
    const response = await site.app.request(`${authorizeQuery(client)}&state=2`);
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request']);
  });

  it('reports only the first mistake, in the documented order', async () => {
    const wrong = {
      client_id: 'unknown',
      response_type: 'token',
      redirect_uri: 'https://evil.example/',
      code_challenge_method: 'plain',
    };
    const right = { client_id: client, response_type: 'code', redirect_uri: CALLBACK };
    const told: string[] = [];
    const changes: Record<string, string> = { ...wrong };
    for (const [name, value] of Object.entries(right)) {
      told.push((await (await authorize(changes)).json()).error_description);
      changes[name] = value;
    }
    told.push((await (await authorize(changes)).json()).error_description);
    const names = [/client_id/, /response_type/, /redirect_uri/, /code_challenge/];
    told.forEach((sentence, at) => expect(sentence).toMatch(names[at] ?? ''));
  });

  it('shows a browser a page with the sentence, never a redirect', async () => {
    const page = await site.browser().open(`${site.base}${authorizeQuery('unknown')}`);
    expect(page.status).toBe(400);
    expect(page.text).toContain('does not know the application');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
  });

  it('answers 503 without the hosted provider, even if there is another one', async () => {
    const app = await createTestApp({
      env: { IDP_ISSUER_URL: 'https://id.example', IDP_CLIENT_ID: 'a', IDP_CLIENT_SECRET: 'b' },
    });
    const response = await app.request(authorizeQuery(await registered(app)));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      error: 'temporarily_unavailable',
      error_description: expect.stringMatching(/does not sign people in .* can send a key instead: /),
    });
    expect(response.headers.get('set-cookie')).toBeNull();
    await app.close();
  });
});

describe('the redirect to the sign-in', () => {
  it('is a 302 to the hosted provider with <sso_state>.<ticket>, and without a prompt that it does not list', async () => {
    const response = await authorize();
    expect(response.status).toBe(302);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const url = new URL(response.headers.get('location') ?? '');
    expect(url.origin).toBe(new URL(site.hosted.issuer).origin);
    const state = url.searchParams.get('state') ?? '';
    expect(state).toMatch(/^[\w-]+\.[\w-]+$/);
    expect(state.length).toBeLessThan(2_048);
    expect(url.searchParams.has('prompt')).toBe(false);
  });

  it('sets the binding cookie: HttpOnly, Lax, 600 seconds, Secure exactly on https', async () => {
    const cookie = (await authorize()).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^svc_oauth_binding=[0-9a-f]{64};/);
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Max-Age=600', 'Path=/']) expect(cookie).toContain(part);
    expect(cookie).not.toContain('Secure');
    const secret = '0123456789abcdef'.repeat(4);
    const secure = await createTestApp({
      env: {
        SERVER_PUBLIC_URL: 'https://gate.example',
        SESSION_SECRET: secret,
        ENCRYPTION_KEY: secret,
        HOSTED_ISSUER_URL: site.hosted.issuer,
        HOSTED_CLIENT_ID: 'gateway',
        OAUTH_CONSENT: 'never',
        EGRESS_ALLOW: '127.0.0.1',
      },
    });
    const response = await secure.request(authorizeQuery(await registered(secure)));
    expect(response.headers.get('set-cookie')).toContain('; Secure');
    await secure.close();
    // Without TLS no browser accepts the cookie that neighbouring hosts cannot plant.
    const beside = await createTestApp({
      env: {
        JOTS_ORIGIN: 'http://jots.localhost:3000',
        HOSTED_ISSUER_URL: site.hosted.issuer,
        HOSTED_CLIENT_ID: 'gateway',
        OAUTH_CONSENT: 'never',
      },
    });
    const plain = await beside.request(authorizeQuery(await registered(beside)));
    expect(plain.headers.getSetCookie()).toEqual([expect.stringMatching(/^svc_oauth_binding=/)]);
    await beside.close();
  });

  it('logs neither state nor ticket', async () => {
    const url = new URL((await authorize()).headers.get('location') ?? '');
    const logged = JSON.stringify(site.app.lines);
    for (const part of url.searchParams.get('state')?.split('.') ?? []) expect(logged).not.toContain(part);
  });
});

describe('the return from the sign-in', () => {
  it("keeps the query of the client's own address", async () => {
    const redirect_uri = `${CALLBACK}?tenant=a%26b`;
    const id = await registered(site.app, redirect_uri);
    const browser = site.browser();
    const page = await browser.open(`${site.base}${authorizeQuery(id, { redirect_uri })}`);
    const { url } = await signInAt(browser, page, 'ana');
    expect(url.href).toMatch(/\/app\/callback\?tenant=a%26b&code=[0-9a-f]{64}&state=/);
  });

  it('ends at the client with a code, its state, and the issuer', async () => {
    const browser = site.browser();
    const page = await browser.open(`${site.base}${authorizeQuery(client, { scope: 'mcp offline' })}`);
    const { url } = await signInAt(browser, page, 'ana');
    expect(`${url.origin}${url.pathname}`).toBe(CALLBACK);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: 'the state of the client',
      iss: site.base,
    });
    const { status, body } = await token(site.app, {
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      client_id: client,
      redirect_uri: CALLBACK,
      code_verifier: 'v'.repeat(43),
    });
    expect(status).toBe(200);
    expect(await site.app.deps.accessTokens.verify(body.access_token)).toMatchObject({
      clientId: client,
      scope: 'mcp offline',
    });
  });

  it('clears the cookie', async () => {
    const browser = site.browser();
    await connect(browser, 'ana');
    expect(browser.cookies(site.base)).toEqual({});
    expect(browser.setCookies.at(-1)).toMatch(/^svc_oauth_binding=; Max-Age=0/);
  });

  it('ends in the portal in another browser, and uses the ticket up', async () => {
    const begun = await beginAt();
    const fresh = new URL((await (await site.app.request('/api/auth/hosted')).json()).url);
    fresh.searchParams.set('state', `${fresh.searchParams.get('state')}.${begun.ticket}`);
    const stranger = site.browser();
    const arrived = await signInAt(stranger, await stranger.open(fresh), 'victim');
    expect(arrived.url.origin).toBe(site.base);
    expect(arrived.url.hash).toMatch(/^#token=/);
    expect(await endOf(begun)).toMatch(/#token=/);
  });

  it.each([
    ['missing', {}],
    ['another', { cookie: `svc_oauth_binding=${'0'.repeat(64)}` }],
    ['empty', { cookie: 'svc_oauth_binding=' }],
  ])('ends in the portal with a %s cookie, and clears the cookie', async (_, headers) => {
    const { url } = await beginAt();
    const response = await site.app.request(await callbackOf(url, 'ana'), { headers });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toMatch(/#token=/);
    expect(response.headers.get('set-cookie')).toMatch(/^svc_oauth_binding=; Max-Age=0/);
  });

  it('ends in the portal for a ticket that was changed, and for one of another sign-in', async () => {
    const [begun, other] = [await beginAt(), await beginAt()];
    const [state] = begun.state.split('.');
    for (const ticket of [`${begun.ticket.slice(0, -2)}AA`, other.ticket]) {
      const { url, cookie } = await beginAt();
      url.searchParams.set('state', `${url.searchParams.get('state')?.split('.')[0]}.${ticket}`);
      const response = await site.app.request(await callbackOf(url, 'ana'), { headers: { cookie } });
      expect(response.headers.get('location')).toMatch(/#token=/);
    }
    expect(state).not.toBe(begun.state);
    expect(await endOf(begun)).toMatch(/^https:\/\/client\.example\//);
  });

  it('uses the ticket up and clears the cookie after a failed sign-in', async () => {
    const begun = await beginAt();
    const response = await site.app.request(
      `/api/auth/hosted/callback?error=access_denied&state=x.${begun.ticket}`,
    );
    expect(response.status).toBe(400);
    expect(response.headers.get('set-cookie')).toMatch(/^svc_oauth_binding=; Max-Age=0/);
    expect(await endOf(begun)).toMatch(/#token=/);
  });

  it('uses the state and the ticket up when the provider refuses', async () => {
    const { url, state, ticket, cookie } = await beginAt();
    const refused = await site.app.request(`/api/auth/hosted/callback?error=access_denied&state=${state}`);
    expect(refused.status).toBe(400);
    expect((await site.app.request(await callbackOf(url, 'ana'), { headers: { cookie } })).status).toBe(400);
    const again = new URL((await (await site.app.request('/api/auth/hosted')).json()).url);
    again.searchParams.set('state', `${again.searchParams.get('state')}.${ticket}`);
    const response = await site.app.request(await callbackOf(again, 'ana'), { headers: { cookie } });
    expect(response.headers.get('location')).toMatch(/#token=/);
  });

  it('ends in the portal for a ticket whose client is gone', async () => {
    const id = await registered(site.app);
    const begun = await beginAt({}, id);
    await site.app.deps.store.clients.delete(id);
    expect(await endOf(begun)).toMatch(/#token=/);
  });

  it('is impossible at the idp: the ticket is used up, and the person ends in the portal', async () => {
    const begun = await beginAt();
    const staff = new URL((await (await site.app.request('/api/auth/idp')).json()).url);
    staff.searchParams.set('state', `${staff.searchParams.get('state')}.${begun.ticket}`);
    const response = await site.app.request(await callbackOf(staff, 'staff', 'idp'), {
      headers: { cookie: begun.cookie },
    });
    expect(response.headers.get('location')).toMatch(/#token=/);
    expect(await endOf(begun)).toMatch(/#token=/);
  });

  it('gives a code to one of 50 returns of a sign-in, and 400 to the others', async () => {
    const { url, cookie } = await beginAt();
    const callback = await callbackOf(url, 'ana');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => site.app.request(callback, { headers: { cookie } })),
    );
    const places = answers.map((answer) => answer.headers.get('location') ?? '');
    expect(places.filter((place) => place.startsWith(CALLBACK))).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
  });
});

describe('a request that is too long for a state', () => {
  const long = 'https://client.example/app/callback'.padEnd(2_048, 'x');
  const state = 'ü'.repeat(1_024);

  it('reaches the client with a state of 2,048 bytes, an address of 2,048 and a scope of 1,000', async () => {
    const id = await registered(site.app, CALLBACK, `${CALLBACK}?${'x'.repeat(2_000)}`);
    const redirect_uri = `${CALLBACK}?${'x'.repeat(2_000)}`;
    const browser = site.browser();
    const query = authorizeQuery(id, { state, redirect_uri, scope: 'x '.repeat(500) });
    const { url } = await signInAt(browser, await browser.open(`${site.base}${query}`), 'ana');
    expect(url.href.startsWith(redirect_uri)).toBe(true);
    expect(url.searchParams.get('state')).toBe(state);
    expect(site.hosted.asked.at(-1)?.get('state')?.length).toBeLessThan(2_048);
    expect(browser.cookies(`${site.base}/api/auth/hosted/callback`)).toEqual({});
  });

  it('keeps what the state cannot carry in two sealed cookies for the callback alone', async () => {
    const id = await registered(site.app, long);
    const response = await authorize({ state, redirect_uri: long }, id);
    const [binding, ...kept] = response.headers.getSetCookie();
    expect(binding).toMatch(/^svc_oauth_binding=/);
    expect(kept).toHaveLength(2);
    for (const line of kept) {
      expect(line).toMatch(/^svc_oauth_request_[01]=[\w-]{1,3900}; Max-Age=600; /);
      expect(line).toMatch(/; Path=\/api\/auth\/hosted\/callback; HttpOnly; SameSite=Lax$/);
    }
  });

  it('ends in the portal in a browser that has another request', async () => {
    const [one, two] = [await beginAt({ state }), await beginAt({ state })];
    expect(await endOf({ ...one, cookie: two.cookie })).toMatch(/#token=/);
    const [three, four] = [await beginAt({ state }), await beginAt({ state })];
    const binding = three.cookie.split('; ')[0] ?? '';
    const kept = four.cookie.split('; ').slice(1);
    expect(await endOf({ ...three, cookie: [binding, ...kept].join('; ') })).toMatch(/#token=/);
    expect(await endOf(four)).toMatch(/^https:\/\/client\.example\//);
  });
});

interface Begun {
  /** The provider's address. */
  url: URL;
  state: string;
  ticket: string;
  /** The cookies that the browser keeps. */
  cookie: string;
}

async function beginAt(changes: Record<string, string> = {}, id = client): Promise<Begun> {
  const response = await authorize(changes, id);
  const url = new URL(response.headers.get('location') ?? '');
  const state = url.searchParams.get('state') ?? '';
  const [, ticket = ''] = state.split('.');
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { url, state, ticket, cookie };
}

/** Signs in and returns where the browser that began ends. */
async function endOf({ url, cookie }: Begun): Promise<string> {
  const response = await site.app.request(await callbackOf(url, 'ana'), { headers: { cookie } });
  return response.headers.get('location') ?? '';
}

/** The provider's redirect back to us, not yet followed. */
async function callbackOf(url: URL, login: string, provider = 'hosted'): Promise<string> {
  const browser = site.browser({ stopsAt: `/api/auth/${provider}/callback` });
  const arrived = await signInAt(browser, await browser.open(url), login);
  return `${arrived.url.pathname}${arrived.url.search}`;
}

describe('/oauth/callback', () => {
  it('shows its own address to copy, under a strict policy', async () => {
    const response = await site.app.request('/oauth/callback?code=secret');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; font-src 'self'; form-action 'none';/,
    );
    expect(policy.replace("font-src 'self'", '')).not.toMatch(/unsafe|https?:|'self'/);
    const text = await response.text();
    expect(text).toContain('<input');
    expect(text).not.toContain('secret');
  });
});
