// Tests connections against oidc-provider with PKCE enforced and rotating refresh tokens. reference: Connecting an integration; Token refresh, against oidc-provider with PKCE enforced and refresh tokens that rotate
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser } from '../support/browser.ts';
import { signInAt } from '../support/gateway-site.ts';
import { call } from '../support/mcp.ts';
import { startStrictProvider, STRICT_CLIENT, type StrictProvider } from '../support/strict-provider.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let provider: StrictProvider;
let app: TestApp;
let ana: TestUser;
let accessSeconds = 10;

beforeAll(async () => {
  provider = await startStrictProvider(
    'http://localhost:3000/api/auth/plugin/strict/callback',
    () => accessSeconds,
  );
  app = await createTestApp({
    env: { STRICT_CLIENT_ID: STRICT_CLIENT.id, STRICT_CLIENT_SECRET: STRICT_CLIENT.secret },
    ports: { integrations: [provider.integration] },
  });
  ana = await app.user();
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

const me = async (times = 1) =>
  (
    await call(app, ana.keyHeader, 'execute_tools', {
      executions: Array.from({ length: times }, () => ({ tool: 'strict_me', args: {} })),
    })
  ).results;

describe('a strict provider', () => {
  it("is connected through an agent's link, with PKCE, through its own pages", async () => {
    const browser = createBrowser({ servers: { 'http://localhost:3000': app.fetch } });
    const { connectionId, url } = await call(app, ana.keyHeader, 'connect', { integration: 'strict' });
    const arrived = await signInAt(browser, await browser.open(url), 'ana');
    expect(arrived.url.hash).toBe('#connected=strict');
    expect(await call(app, ana.keyHeader, 'wait_for_connection', { connectionId })).toEqual({
      status: 'CONNECTED',
    });
    expect(provider.grants).toEqual([{ type: 'token', status: 200 }]);
  });

  it('refuses a code without its verifier, and nothing stored is overwritten', async () => {
    const { url } = await (await app.request('/api/auth/strict', { headers: ana.sessionHeader })).json();
    const tampered = new URL(url);
    tampered.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
    const browser = createBrowser({ servers: { 'http://localhost:3000': app.fetch } });
    const arrived = await signInAt(browser, await browser.open(tampered), 'ana');
    expect([arrived.status, arrived.text]).toEqual([
      400,
      expect.stringContaining('Strict refused: invalid_grant'),
    ]);
    expect(provider.grants.at(-1)?.status).toBe(400);
  });

  it('sees one refresh for fifty calls on an expired token, and all of them succeed', async () => {
    const before = provider.grants.length;
    accessSeconds = 3_600;
    expect(await me(50)).toEqual(Array.from({ length: 50 }, () => ({ result: { sub: 'ana' } })));
    expect(provider.grants.slice(before)).toEqual([{ type: 'token', status: 200 }]);
  });

  it('works over many rotations, one after the other', async () => {
    for (let round = 0; round < 5; round++) {
      app.clock.advance(3_600);
      expect(await me()).toEqual([{ result: { sub: 'ana' } }]);
    }
    expect(provider.grants.slice(-5).every(({ status }) => status === 200)).toBe(true);
  });
});
