// Tests the OAuth clients that administrators set in the portal. reference: OAuth clients of integrations; decision: 027
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const PATH = '/api/admin/clients/vaulted';
const SECRET = 'portal-secret';
const CLIENT = { clientId: 'portal-id', clientSecret: SECRET };
const SHOWN = { integration: 'vaulted', clientId: 'portal-id', source: 'portal' };
/** Compose files spell an absent variable like this. */
const NO_CLIENT = { VAULTED_CLIENT_ID: '', VAULTED_CLIENT_SECRET: '' };

let stand: ConnectStand;
let owner: TestUser;
const reopen = async (env: Record<string, string> = NO_CLIENT) => {
  await stand.reopen(env);
  owner = await stand.app.user('owner@localhost');
};
beforeEach(async () => {
  stand = await openConnectStand();
  await reopen();
});
afterEach(() => stand.close());

const asOwner = (method: string, path = PATH, body?: unknown) =>
  stand.api(method, path, body, owner.sessionHeader);
const set = (client: unknown = CLIENT) => asOwner('PUT', PATH, client);
const sealedClient = async () => (await stand.app.deps.store.providerClients.get('vaulted'))?.sealed_client;

async function configured(): Promise<boolean> {
  const { body } = await asOwner('GET', '/api/integrations');
  return body.integrations.find(({ name }: { name: string }) => name === 'vaulted').configured;
}

describe('an administrator', () => {
  it('sets, sees, replaces and deletes the OAuth client of an integration', async () => {
    expect(await asOwner('GET')).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    expect(await configured()).toBe(false);

    expect(await set()).toMatchObject({ status: 200, body: SHOWN });
    expect(await asOwner('GET')).toMatchObject({ status: 200, body: SHOWN });
    expect(await configured()).toBe(true);

    const other = { clientId: 'other-id', clientSecret: 'other-secret' };
    expect((await set(other)).body).toEqual({ ...SHOWN, clientId: 'other-id' });

    expect(await asOwner('DELETE')).toMatchObject({ status: 200, body: { success: true } });
    expect((await asOwner('DELETE')).status).toBe(404);
    expect((await asOwner('GET')).status).toBe(404);
    expect(await configured()).toBe(false);
  });

  it('uses a session or an API key, and no access token', async () => {
    expect((await stand.api('PUT', PATH, CLIENT, owner.keyHeader)).status).toBe(200);
    const { id, email } = owner;
    const user = { userId: id, email, clientId: 'c', scope: 'mcp' };
    const token = stand.app.deps.accessTokens.issue(user);
    const bearer = { authorization: `Bearer ${token}` };
    expect(await call(stand.app, bearer, 'list_integrations')).toHaveProperty('integrations');
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await stand.api(method, PATH, method === 'PUT' ? CLIENT : undefined, bearer)).status).toBe(401);
    expect((await stand.app.request(PATH)).status).toBe(401);
  });

  it('is nobody but the owner and people with the mark', async () => {
    await set();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await stand.api(method, PATH, method === 'PUT' ? CLIENT : undefined);
      expect(answer).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('administrator') },
      });
    }
    expect((await stand.api('GET', '/api/admin/clients/nope')).status).toBe(403);
  });

  it('is not the owner where people sign in with a provider', async () => {
    await reopen({ ...NO_CLIENT, HOSTED_CLIENT_ID: 'x', HOSTED_CLIENT_SECRET: 'y' });
    expect((await set()).status).toBe(403);
  });
});

