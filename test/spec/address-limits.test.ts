// Tests the limits by address for those who are not signed in. reference: Limits by address; decision: 019
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE, type ConsentStand, openConsentStand } from '../support/consent-stand.ts';
import { authorizeQuery, CALLBACK, register, registered } from '../support/oauth-client.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let stand: ConsentStand;
let app: TestApp;
let client: string;
beforeAll(async () => {
  stand = await openConsentStand();
  app = await stand.open({
    TRUST_PROXY: 'true',
    OAUTH_CONSENT: 'never',
    IDP_ISSUER_URL: stand.provider.issuer,
  });
  client = await registered(app);
});
afterAll(async () => {
  await app.close();
  await stand.close();
});

let addresses = 0;
/** Returns the headers of an address that nobody has used yet. */
const newcomer = () => ({ 'x-forwarded-for': `203.0.113.${++addresses}` });

type Call = (headers: Record<string, string>) => Promise<Response>;
const authorize: Call = (headers) => app.request(authorizeQuery(client), { headers });
const begin: Call = (headers) => app.request('/api/auth/hosted', { headers });
const refresh: Call = (headers) =>
  app.request('/token', {
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'refresh_token', client_id: client, refresh_token: 'x' }),
  });
const useKey: Call = (headers) =>
  app.request('/rest', { headers: { ...headers, 'x-service-api-key': 'f'.repeat(64) } });

async function statuses(call: Call, times: number, headers: Record<string, string>): Promise<number[]> {
  const seen: number[] = [];
  for (let count = 0; count < times; count++) seen.push((await call(headers)).status);
  return seen;
}

describe.each([
  ['/authorize', authorize, 60, 302],
  ['a sign-in that begins', begin, 60, 200],
  ['a refused token', refresh, 120, 400],
  ['an unknown API key', useKey, 120, 401],
] as const)('the limit on %s', (_, call, limit, status) => {
  it(`is ${limit} in a minute for one address, and then 429 with Retry-After`, async () => {
    const [headers, other] = [newcomer(), newcomer()];
    expect(new Set(await statuses(call, limit, headers))).toEqual(new Set([status]));
    app.clock.advance(20);
    const refused = await call(headers);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
    expect(refused.headers.get('set-cookie')).toBeNull();
    expect(await refused.text()).toContain('Try again in 40 seconds.');
    expect((await call(other)).status).toBe(status);
    app.clock.advance(40);
    expect((await call(headers)).status).toBe(status);
  });

  it('counts all addresses of an IPv6 /64 as one', async () => {
    const site = `2001:db8:${++addresses}`;
    for (let count = 0; count < limit; count++)
      await call({ 'x-forwarded-for': `${site}::${count.toString(16)}` });
    expect((await call({ 'x-forwarded-for': `${site}::ffff` })).status).toBe(429);
  });

  it('is off where the runtime does not tell the address, and on loopback', async () => {
    expect(new Set(await statuses(call, limit + 1, {}))).toEqual(new Set([status]));
    const whole = { app, client };
    app = await createTestApp({
      env: { TRUST_PROXY: 'true', HOSTED_ISSUER_URL: stand.provider.issuer, HOSTED_CLIENT_ID: 'gateway' },
    });
    client = await registered(app);
    expect(new Set(await statuses(call, limit + 1, newcomer()))).toEqual(new Set([status]));
    await app.close();
    ({ app, client } = whole);
  });
});

describe('people behind one address', () => {
  it('sign in as often as they like, because a sign-in that succeeds does not count', async () => {
    const headers = newcomer();
    for (let count = 0; count < 70; count++) {
      const { url } = await (await begin(headers)).json();
      const query = new URL(url).searchParams;
      stand.nonce = query.get('nonce') ?? '';
      const callback = `/api/auth/hosted/callback?code=x&state=${query.get('state')}`;
      expect((await app.request(callback, { headers })).status).toBe(302);
    }
  });

  it('come back from the provider when others have used up the limit', async () => {
    const headers = newcomer();
    const { url } = await (await begin(headers)).json();
    const query = new URL(url).searchParams;
    await statuses(begin, 60, headers);
    stand.nonce = query.get('nonce') ?? '';
    const callback = `/api/auth/hosted/callback?code=x&state=${query.get('state')}`;
    expect((await app.request(callback, { headers })).status).toBe(302);
  });

  it('call with a valid key while others send unknown keys', async () => {
    const headers = newcomer();
    const ana = await app.user();
    expect((await statuses(useKey, 60, headers)).at(-1)).toBe(401);
    const asBearer = (more: Record<string, string>) =>
      app.request('/rest', { headers: { ...more, authorization: `Bearer ${'f'.repeat(64)}` } });
    expect((await statuses(asBearer, 61, headers)).at(-1)).toBe(429);
    expect((await app.request('/rest', { headers: { ...headers, ...ana.keyHeader } })).status).toBe(200);
    expect((await app.request('/rest', { headers })).status).toBe(401);
  });
});

describe('what stays unlimited', () => {
  it('is /register, as ever', async () => {
    const body = { redirect_uris: [CALLBACK] };
    for (let count = 0; count < 200; count++) expect((await register(app, body)).status).toBe(201);
  });
});

describe('the log', () => {
  it('says once that an address is limited, and what to do behind a proxy that is not trusted', async () => {
    const direct = await stand.open({ OAUTH_CONSENT: 'never' });
    const env = { incoming: { socket: { remoteAddress: '10.0.0.1' } } };
    const id = await registered(direct);
    const request = () =>
      direct.fetchWith(
        new Request(`${BASE}${authorizeQuery(id)}`, { headers: { 'x-forwarded-for': '203.0.113.9' } }),
        env,
      );
    for (let count = 0; count < 65; count++) await request();
    const lines = direct.lines.filter(({ event }) => event === 'address limited');
    expect(lines).toEqual([
      {
        level: 'warn',
        event: 'address limited',
        kind: 'sign-in',
        cure: expect.stringContaining('TRUST_PROXY=true'),
      },
    ]);
    await direct.close();
  });
});
