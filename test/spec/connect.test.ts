// spec: Connecting an integration; Provider (plugin) connections; Connect-link endpoints
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMemoryPending } from '../../drivers/pending/unstorage.ts';
import type { Ports } from '../../src/deps.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { fixtures } from '../support/fixtures.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';
import { type FakeProvider, startProvider } from '../support/fake-provider.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let provider: FakeProvider;
let app: TestApp;
let ana: TestUser;

beforeEach(async () => {
  provider = await startProvider();
  app = await open();
  ana = await app.user();
});
afterEach(async () => {
  await app.close();
  await provider.close();
});

function open(env: Record<string, string> = {}, ports: Partial<Ports> = {}): Promise<TestApp> {
  const registered = {
    VAULTED_CLIENT_ID: 'vaulted-id',
    VAULTED_CLIENT_SECRET: 'vaulted-secret',
    UPSTREAM_MAP: `https://vaulted.example=${provider.url},https://eu.keyed.example=${provider.url}`,
  };
  return createTestApp({ env: { ...registered, ...env }, ports });
}

async function api(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = ana.sessionHeader,
) {
  const init: RequestInit = { method, headers: { ...headers, 'content-type': 'application/json' } };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await app.request(path, init);
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? JSON.parse(text) : text,
  };
}

const start = async (query = '') => new URL((await api('GET', `/api/auth/vaulted${query}`)).body.url);

/** What a person does at the provider: the code comes back to the callback. */
async function comeBack(
  url: URL,
  changes: Record<string, string> = {},
  headers: Record<string, string> = {},
  integration = 'vaulted',
) {
  provider.expect('code-1', url.searchParams.get('code_challenge') ?? '');
  const query = new URLSearchParams({
    code: 'code-1',
    state: url.searchParams.get('state') ?? '',
    ...changes,
  });
  return api('GET', `/api/auth/plugin/${integration}/callback?${query}`, undefined, headers);
}

const connected = async (name: string, headers = ana.keyHeader) =>
  (await call(app, headers, 'list_integrations')).integrations.find(
    (one: { name: string }) => one.name === name,
  ).connected;

