// Tests connecting with OAuth. reference: Connecting an integration; Token refresh
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMemoryPending } from '../../drivers/pending/unstorage.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { fixtures } from '../support/fixtures.ts';
import { call } from '../support/mcp.ts';
import { createTestApp } from '../support/test-app.ts';

let stand: ConnectStand;

beforeEach(async () => {
  stand = await openConnectStand();
});
afterEach(() => stand.close());

describe('GET /api/auth/:integration', () => {
  it('describes how each kind of integration is connected', async () => {
    expect((await stand.api('GET', '/api/auth/time')).body).toEqual({ type: 'none', connected: true });
    expect((await stand.api('GET', '/api/auth/keyed')).body).toEqual({
      type: 'apikey',
      fields: expect.any(Array),
    });
    expect((await stand.api('GET', '/api/auth/nope')).status).toBe(404);
    expect((await stand.api('GET', '/api/auth/vaulted', undefined, {})).status).toBe(401);
  });

  it('sends the person to the provider with client, state and PKCE challenge', async () => {
    const url = await stand.start();
    expect(url.origin + url.pathname).toBe('https://vaulted.example/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'vaulted-id',
      redirect_uri: 'http://localhost:3000/api/auth/plugin/vaulted/callback',
      response_type: 'code',
      scope: 'read write',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
  });

  it("answers 503 without the operator's client, and names what is missing", async () => {
    const bare = await createTestApp();
    const headers = (await bare.user()).sessionHeader;
    const response = await bare.request('/api/auth/vaulted', { headers });
    expect(response.status).toBe(503);
    expect((await response.json()).error).toContain('VAULTED_CLIENT_ID');
    await bare.close();
  });

  it('accepts only instances that the operator has registered', async () => {
    const instances = { [stand.provider.url]: { clientId: 'corp-id', clientSecret: 'corp-secret' } };
    await stand.reopen({ VAULTED_INSTANCES: JSON.stringify(instances) });
    const url = await stand.start(`?instanceUrl=${stand.provider.url}/`);
    expect([url.origin, url.searchParams.get('client_id')]).toEqual([stand.provider.url, 'corp-id']);
    expect((await stand.comeBack(url)).status).toBe(302);
    expect(stand.provider.tokenRequests[0]?.form['client_secret']).toBe('corp-secret');
    const row = await stand.app.deps.store.connections.get(stand.ana.id, 'vaulted', '');
    expect(JSON.parse(row?.config ?? '')).toEqual({ instanceUrl: stand.provider.url });

    const at = async (instanceUrl: string) =>
      (await stand.api('GET', `/api/auth/vaulted?instanceUrl=${encodeURIComponent(instanceUrl)}`)).status;
    expect(await at('http://127.0.0.1:9')).toBe(503);
    expect(await at('nonsense')).toBe(400);
    expect(await at(`${stand.provider.url}/path`)).toBe(400);
    expect(await at(`${stand.provider.url}?x=1`)).toBe(400);
    expect(await at('http://169.254.169.254')).toBe(400);
  });
});

describe('the OAuth callback', () => {
  it('stores sealed tokens and returns the browser to the portal', async () => {
    const response = await stand.comeBack(await stand.start());
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      'http://localhost:3000#connected=vaulted',
    ]);
    expect(await stand.connected('vaulted')).toBe(true);
    const row = await stand.app.deps.store.connections.get(stand.ana.id, 'vaulted', '');
    expect(row).toMatchObject({
      scopes: 'read write',
      expires_at: stand.app.clock.now() + 3600,
      config: '{"instanceUrl":"https://vaulted.example"}',
    });
    expect(JSON.stringify(row)).not.toContain(stand.provider.current.access);
    expect(JSON.stringify(row)).not.toContain(stand.provider.current.refresh);
    expect(stand.provider.tokenRequests[0]?.form).toMatchObject({
      grant_type: 'authorization_code',
      client_id: 'vaulted-id',
      client_secret: 'vaulted-secret',
      redirect_uri: 'http://localhost:3000/api/auth/plugin/vaulted/callback',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('lets a tool call the provider with the token', async () => {
    await stand.comeBack(await stand.start());
    const { results } = await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'vaulted_get', args: { path: '/x' } }],
    });
    expect(results).toEqual([{ result: { status: 200, body: 'hello from /api/x' } }]);
  });

  it.each([9_223_372_036_854_776, 1e300])(
    'stores a token without expiry when its lifetime is %d seconds',
    async (seconds) => {
      stand.provider.expiresIn = seconds;
      expect((await stand.comeBack(await stand.start())).status).toBe(302);
      const { status, body } = await stand.api('GET', '/api/connections');
      expect(status).toBe(200);
      expect(body.connections).toContainEqual(
        expect.objectContaining({
          name: 'vaulted',
          connected: true,
          health: 'ok',
          status: 'ok',
          way: 'oauth2',
        }),
      );
    },
  );

  it('accepts a state once, even of 50 concurrent callbacks', async () => {
    const url = await stand.start();
    const answers = await Promise.all(Array.from({ length: 50 }, () => stand.comeBack(url)));
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
  });

  it.each([
    ['the provider’s error', { error: 'access_denied', error_description: 'You said no' }, /You said no/],
    ['no code', { code: '' }, /without its code/],
    ['no state', { state: '' }, /without its code or state/],
    ['a state of nobody', { state: 'x' }, /expired or was used/],
    ['a code the provider does not know', { code: 'other' }, /Vaulted refused: invalid_grant/],
  ])('answers 400 to %s and stores nothing', async (_, changes, message) => {
    const { status, body } = await stand.comeBack(await stand.start(), changes);
    expect(status).toBe(400);
    expect(body.error).toMatch(message);
    expect(await stand.connected('vaulted')).toBe(false);
  });

  it('answers a browser with a page that has a way back', async () => {
    const url = await stand.start();
    const callback = `/api/auth/plugin/vaulted/callback?error=access_denied&state=${url.searchParams.get('state')}`;
    const response = await stand.app.request(callback, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const page = await response.text();
    expect(page).toContain('Vaulted did not grant access: access_denied');
    expect(page).toContain('<a href="http://localhost:3000">Back to the portal</a>');
  });

  it('is bound to its integration: a state shown at another one is used up', async () => {
    const vaulted = fixtures.find(({ name }) => name === 'vaulted');
    if (vaulted === undefined) throw new Error('no fixture');
    const twins = [vaulted, { ...vaulted, name: 'twin', tools: [] }];
    await stand.reopen({ TWIN_CLIENT_ID: 'x', TWIN_CLIENT_SECRET: 'y' }, { integrations: twins });
    const url = await stand.start();
    expect((await stand.comeBack(url, {}, {}, 'twin')).status).toBe(400);
    expect((await stand.comeBack(url)).status).toBe(400);
    expect(stand.provider.tokenRequests).toEqual([]);
  });

  it('refuses a state after ten minutes, and not before', async () => {
    const [young, old] = [await stand.start(), await stand.start()];
    stand.app.clock.advance(599);
    expect((await stand.comeBack(young)).status).toBe(302);
    stand.app.clock.advance(1);
    expect((await stand.comeBack(old)).status).toBe(400);
    expect(stand.provider.tokenRequests).toHaveLength(1);
  });

  it('refuses a browser that is signed in as another user', async () => {
    const bea = await stand.app.user('bea@example.com');
    expect((await stand.comeBack(await stand.start(), {}, bea.sessionHeader)).status).toBe(400);
    expect((await stand.comeBack(await stand.start(), {}, stand.ana.sessionHeader)).status).toBe(302);
  });

  it('connects even when the pending connection cannot be updated', async () => {
    const pending = openMemoryPending(stand.app.clock);
    await stand.reopen(
      {},
      { pending: { ...pending, connect: () => Promise.reject(new Unavailable('away')) } },
    );
    const response = await stand.comeBack(await stand.start());
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      'http://localhost:3000#connected=vaulted',
    ]);
    expect(await stand.connected('vaulted')).toBe(true);
    expect(stand.app.lines).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'the agent was not notified of a connection' }),
    );
  });

  it('says so when the provider is down, and stores nothing', async () => {
    const url = await stand.start();
    await stand.provider.close();
    const { status, body } = await stand.comeBack(url);
    expect([status, body.error]).toEqual([400, 'vaulted.example could not be reached']);
    expect(await stand.connected('vaulted')).toBe(false);
  });
});