describe('the secret', () => {
  it('is never answered or logged, and is stored sealed', async () => {
    const instances = { 'https://git.corp.example': { clientId: 'i', clientSecret: 'instance-secret' } };
    const answers = [
      await set({ ...CLIENT, instances }),
      await asOwner('GET'),
      await set({ clientId: 7, clientSecret: SECRET }),
      await asOwner('GET', '/api/integrations/vaulted'),
    ];
    const stored = (await sealedClient()) ?? '';
    expect(stored).toMatch(/^v1\./);
    const told = JSON.stringify([answers.map(({ body }) => body), stored, stand.app.lines]);
    expect(told).toContain('portal-id');
    for (const secret of [SECRET, 'instance-secret']) expect(told).not.toContain(secret);
  });

  it('stays when the form has the same id and no secret, and not with another id', async () => {
    await set();
    const instances = { 'https://git.corp.example': { clientId: 'i', clientSecret: 's' } };
    expect((await set({ clientId: 'portal-id', instances })).status).toBe(200);
    expect((await set({ clientId: 'portal-id' })).status).toBe(200);
    const url = await stand.start();
    expect((await stand.comeBack(url)).status).toBe(302);
    expect(stand.provider.tokenRequests.at(-1)?.form).toMatchObject({ client_secret: SECRET });
    expect(await set({ clientId: 'other-id' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('clientSecret') },
    });
  });

  it('has to be entered again when no encryption key opens it', async () => {
    await set();
    await stand.app.deps.store.providerClients.put({
      integration: 'vaulted',
      sealed_client: 'v1.00000000.AAAA',
      updated_at: 1,
    });
    expect(await asOwner('GET')).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('Enter it again') },
    });
    expect(await stand.api('GET', '/api/auth/vaulted')).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('can no longer be opened') },
    });
    expect((await set()).status).toBe(200);
    expect((await stand.api('GET', '/api/auth/vaulted')).status).toBe(200);
  });
});

describe('a form', () => {
  it.each<[string, unknown, RegExp]>([
    ['without an id', { clientSecret: 's' }, /clientId/],
    ['with an empty id', { clientId: '  ', clientSecret: 's' }, /clientId: is empty/],
    ['without a secret', { clientId: 'i' }, /clientSecret/],
    ['with letters outside ASCII', { clientId: 'ü', clientSecret: 's' }, /clientId: .*ASCII/],
    ['with a line break', { clientId: 'i', clientSecret: 'a\nb' }, /clientSecret: .*ASCII/],
    ['with a long id', { clientId: 'i'.repeat(513), clientSecret: 's' }, /clientId: .*512/],
    ['with a long secret', { clientId: 'i', clientSecret: 's'.repeat(2049) }, /clientSecret: .*2048/],
    ['with an unknown member', { ...CLIENT, scope: 'all' }, /scope/],
    ['with a path as an instance', { ...CLIENT, instances: { 'https://a.example/x': CLIENT } }, /origin/],
    [
      'with an instance without a secret',
      { ...CLIENT, instances: { 'https://a.example': { clientId: 'i' } } },
      /a\.example\.clientSecret/,
    ],
    ['that is no object', 'x', /./],
  ])('%s is refused and changes nothing', async (_kind, form, message) => {
    expect(await set(form)).toMatchObject({ status: 400, body: { error: expect.stringMatching(message) } });
    expect((await asOwner('GET')).status).toBe(404);
  });

  it('with more than 50 instances is refused', async () => {
    const origins = Array.from({ length: 51 }, (_, at) => [`https://a${at}.example`, CLIENT]);
    const { status } = await set({ ...CLIENT, instances: Object.fromEntries(origins) });
    expect(status).toBe(400);
  });

  it('loses the spaces around its values', async () => {
    expect((await set({ clientId: ' portal-id\n', clientSecret: ` ${SECRET} ` })).body).toEqual(SHOWN);
  });

  it('is for an integration with OAuth only', async () => {
    for (const name of ['nope', 'keyed', 'time', '__proto__'])
      expect((await asOwner('PUT', `/api/admin/clients/${name}`, CLIENT)).status, name).toBe(404);
    const instances = { 'https://a.atlassian.net': CLIENT };
    expect(await asOwner('PUT', '/api/admin/clients/jira', { ...CLIENT, instances })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('all instances') },
    });
    expect((await asOwner('PUT', '/api/admin/clients/slack', { ...CLIENT, instances })).status).toBe(400);
  });
});