describe('GET /api/auth/:integration', () => {
  it('tells how each kind is connected', async () => {
    expect((await api('GET', '/api/auth/time')).body).toEqual({ type: 'none', connected: true });
    expect((await api('GET', '/api/auth/keyed')).body).toEqual({ type: 'apikey', fields: expect.any(Array) });
    expect((await api('GET', '/api/auth/nope')).status).toBe(404);
    expect((await api('GET', '/api/auth/vaulted', undefined, {})).status).toBe(401);
  });

  it('sends the person to the provider with client, state and PKCE challenge', async () => {
    const url = await start();
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

  it('is 503 without the operator’s credentials, naming what is missing', async () => {
    const bare = await createTestApp();
    const headers = (await bare.user()).sessionHeader;
    const response = await bare.request('/api/auth/vaulted', { headers });
    expect(response.status).toBe(503);
    expect((await response.json()).error).toContain('VAULTED_CLIENT_ID');
    await bare.close();
  });

  it('takes an instance the operator has registered, and no other', async () => {
    const instances = { [provider.url]: { clientId: 'corp-id', clientSecret: 'corp-secret' } };
    await app.close();
    app = await open({ VAULTED_INSTANCES: JSON.stringify(instances) });
    ana = await app.user();
    const url = await start(`?instanceUrl=${provider.url}/`);
    expect([url.origin, url.searchParams.get('client_id')]).toEqual([provider.url, 'corp-id']);
    expect((await comeBack(url)).status).toBe(302);
    expect(provider.tokenRequests[0]?.form['client_secret']).toBe('corp-secret');
    const row = await app.deps.store.connections.get(ana.id, 'vaulted');
    expect(JSON.parse(row?.config ?? '')).toEqual({ instanceUrl: provider.url });

    const at = async (instanceUrl: string) =>
      (await api('GET', `/api/auth/vaulted?instanceUrl=${encodeURIComponent(instanceUrl)}`)).status;
    expect(await at('http://127.0.0.1:9')).toBe(503);
    expect(await at('nonsense')).toBe(400);
    expect(await at(`${provider.url}/path`)).toBe(400);
    expect(await at(`${provider.url}?x=1`)).toBe(400);
    expect(await at('http://169.254.169.254')).toBe(400);
  });
});

describe('the callback', () => {
  it('stores sealed tokens and returns the browser to the portal', async () => {
    const response = await comeBack(await start());
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      'http://localhost:3000#connected=vaulted',
    ]);
    expect(await connected('vaulted')).toBe(true);
    const row = await app.deps.store.connections.get(ana.id, 'vaulted');
    expect(row).toMatchObject({
      scopes: 'read write',
      expires_at: app.clock.now() + 3600,
      config: '{"instanceUrl":"https://vaulted.example"}',
    });
    expect(JSON.stringify(row)).not.toContain(provider.current.access);
    expect(JSON.stringify(row)).not.toContain(provider.current.refresh);
    expect(provider.tokenRequests[0]?.form).toMatchObject({
      grant_type: 'authorization_code',
      client_id: 'vaulted-id',
      client_secret: 'vaulted-secret',
      redirect_uri: 'http://localhost:3000/api/auth/plugin/vaulted/callback',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('lets a tool call the provider with the token', async () => {
    await comeBack(await start());
    const { results } = await call(app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'vaulted_get', args: { path: '/x' } }],
    });
    expect(results).toEqual([{ result: { status: 200, body: 'hello from /api/x' } }]);
  });

  it.each([9_223_372_036_854_776, 1e300])('keeps a token for life that says %d seconds', async (seconds) => {
    provider.expiresIn = seconds;
    expect((await comeBack(await start())).status).toBe(302);
    const { status, body } = await api('GET', '/api/connections');
    expect(status).toBe(200);
    expect(body.connections).toContainEqual({ name: 'vaulted', connected: true, health: 'ok' });
  });

  it('takes a state once, and of 50 at once only one', async () => {
    const url = await start();
    const answers = await Promise.all(Array.from({ length: 50 }, () => comeBack(url)));
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
    const { status, body } = await comeBack(await start(), changes);
    expect(status).toBe(400);
    expect(body.error).toMatch(message);
    expect(await connected('vaulted')).toBe(false);
  });

  it('says it to a browser as a page, with a way back', async () => {
    const url = await start();
    const callback = `/api/auth/plugin/vaulted/callback?error=access_denied&state=${url.searchParams.get('state')}`;
    const response = await app.request(callback, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const page = await response.text();
    expect(page).toContain('Vaulted did not grant access: access_denied');
    expect(page).toContain('<a href="http://localhost:3000">Back to the portal</a>');
  });

  it('is bound to its integration: a state shown at another one is burned', async () => {
    const vaulted = fixtures.find(({ name }) => name === 'vaulted');
    if (vaulted === undefined) throw new Error('no fixture');
    const twins = [vaulted, { ...vaulted, name: 'twin', tools: [] }];
    await app.close();
    app = await open({ TWIN_CLIENT_ID: 'x', TWIN_CLIENT_SECRET: 'y' }, { integrations: twins });
    ana = await app.user();
    const url = await start();
    expect((await comeBack(url, {}, {}, 'twin')).status).toBe(400);
    expect((await comeBack(url)).status).toBe(400);
    expect(provider.tokenRequests).toEqual([]);
  });

  it('expires after ten minutes, and not before', async () => {
    const [young, old] = [await start(), await start()];
    app.clock.advance(599);
    expect((await comeBack(young)).status).toBe(302);
    app.clock.advance(1);
    expect((await comeBack(old)).status).toBe(400);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('refuses a browser that proves to be another user', async () => {
    const bea = await app.user('bea@example.com');
    expect((await comeBack(await start(), {}, bea.sessionHeader)).status).toBe(400);
    expect((await comeBack(await start(), {}, ana.sessionHeader)).status).toBe(302);
  });

  it('connects also where nobody can be told of it', async () => {
    const pending = openMemoryPending(app.clock);
    await app.close();
    app = await open({}, { pending: { ...pending, connect: () => Promise.reject(new Unavailable('away')) } });
    ana = await app.user();
    const response = await comeBack(await start());
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      'http://localhost:3000#connected=vaulted',
    ]);
    expect(await connected('vaulted')).toBe(true);
    expect(app.lines).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'agent not told of a connection' }),
    );
  });

  it('says so when the provider is down, and nothing is stored', async () => {
    const url = await start();
    await provider.close();
    const { status, body } = await comeBack(url);
    expect([status, body.error]).toEqual([400, 'vaulted.example could not be reached']);
    expect(await connected('vaulted')).toBe(false);
  });
});