describe('disconnecting', () => {
  it('deletes only the local row', async () => {
    await stand.comeBack(await stand.start());
    expect((await stand.api('GET', '/api/connections')).body.connections).toContainEqual(
      expect.objectContaining({ name: 'vaulted', connected: true, health: 'ok' }),
    );
    expect((await stand.api('DELETE', '/api/connections/vaulted')).body).toEqual({ success: true });
    expect((await stand.api('GET', '/api/connections')).body.connections).toContainEqual({
      name: 'vaulted',
      connected: false,
    });
    // The provider saw only the code exchange.
    expect([stand.provider.tokenRequests.length, stand.provider.calls]).toEqual([1, []]);
  });
});

describe('stored data', () => {
  it('contains no readable secret in database files, logs or metrics', async () => {
    const secrets = ['k-very-secret', 'a-very-secret', 'c-very-secret', stand.ana.apiKey];
    await stand.comeBack(await stand.start());
    await stand.api('POST', '/api/auth/apikey/keyed', {
      values: { region: 'eu', apiKey: secrets[0], appKey: secrets[1] },
    });
    const cookie = { name: 'sid', value: secrets[2], domain: '127.0.0.1', path: '/' };
    await stand.api('POST', '/api/integrations/jar/session/import', {
      session: [cookie],
      instanceUrl: stand.provider.url,
    });
    for (const tool of ['vaulted_get', 'keyed_get', 'jar_get']) {
      await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
        executions: [{ tool, args: { path: '/open' } }],
      });
    }
    secrets.push(stand.provider.current.access, stand.provider.current.refresh);

    const files = (await readdir(stand.app.folder)).map((name) =>
      readFile(join(stand.app.folder, name), 'latin1'),
    );
    const seen = [
      ...(await Promise.all(files)),
      JSON.stringify(stand.app.lines),
      (await stand.app.deps.metrics.expose()).text,
    ].join();
    expect(seen.length).toBeGreaterThan(50_000);
    expect(seen).toContain('keyed_get');
    for (const secret of secrets) expect(seen).not.toContain(secret);
  });
});
