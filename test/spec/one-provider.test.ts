// Tests one real provider that is both the hosted provider and the idp, for groups and MCP clients together. The
// provider lists groups at userinfo only. reference: Groups; Authorize tickets; decision: 017
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewaySite, openGatewaySite, signInAt } from '../support/gateway-site.ts';
import { authorizeQuery, CALLBACK, registered, token } from '../support/oauth-client.ts';

/** The groups at the provider, by login. */
const groups = new Map<string, string[]>();
let site: GatewaySite;
let login: string;
let logins = 0;

beforeAll(async () => {
  site = await openGatewaySite({
    hasOneProvider: true,
    env: { IDP_ADMIN_GROUP: 'ops', IDP_MEMBER_GROUP: 'staff' },
    claims: (name, use) => ({
      email: `${name}@example.com`,
      email_verified: true,
      ...(use === 'userinfo' ? { groups: groups.get(name) } : {}),
    }),
  });
  // The first person is the owner, whom no group changes.
  groups.set('first', ['staff']);
  login = 'first';
  await enterPortal('idp');
});
afterAll(() => site.close());
beforeEach(() => {
  login = `person-${++logins}`;
});

async function enterPortal(provider: 'hosted' | 'idp'): Promise<number> {
  const browser = site.browser();
  const { url } = await (await site.app.request(`/api/auth/${provider}`)).json();
  const { url: at, status } = await signInAt(browser, await browser.open(url), login);
  return at.hash.startsWith('#token=') ? 200 : status;
}

/** Connects a new MCP client, and returns its access token. */
async function connect(): Promise<string | number> {
  const client_id = await registered(site.app);
  const browser = site.browser();
  const page = await browser.open(`${site.base}${authorizeQuery(client_id)}`);
  const { url, status } = await signInAt(browser, page, login);
  const code = url.searchParams.get('code');
  if (!url.href.startsWith(CALLBACK) || code === null) return status;
  const { body } = await token(site.app, {
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri: CALLBACK,
    code_verifier: 'v'.repeat(43),
  });
  return body.access_token;
}

const call = async (accessToken: string | number) =>
  (
    await site.app.request('/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
  ).status;

const person = () => site.app.deps.store.users.byEmail(`${login}@example.com`);

describe('one provider as hosted and idp', () => {
  it('gives the role in the portal, and the same person an MCP client', async () => {
    groups.set(login, ['ops']);
    expect(await enterPortal('idp')).toBe(200);
    expect(await person()).toMatchObject({ is_admin: true, idp_sub: login, hosted_sub: null });
    expect(await call(await connect())).toBe(200);
    expect(await person()).toMatchObject({ is_admin: true, idp_sub: login, hosted_sub: login });
  });

  it('lets in a client of somebody outside the groups who never came through the idp', async () => {
    groups.set(login, []);
    expect(await call(await connect())).toBe(200);
    expect(await person()).toMatchObject({ is_admin: false, outside_since: null });
  });

  it('ends and keeps out the clients of a person whom the idp has refused, until it lets the person in', async () => {
    groups.set(login, ['staff']);
    expect(await enterPortal('idp')).toBe(200);
    const accessToken = await connect();
    groups.set(login, []);
    // The hosted provider does not look at groups, so nothing ends before the next sign-in at the idp.
    expect(await call(accessToken)).toBe(200);
    expect(await enterPortal('idp')).toBe(403);
    expect(await call(accessToken)).toBe(401);
    expect(await connect()).toBe(403);
    groups.set(login, ['staff']);
    site.app.clock.advance(1);
    expect(await enterPortal('idp')).toBe(200);
    expect(await call(await connect())).toBe(200);
  });

  it('refuses a person about whom it says nothing, and ends nothing', async () => {
    groups.set(login, ['staff']);
    expect(await enterPortal('idp')).toBe(200);
    const accessToken = await connect();
    groups.delete(login);
    expect(await enterPortal('idp')).toBe(403);
    expect(await call(accessToken)).toBe(200);
    expect(await call(await connect())).toBe(200);
  });
});