describe('POST /api/auth/apikey/:integration', () => {
  const save = (values: unknown, integration = 'keyed') =>
    api('POST', `/api/auth/apikey/${integration}`, { values });
  const good = { region: 'eu', apiKey: 'k-secret', appKey: 'a-secret', note: 'mine' };

  it('keeps secrets sealed, the rest in the open, and serves tools with both', async () => {
    expect(await save(good)).toMatchObject({ status: 200, body: { success: true } });
    expect(await connected('keyed')).toBe(true);
    const row = await app.deps.store.connections.get(ana.id, 'keyed');
    expect(JSON.parse(row?.config ?? '')).toEqual({ region: 'eu', note: 'mine' });
    expect(JSON.stringify(row)).not.toMatch(/secret/);
    await call(app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'keyed_get', args: { path: '/open' } }],
    });
    expect(provider.calls[0]?.headers).toMatchObject({ 'x-key': 'k-secret', 'x-app': 'a-secret' });
  });

  it('leaves out what belongs to a field left empty', async () => {
    await save({ region: 'eu', apiKey: 'k-secret' });
    await call(app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'keyed_get', args: { path: '/open' } }],
    });
    expect(provider.calls[0]?.headers).not.toHaveProperty('x-app');
  });

  it.each([
    [{}, 'Missing required field: Region'],
    [{ ...good, region: '' }, 'Missing required field: Region'],
    [{ ...good, apiKey: '  ' }, 'Missing required field: API key'],
    [{ ...good, region: 'mars' }, 'Region must be one of: us, eu'],
    [{ ...good, apiKey: 'a\r\nx: y' }, 'API key must not contain line breaks or control characters'],
    [{ ...good, apiKey: 'schlüssel' }, 'API key must be made of ASCII letters, digits and signs'],
  ])('answers 400 to %j', async (values, error) => {
    expect(await save(values)).toMatchObject({ status: 400, body: { error } });
    expect(await connected('keyed')).toBe(false);
  });

  it.each([[undefined], ['x'], [{ region: 5 }], [[]], [null]])('answers 400 to values %j', async (values) => {
    expect((await save(values)).status).toBe(400);
  });

  it('answers 404 where there is no API key to enter', async () => {
    for (const name of ['nope', 'time', 'vaulted', 'jar']) expect((await save(good, name)).status).toBe(404);
  });

  it('is cleared of what the form left out', async () => {
    await save(good);
    await save({ region: 'us', apiKey: 'x' });
    const row = await app.deps.store.connections.get(ana.id, 'keyed');
    expect(JSON.parse(row?.config ?? '')).toEqual({ region: 'us' });
  });

  const placeOf = async (integration: string) =>
    JSON.parse((await app.deps.store.connections.get(ana.id, integration))?.config ?? '');

  it('asks for an instance once: a new key goes where the one before it went', async () => {
    const field = async () => (await api('GET', '/api/auth/redmine')).body.fields[0];
    expect(await field()).toMatchObject({ key: 'instanceUrl', required: true });
    await save({ apiKey: 'one', instanceUrl: provider.url }, 'redmine');
    expect(await field()).toMatchObject({
      required: false,
      placeholder: provider.url,
      help: `Leave this empty to keep ${provider.url}.`,
    });
    expect((await save({ apiKey: 'two', instanceUrl: ' ' }, 'redmine')).status).toBe(200);
    expect(await placeOf('redmine')).toEqual({ instanceUrl: provider.url });
  });

  it('leaves the instance for another address, or for a region', async () => {
    const other = provider.url.replace('127.0.0.1', 'localhost');
    await save({ token: 'one', instanceUrl: provider.url }, 'sentry');
    const { fields } = (await api('GET', '/api/auth/sentry')).body;
    expect(fields[0].help).toBe(`Leave this and “Region” empty to keep ${provider.url}.`);
    await save({ token: 'two' }, 'sentry');
    expect(await placeOf('sentry')).toEqual({ instanceUrl: provider.url });
    await save({ token: 'three', instanceUrl: other }, 'sentry');
    expect(await placeOf('sentry')).toEqual({ instanceUrl: other });
    await save({ token: 'four', region: 'de' }, 'sentry');
    expect(await placeOf('sentry')).toEqual({ region: 'de' });
  });

  it.each(['/api/auth/apikey/keyed', '/api/connect/redeem'])(
    '%s reads no body larger than 64 KiB',
    async (path) => {
      expect((await api('POST', path, { values: {}, token: 'x'.repeat(70_000) })).status).toBe(413);
    },
  );

  it('keeps the former config when a re-store has none', async () => {
    await save(good);
    await app.deps.vault.save(ana.id, 'keyed', { accessToken: '{"apiKey":"x"}' });
    expect(JSON.parse((await app.deps.store.connections.get(ana.id, 'keyed'))?.config ?? '')).toEqual({
      region: 'eu',
      note: 'mine',
    });
  });
});

