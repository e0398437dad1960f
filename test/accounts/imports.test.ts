// Tests imports with two accounts of one service: each call uses the credential of its account, and an import takes all of
// its accounts with it. reference: Several accounts; Imports
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startChangingServer, tool } from '../support/changing-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { startService } from '../support/openapi-service.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const LABELS = ['work', 'home'] as const;
type Label = (typeof LABELS)[number];
const tokenOf = (label: string) => `token-of-${label}`;
const AUTH = { type: 'headers', headers: { Authorization: 'Bearer {token}' } };

/** A service with two accounts, and the tokens that its calls brought. */
interface Imported {
  tool: string;
  args: object;
  tokens(): (string | null)[];
  address: string;
  close(): Promise<unknown>;
}

async function startMcp(): Promise<Imported> {
  const server = await startChangingServer([tool('get', { annotations: { readOnlyHint: true } })], {
    tokens: LABELS.map(tokenOf),
  });
  const tokens = () => server.calls.map(({ token }) => token);
  return {
    tool: 'acme_get',
    args: {},
    tokens,
    address: server.address,
    close: () => server.close(),
  };
}

async function startOpenApi(): Promise<Imported> {
  const service = await startService();
  const seen: (string | null)[] = [];
  Object.assign(service.description.components, {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  });
  Object.assign(service.description, { security: [{ token: [] }] });
  service.guard = ({ headers }) => {
    seen.push(headers.get('authorization')?.replace('Bearer ', '') ?? null);
    return null;
  };
  return {
    tool: 'acme_list_customers',
    args: {},
    tokens: () => seen,
    address: service.address,
    close: () => service.close(),
  };
}

let app: TestApp;
let user: TestUser;
let ana: ImportUser;
let service: Imported;

beforeEach(async () => {
  app = await createTestApp();
  user = await app.user('owner@localhost');
  ana = createImportUser(app, user);
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
  await service.close();
});

const accounts = async () => (await app.deps.store.connections.of(user.id, 'acme')).map(({ label }) => label);
const use = (account: Label) => ana.run(service.tool, service.args, { account });

async function connectBoth(start: () => Promise<Imported>): Promise<void> {
  service = await start();
  await ana.add({ address: service.address, auth: AUTH });
  for (const account of LABELS) {
    const body = { values: { token: tokenOf(account) }, account };
    expect((await ana.send('POST', '/api/auth/apikey/acme', body)).status).toBe(200);
  }
  expect(new Set(await accounts())).toEqual(new Set(LABELS));
  service.tokens().length = 0;
}

describe.each([
  ['an MCP server', startMcp],
  ['an OpenAPI service', startOpenApi],
])('%s with two accounts', (_, start) => {
  beforeEach(() => connectBoth(start));

  it('gets from each call the credential of the account that it names', async () => {
    const before = service.tokens().length;
    for (const account of ['work', 'home', 'work'] as const)
      expect(await use(account)).toMatchObject({ result: expect.anything(), account });
    expect(service.tokens().slice(before)).toEqual(['work', 'home', 'work'].map(tokenOf));
  });

  it('goes on with the other account when one is disconnected', async () => {
    expect((await ana.send('DELETE', '/api/connections/acme?account=work')).status).toBe(200);
    expect(await accounts()).toEqual(['home']);
    const before = service.tokens().length;
    expect(await ana.run(service.tool, service.args)).toMatchObject({ result: expect.anything() });
    expect(service.tokens().slice(before)).toEqual([tokenOf('home')]);
  });

  it('takes both accounts with it when the import is deleted', async () => {
    expect((await ana.send('DELETE', '/api/imports/acme')).status).toBe(200);
    expect(await accounts()).toEqual([]);
    expect(await use('home')).toMatchObject({ error: expect.stringContaining('not found') });
  });
});
