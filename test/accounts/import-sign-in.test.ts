// Tests several accounts of an import that finds its provider by itself. reference: Several accounts; decision: 045
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfigOf } from '../../src/connections/model/config.ts';
import { rememberScopes } from '../../src/imports/oauth/step-up.ts';
import { createBrowser } from '../support/browser.ts';
import { signInAt } from '../support/gateway-site.ts';
import { type ImportProvider, startImportProvider } from '../support/import-provider.ts';
import { call } from '../support/mcp.ts';
import { type ProtectedMcp, startProtectedMcp } from '../support/protected-mcp.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let provider: ImportProvider;
let server: ProtectedMcp;
let app: TestApp;
let ana: TestUser;

beforeEach(async () => {
  provider = await startImportProvider({});
  server = await startProtectedMcp(1, provider);
  // The provider uses the real time.
  const now = Math.floor(Date.now() / 1000);
  app = await createTestApp({ now, ports: { integrations: [server.integration('remote', {})] } });
  ana = await app.user();
});
afterEach(async () => {
  await app.close();
  await server.close();
  await provider.close();
});

const rows = () => app.deps.store.connections.of(ana.id, 'remote');

/** Returns the query that the provider was asked with. */
async function signIn(account: string, login: string): Promise<URLSearchParams> {
  const response = await app.request(`/api/auth/remote?account=${account}`, { headers: ana.sessionHeader });
  const { url } = await response.json();
  const browser = createBrowser({ servers: { [BASE]: (request) => app.fetch(request) } });
  const arrived = await signInAt(browser, await browser.open(url), login);
  expect(arrived.url.hash).toBe('#connected=remote');
  return new URL(url).searchParams;
}

async function whoami(account: string): Promise<unknown> {
  const executions = [{ tool: 'remote_whoami', args: {}, account }];
  return (await call(app, ana.keyHeader, 'execute_tools', { executions })).results[0].result;
}

it('keeps the accounts apart, and renews the named one', async () => {
  await signIn('work', 'ana');
  await signIn('home', 'ben');
  const before = await rows();
  await signIn('home', 'ben');
  const after = await rows();
  expect(after.map(({ label }) => label)).toEqual(['work', 'home']);
  expect(after.map(({ access_token: sealed }, at) => sealed === before[at]?.access_token)).toEqual([
    true,
    false,
  ]);
  expect(Object.keys(after.map(readConfigOf)[1] ?? {})).not.toContain('wantedAccount');
  expect([await whoami('work'), await whoami('home')]).toEqual(['ana', 'ben']);
});

it('asks for what the named account has lacked, and for no more in the other one', async () => {
  await signIn('work', 'ana');
  await signIn('home', 'ben');
  const home = (await rows())[1];
  const integration = await app.deps.registries.integration(ana.id, 'remote');
  if (home === undefined || integration === null) throw new Error('nothing is stored');
  await rememberScopes(app.deps, { userId: ana.id, account: home.account }, integration, ['profile']);
  expect((await signIn('home', 'ben')).get('scope')).toContain('profile');
  expect((await signIn('work', 'ana')).get('scope')).not.toContain('profile');
});