describe('cookie sessions', () => {
  const INSTANCE = 'http://127.0.0.1:1/w';
  const cookie = {
    name: 'sid',
    value: 'c-secret',
    domain: '127.0.0.1',
    path: '/',
    expires: -1,
    secure: false,
    httpOnly: true,
  };
  const importSession = (body: unknown, name = 'jar') =>
    api('POST', `/api/integrations/${name}/session/import`, body);
  const exportSession = (name = 'jar') => api('GET', `/api/integrations/${name}/session/export`);

  it('come in, connect, serve tools and go out again', async () => {
    const at = provider.url;
    expect(
      await importSession({
        session: [cookie, { ...cookie, domain: 'other.example' }],
        instanceUrl: `${at}/w`,
      }),
    ).toMatchObject({
      status: 200,
      body: { success: true, cookieCount: 1 },
    });
    expect(await connected('jar')).toBe(true);
    await call(app, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'jar_get', args: { path: '/open' } }],
    });
    expect(provider.calls.at(-1)).toMatchObject({ path: '/w/open', headers: { cookie: 'sid=c-secret' } });
    const { body } = await exportSession();
    expect(body).toMatchObject({
      integration: 'jar',
      session: { v: 1, cookies: [{ name: 'sid', value: 'c-secret' }] },
    });
    expect((await importSession(body)).body).toEqual({ success: true, cookieCount: 1 });
    const row = await app.deps.store.connections.get(ana.id, 'jar');
    expect(row?.access_token).toBe('cookie-auth');
    expect(JSON.stringify(row)).not.toContain('c-secret');
  });

  it('keep every cookie that answers set together', async () => {
    const path = '/open';
    await importSession({ session: [cookie], instanceUrl: provider.url });
    provider.setCookie = (count) => `c${count}=1; Path=/`;
    const executions = Array.from({ length: 8 }, () => ({ tool: 'jar_get', args: { path } }));
    await call(app, ana.keyHeader, 'execute_tools', { executions });
    const names = (await exportSession()).body.session.cookies.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'sid']);
  });

  it('take nothing from the host that a redirect leads to', async () => {
    const wiki = await startHttpServer((request, response) => {
      if (request.url === '/there') return response.setHeader('set-cookie', 'own=1; Path=/').end();
      const location = request.url === '/away' ? `${provider.url}/open` : '/there';
      return response.writeHead(302, { location }).end();
    });
    provider.setCookie = () => 'sid=foreign; Path=/';
    const own = { ...cookie, domain: 'localhost' };
    await importSession({ session: [own], instanceUrl: `http://localhost:${wiki.port}` });
    const visit = async (path: string) => {
      await call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool: 'jar_get', args: { path } }] });
      return (await exportSession()).body.session.cookies;
    };
    expect(await visit('/away')).toMatchObject([{ name: 'sid', value: 'c-secret' }]);
    expect(provider.calls).toHaveLength(1);
    expect(await visit('/near')).toMatchObject([{ name: 'sid', value: 'c-secret' }, { name: 'own' }]);
    await wiki.close();
  });

  it.each([
    ['nothing', { session: [], instanceUrl: INSTANCE }, 'cookies: is empty'],
    ['a text', 'x', 'A session is a list of cookies, or an object with one in "cookies"'],
    ['a wrong shape', { session: { cookies: 'x' }, instanceUrl: INSTANCE }, 'cookies: must be a list'],
    [
      'cookies of other sites only',
      { session: [{ ...cookie, domain: 'other.example' }], instanceUrl: INSTANCE },
      'None of these cookies belongs to Jar',
    ],
    [
      'no instance',
      { session: [cookie] },
      'Missing required field: the address of your Jar, such as https://wiki.corp.example/w',
    ],
    [
      'a forbidden instance',
      { session: [cookie], instanceUrl: 'http://169.254.169.254' },
      expect.stringContaining('169.254.169.254'),
    ],
  ])('answers 400 to %s', async (_, body, error) => {
    expect(await importSession(body)).toMatchObject({ status: 400, body: { error } });
    expect(await connected('jar')).toBe(false);
  });

  it('that have all expired do not connect, and do not take the place of a session that works', async () => {
    const stale = { session: [{ ...cookie, value: 'old', expires: app.clock.now() }], instanceUrl: INSTANCE };
    expect(await importSession(stale)).toMatchObject({
      status: 200,
      body: { success: true, cookieCount: 1 },
    });
    expect(await connected('jar')).toBe(false);
    await importSession({ session: [cookie], instanceUrl: INSTANCE });
    expect(await importSession(stale)).toMatchObject({
      status: 400,
      body: {
        error: 'The cookies of this session have all expired. Sign in to Jar again, and export it anew.',
      },
    });
    expect((await exportSession()).body.session.cookies).toEqual([cookie]);
  });

  it('that are no JSON at all are 400', async () => {
    const response = await app.request('/api/integrations/jar/session/import', {
      method: 'POST',
      headers: ana.sessionHeader,
      body: '[{',
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'The session is not valid JSON' },
    ]);
  });

  it('answers 404 where there are no cookies', async () => {
    expect((await importSession([cookie], 'time')).status).toBe(404);
    expect((await exportSession('keyed')).status).toBe(404);
    expect((await exportSession()).status).toBe(404);
  });

  it('is cancelled without an effect', async () => {
    expect((await api('POST', '/api/auth/cookie/jar/cancel')).body).toEqual({ success: true });
  });
});