describe('a client of the environment', () => {
  it('wins over the stored one, is shown as such and cannot be changed here', async () => {
    await set();
    const { store } = stand.app.deps;
    const env = { VAULTED_CLIENT_ID: 'env-id', VAULTED_CLIENT_SECRET: 'env-secret' };
    const other = await createTestApp({ env, ports: { store: { ...store, close: async () => {} } } });
    const ask = (method: string, body?: unknown) =>
      other.request(PATH, {
        method,
        headers: owner.sessionHeader,
        body: body === undefined ? null : JSON.stringify(body),
      });
    expect(await (await ask('GET')).json()).toEqual({
      integration: 'vaulted',
      clientId: 'env-id',
      source: 'environment',
    });
    for (const answer of [await ask('PUT', CLIENT), await ask('DELETE')]) {
      expect(answer.status).toBe(409);
      expect(await answer.json()).toEqual({ error: expect.stringContaining('VAULTED_CLIENT_ID') });
    }
    await other.close();
    expect((await asOwner('GET')).body).toEqual(SHOWN);
  });

  it('shows its instances without their secrets', async () => {
    const instances = { 'https://git.corp.example': { clientId: 'i', clientSecret: 'hidden' } };
    await reopen({ VAULTED_INSTANCES: JSON.stringify(instances) });
    expect((await asOwner('GET')).body).toEqual({
      integration: 'vaulted',
      clientId: 'vaulted-id',
      source: 'environment',
      instances: [{ origin: 'https://git.corp.example', clientId: 'i' }],
    });
  });
});

describe('people', () => {
  it('connect and refresh with the client of the portal', async () => {
    expect(await stand.api('GET', '/api/auth/vaulted')).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('VAULTED_CLIENT_ID') },
    });
    await set();
    const url = await stand.start();
    expect(url.searchParams.get('client_id')).toBe('portal-id');
    expect((await stand.comeBack(url)).status).toBe(302);
    stand.app.clock.advance(3_600);
    const { results } = await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'vaulted_get', args: { path: '/hello' } }],
    });
    expect(results).toEqual([expect.objectContaining({ result: expect.anything() })]);
    expect(
      stand.provider.tokenRequests.map(({ form }) => [form['grant_type'], form['client_secret']]),
    ).toEqual([
      ['authorization_code', SECRET],
      ['refresh_token', SECRET],
    ]);
  });

  it('connect an instance with the client of that instance only', async () => {
    const origin = stand.provider.url;
    await reopen({ ...NO_CLIENT, EGRESS_ALLOW: '127.0.0.1' });
    const at = `/api/auth/vaulted?instanceUrl=${encodeURIComponent(origin)}`;
    await set();
    expect(await stand.api('GET', at)).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('OAuth client in the portal') },
    });
    expect(
      (await set({ ...CLIENT, instances: { [origin]: { clientId: 'i', clientSecret: 's' } } })).body,
    ).toEqual({
      ...SHOWN,
      instances: [{ origin, clientId: 'i' }],
    });
    const { body } = await stand.api('GET', at);
    expect(new URL(body.url).searchParams.get('client_id')).toBe('i');
  });

  it('see a change at once on another process, and calls read nothing of it', async () => {
    let reads = 0;
    const { store, clock } = stand.app.deps;
    const counting = {
      ...store,
      providerClients: {
        ...store.providerClients,
        get(integration: string) {
          reads++;
          return store.providerClients.get(integration);
        },
      },
      close: async () => {},
    };
    const env = { UPSTREAM_MAP: `https://vaulted.example=${stand.provider.url}` };
    const other: TestApp = await createTestApp({ env, ports: { store: counting, clock } });
    const begin = () => other.request('/api/auth/vaulted', { headers: stand.ana.sessionHeader });
    expect((await begin()).status).toBe(503);
    await set();
    expect((await begin()).status).toBe(200);
    await set({ clientId: 'next-id', clientSecret: 'next' });
    const { url } = JSON.parse(await (await begin()).text());
    expect(new URL(url).searchParams.get('client_id')).toBe('next-id');

    await stand.comeBack(await stand.start());
    reads = 0;
    await call(other, stand.ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'vaulted_get', args: { path: '/hello' } }],
    });
    expect(stand.provider.calls).toHaveLength(1);
    expect(reads).toBe(0);
    await other.close();
  });
});