describe('connect, from an agent', () => {
  const connect = (integration: string, headers: Record<string, string> = ana.keyHeader) =>
    call(app, headers, 'connect', { integration });
  const wait = (connectionId: string) =>
    call(app, ana.keyHeader, 'wait_for_connection', { connectionId, timeoutSec: 5 });

  it('hands out the provider’s address, and waits until the person is done', async () => {
    const { connectionId, type, url } = await connect('vaulted');
    expect(type).toBe('oauth2');
    expect(connectionId).toMatch(/^[0-9a-f-]{36}$/);
    await comeBack(new URL(url));
    expect(await wait(connectionId)).toEqual({ status: 'CONNECTED' });
  });

  it.each([
    [{}, 600],
    [{ CONNECT_TTL_SECONDS: '30' }, 30],
  ])('keeps what is begun for CONNECT_TTL_SECONDS: %j', async (env, seconds) => {
    const other = await open(env);
    const { keyHeader } = await other.user();
    const { connectionId } = await call(other, keyHeader, 'connect', { integration: 'vaulted' });
    const status = async () => (await other.deps.pending.get(connectionId))?.status;
    other.clock.advance(seconds - 1);
    expect(await status()).toBe('PENDING');
    other.clock.advance(1);
    expect(await status()).toBe('EXPIRED');
    await other.close();
  });

  it('lets the newest of two win', async () => {
    const first = await connect('vaulted');
    const second = await connect('vaulted');
    await comeBack(new URL(second.url));
    expect(await wait(second.connectionId)).toEqual({ status: 'CONNECTED' });
    expect(await wait(first.connectionId)).toEqual({ status: 'TIMEOUT' });
  });

  it('answers errors as normal results', async () => {
    expect(await connect('nope')).toEqual({ error: 'Integration not found' });
    expect((await connect('time')).error).toMatch(/built in/);
    expect((await connect('keyed')).error).toMatch(/API key/);
    const bare = await createTestApp();
    const headers = (await bare.user()).keyHeader;
    expect((await call(bare, headers, 'connect', { integration: 'vaulted' })).error).toMatch(
      /VAULTED_CLIENT_ID/,
    );
    await bare.close();
  });

  it('sends cookie log-ins, and with CONNECT_VIA=portal all, through the portal', async () => {
    expect(await connect('jar')).toMatchObject({
      type: 'cookie',
      url: expect.stringMatching(/^http:\/\/localhost:3000\/connect\?t=/),
    });
    await app.close();
    app = await open({ CONNECT_VIA: 'portal' });
    ana = await app.user();
    const { type, url } = await connect('vaulted');
    expect([type, new URL(url).pathname]).toEqual(['oauth2', '/connect']);
  });
});

describe('a connect link', () => {
  const redeem = (token: unknown, headers: Record<string, string> = ana.sessionHeader) =>
    api('POST', '/api/connect/redeem', { token }, headers);

  async function link(): Promise<string> {
    const url = await app.deps.links.create(ana.id, 'vaulted');
    return new URL(url).searchParams.get('t') ?? '';
  }

  it('is redeemed once for the way to the provider', async () => {
    const token = await link();
    const { status, body } = await redeem(token);
    expect([status, body.type]).toEqual([200, 'oauth2']);
    expect((await comeBack(new URL(body.url))).status).toBe(302);
    expect(await redeem(token)).toMatchObject({ status: 410, body: { error: 'LINK_CONSUMED' } });
  });

  it('has one winner of 50', async () => {
    const token = await link();
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(token)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 49 }, () => 410),
    ]);
  });

  it('wants the session of the person it was made for, and is not used up by another', async () => {
    const token = await link();
    const bea = await app.user('bea@example.com');
    expect(await redeem(token, {})).toMatchObject({ status: 401, body: { error: 'AUTH_REQUIRED' } });
    expect(await redeem(token, bea.sessionHeader)).toMatchObject({
      status: 403,
      body: { error: 'ACCOUNT_MISMATCH' },
    });
    expect((await redeem(token)).status).toBe(200);
  });

  it.each([['x'], [''], [5], [undefined]])('is LINK_INVALID when it is %j', async (token) => {
    expect(await redeem(token)).toMatchObject({ status: 401, body: { error: 'LINK_INVALID' } });
  });

  it('is LINK_INVALID after its time, and a session is no link', async () => {
    const token = await link();
    expect(await redeem(ana.session)).toMatchObject({ status: 401, body: { error: 'LINK_INVALID' } });
    const other = await link();
    app.clock.advance(599);
    expect((await redeem(other)).status).toBe(200);
    app.clock.advance(1);
    expect(await redeem(token)).toMatchObject({ status: 401, body: { error: 'LINK_INVALID' } });
  });

  it('is not used up when the provider is not set up', async () => {
    const token = await link();
    const bare = await createTestApp({ ports: { store: { ...app.deps.store, close: async () => {} } } });
    const response = await bare.request('/api/connect/redeem', {
      method: 'POST',
      headers: { ...ana.sessionHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(response.status).toBe(503);
    await bare.close();
    expect((await redeem(token)).status).toBe(200);
  });
});

describe('disconnecting', () => {
  it('deletes the local row only', async () => {
    await comeBack(await start());
    expect((await api('GET', '/api/connections')).body.connections).toContainEqual({
      name: 'vaulted',
      connected: true,
      health: 'ok',
    });
    expect((await api('DELETE', '/api/connections/vaulted')).body).toEqual({ success: true });
    expect((await api('GET', '/api/connections')).body.connections).toContainEqual({
      name: 'vaulted',
      connected: false,
    });
    // The provider has seen the code, and nothing since.
    expect([provider.tokenRequests.length, provider.calls]).toEqual([1, []]);
  });
});

describe('at rest', () => {
  it('nothing secret can be read in the files of the database, in logs or in metrics', async () => {
    const secrets = ['k-very-secret', 'a-very-secret', 'c-very-secret', ana.apiKey];
    await comeBack(await start());
    await api('POST', '/api/auth/apikey/keyed', {
      values: { region: 'eu', apiKey: secrets[0], appKey: secrets[1] },
    });
    const cookie = { name: 'sid', value: secrets[2], domain: '127.0.0.1', path: '/' };
    await api('POST', '/api/integrations/jar/session/import', {
      session: [cookie],
      instanceUrl: provider.url,
    });
    for (const tool of ['vaulted_get', 'keyed_get', 'jar_get']) {
      await call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool, args: { path: '/open' } }] });
    }
    secrets.push(provider.current.access, provider.current.refresh);

    const files = (await readdir(app.folder)).map((name) => readFile(join(app.folder, name), 'latin1'));
    const seen = [
      ...(await Promise.all(files)),
      JSON.stringify(app.lines),
      (await app.deps.metrics.expose()).text,
    ].join();
    expect(seen.length).toBeGreaterThan(50_000);
    expect(seen).toContain('keyed_get');
    for (const secret of secrets) expect(seen).not.toContain(secret);
  });
});
