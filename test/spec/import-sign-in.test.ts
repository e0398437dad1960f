// Tests the sign-in to MCP servers against real ones, with oidc-provider as their authorization server. reference: Sign-in to imports
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireHexKey } from '../../src/config/config.ts';
import { readConfigOf } from '../../src/connections/model/config.ts';
import { rememberScopes } from '../../src/imports/oauth/step-up.ts';
import type { Integration } from '../../src/kit/integration.ts';
import { type Browser, createBrowser, type Visited } from '../support/browser.ts';
import { signInAt } from '../support/gateway-site.ts';
import {
  type ImportProvider,
  type ImportProviderOptions,
  startImportProvider,
} from '../support/import-provider.ts';
import { call } from '../support/mcp.ts';
import { type ProtectedMcp, startProtectedMcp } from '../support/protected-mcp.ts';
import { BASE, createTestApp, type Options, type TestApp, type TestUser } from '../support/test-app.ts';

const SHARED = '/api/auth/imports/callback';
const OWN = '/api/auth/plugin/remote/callback';

const running: { close(): Promise<void> }[] = [];
const until = <T extends { close(): Promise<void> }>(started: T): T => {
  running.push(started);
  return started;
};
afterEach(async () => {
  for (const each of running.splice(0).toReversed()) await each.close();
});

let provider: ImportProvider;
let server: ProtectedMcp;
let app: TestApp;
let ana: TestUser;
let base = BASE;

async function openApp(integrations: Integration[], options: Options = {}): Promise<TestApp> {
  return until(
    await createTestApp({
      // The provider uses the real time.
      now: Math.floor(Date.now() / 1000),
      ...options,
      ports: { integrations, ...options.ports },
    }),
  );
}

async function open(
  options: ImportProviderOptions = {},
  { sdk = 1, auth = {}, env = {} }: { sdk?: 1 | 2; auth?: object; env?: Record<string, string> } = {},
): Promise<void> {
  base = env['SERVER_PUBLIC_URL'] ?? BASE;
  provider = until(await startImportProvider(options));
  server = until(await startProtectedMcp(sdk, provider));
  app = await openApp([server.integration('remote', auth)], { env });
  ana = await app.user();
}

const newBrowser = (): Browser => createBrowser({ servers: { [base]: (request) => app.fetch(request) } });

async function start(user = ana, name = 'remote'): Promise<{ status: number; url?: string; error?: string }> {
  const response = await app.request(`/api/auth/${name}`, { headers: user.sessionHeader });
  return { status: response.status, ...(await response.json()) };
}

async function connect(user = ana, login = 'ana', name = 'remote'): Promise<Visited> {
  const { url = '', error } = await start(user, name);
  if (error !== undefined) throw new Error(error);
  const browser = newBrowser();
  return signInAt(browser, await browser.open(url), login);
}

async function whoami(user = ana, name = 'remote', on = app): Promise<unknown> {
  const executions = [{ tool: `${name}_whoami`, args: {} }];
  const { results } = await call(on, user.keyHeader, 'execute_tools', { executions });
  return results[0].result ?? results[0];
}

const row = (user = ana, name = 'remote') => app.deps.store.connections.get(user.id, name, '');
const signInOf = async (user = ana) => {
  const stored = await row(user);
  return JSON.parse((stored === null ? {} : readConfigOf(stored))['signIn'] ?? 'null');
};
const formsTo = (path: string) =>
  provider.posted.filter((each) => each.path === path).map(({ body }) => new URLSearchParams(body));

/** The strong secrets that a gateway off loopback wants. */
const PUBLIC = {
  SERVER_PUBLIC_URL: 'https://gateway.example',
  SESSION_SECRET: '0123456789abcdef'.repeat(4),
  ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4),
  EGRESS_ALLOW: '127.0.0.1',
  CONNECT_CONFIRM: 'never',
};
const fetchDocument = (url: string) => app.request(url);

describe.each([1, 2] as const)('a server made with version %s of the SDK', (sdk) => {
  it('is connected by registration, and called with the token of the person', async () => {
    await open({}, { sdk });
    const browser = newBrowser();
    const { url } = await call(app, ana.keyHeader, 'connect', { integration: 'remote' });
    const arrived = await signInAt(browser, await browser.open(url), 'ana');
    expect(arrived.url.hash).toBe('#connected=remote');
    expect(await whoami()).toBe('ana');
  });

  it('is connected by a client metadata document, at the address that imports share', async () => {
    await open({ fetchDocument }, { sdk, env: PUBLIC });
    expect((await connect()).url.hash).toBe('#connected=remote');
    expect(await whoami()).toBe('ana');
    expect(provider.asked[0]?.get('client_id')).toBe(`${base}/oauth/client.json`);
    expect(provider.asked[0]?.get('redirect_uri')).toBe(`${base}${SHARED}`);
    expect(provider.requests).not.toContain('POST /reg');
  });

  it('is connected with the client that the importer gives', async () => {
    const client = {
      client_id: 'given',
      client_secret: 'a secret & more',
      redirect_uris: [`${BASE}${OWN}`],
      token_endpoint_auth_method: 'client_secret_basic',
    };
    await open({ clients: [client] }, { sdk, auth: { clientId: 'given', clientSecret: 'a secret & more' } });
    provider.alter = (metadata) => ({
      ...metadata,
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
    });
    expect((await connect()).url.hash).toBe('#connected=remote');
    expect(await whoami()).toBe('ana');
    expect(provider.requests).not.toContain('POST /reg');
  });

  it('serves two people with accounts of their own', async () => {
    await open({}, { sdk });
    const ben = await app.user('ben@example.com');
    await Promise.all([connect(ana, 'ana'), connect(ben, 'ben')]);
    expect(await Promise.all([whoami(ana), whoami(ben)])).toEqual(['ana', 'ben']);
    expect(provider.requests.filter((request) => request === 'POST /reg')).toHaveLength(1);
  });
});

describe('the way to a provider', () => {
  it('carries the resource, PKCE and the scopes of the challenge in each request', async () => {
    await open();
    await connect();
    const [asked] = provider.asked;
    expect(Object.fromEntries(asked ?? [])).toMatchObject({
      resource: server.address,
      code_challenge_method: 'S256',
      response_type: 'code',
      redirect_uri: `${BASE}${OWN}`,
      scope: 'files:read offline_access',
      prompt: 'consent',
    });
    expect(formsTo('/token')[0]?.get('resource')).toBe(server.address);
    app.clock.advance(86_400);
    expect(await whoami()).toBe('ana');
    expect(Object.fromEntries(formsTo('/token')[1] ?? [])).toMatchObject({
      grant_type: 'refresh_token',
      resource: server.address,
    });
  });

  it('is found without a challenge, and with metadata in each of the three places', async () => {
    for (const path of ['', '/tenant/one']) {
      await open({ path });
      expect((await connect()).url.hash).toBe('#connected=remote');
      expect((await signInOf()).issuer).toBe(provider.issuer);
    }
  });

  it('leads to the server itself when the server says nothing, as in 2025-03-26', async () => {
    await open();
    server.alter = () => null;
    // Nothing at this origin publishes metadata, so the default paths are tried.
    const { status, error } = await start();
    expect(status).toBe(503);
    expect(error).toContain('did not register this gateway');
    expect(server.requests).toContain('POST /register 404');
  });

  it('uses the scopes of the importer where the challenge names none', async () => {
    await open({}, { auth: { scopes: ['files:read', 'files:write'] } });
    server.required = [];
    await connect();
    expect(provider.asked[0]?.get('scope')).toBe('files:read files:write offline_access');
  });

  it('asks nobody where the importer has given both endpoints, and still stays at them', async () => {
    const client = { client_id: 'given', client_secret: 'hush', redirect_uris: [`${BASE}${OWN}`] };
    provider = until(await startImportProvider({ clients: [client] }));
    server = until(await startProtectedMcp(1, provider));
    const integration = server.integration('remote', {
      clientId: 'given',
      clientSecret: 'hush',
      scopes: ['files:read', 'offline_access'],
      authorizeUrl: `${provider.issuer}/auth`,
      tokenUrl: `${provider.issuer}/token`,
    });
    app = await openApp([integration]);
    ana = await app.user();
    expect((await connect()).url.hash).toBe('#connected=remote');
    expect(server.requests).toEqual([]);
    expect(provider.asked[0]?.get('scope')).toBe('files:read offline_access');
    app.clock.advance(86_400);
    await whoami();
    // This provider binds no token to the server, which refuses it.
    expect(
      formsTo('/token')
        .slice(0, 2)
        .map((form) => form.get('grant_type')),
    ).toEqual(['authorization_code', 'refresh_token']);
  });

  it('ends with a sentence when the person refuses, which is the provider’s own', async () => {
    await open();
    const { url = '' } = await start();
    const browser = newBrowser();
    const page = await browser.open(url);
    const cancel = /href="([^"]*abort[^"]*)"/.exec(page.text)?.[1] ?? '';
    const arrived = await browser.open(new URL(cancel, page.url));
    expect([arrived.status, arrived.url.pathname]).toEqual([400, OWN]);
    expect(arrived.text).toContain('did not grant access');
    expect(await row()).toBeNull();
  });
});

describe('a server that lies', () => {
  const refused = async () => {
    const { status, error } = await start();
    expect([status, await row(), provider.asked]).toEqual([503, null, []]);
    return error;
  };

  it.each([
    ['another origin', 'https://bank.example/mcp'],
    ['another path', 'PATH/other'],
    ['a path that only begins alike', 'PATH/m'],
  ])('about its resource, which names %s, is not connected', async (_, resource) => {
    await open();
    const { origin } = new URL(server.address);
    server.alter = (metadata) => ({ ...metadata, resource: resource.replace('PATH', origin) });
    expect(await refused()).toContain('describes itself as another server');
    expect(provider.requests).toEqual([]);
  });

  it('about its provider, whose metadata names another issuer, is not connected', async () => {
    await open();
    provider.alter = (metadata) => ({ ...metadata, issuer: `${provider.issuer}/other` });
    expect(await refused()).toContain('instead of');
    expect(provider.requests).not.toContain('POST /reg');
  });

  it.each([[undefined], [['plain']]])(
    'cannot do without PKCE: %s',
    async (code_challenge_methods_supported) => {
      await open();
      provider.alter = (metadata) => ({ ...metadata, code_challenge_methods_supported });
      expect(await refused()).toContain('PKCE');
    },
  );

  it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'])(
    'cannot have the gateway send secrets in the clear to its %s',
    async (endpoint) => {
      await open();
      provider.alter = (metadata) => ({ ...metadata, [endpoint]: 'http://elsewhere.example/x' });
      expect(await refused()).toContain('not https');
    },
  );

  it('cannot send the gateway into the network of the operator', async () => {
    await open({ fetchDocument }, { env: { ...PUBLIC, EGRESS_ALLOW: '127.0.0.1' } });
    server.alter = (metadata) => ({ ...metadata, authorization_servers: ['https://10.0.0.1'] });
    expect(await refused()).toContain('not allowed');
  });

  it('that publishes pages instead of metadata is named in a sentence', async () => {
    await open();
    provider.alter = () => ({ hello: 'world' });
    expect(await refused()).toContain('publishes nothing');
  });
});

describe('the answer of a provider', () => {
  /** Comes back from the provider, after `change` has changed the address. */
  async function comeBack(change: (location: URL) => void): Promise<Visited> {
    provider.back = (location) => {
      change(location);
      return location;
    };
    return connect();
  }
  const tokensAsked = () =>
    formsTo('/token').filter((form) => form.get('grant_type') === 'authorization_code');

  it.each([
    ['is missing', (url: URL) => url.searchParams.delete('iss')],
    ['is of another', (url: URL) => url.searchParams.set('iss', 'https://attacker.example')],
    ['comes twice', (url: URL) => url.searchParams.append('iss', 'https://attacker.example')],
    ['differs by a slash', (url: URL) => url.searchParams.set('iss', `${url.searchParams.get('iss')}/`)],
  ])('is refused when its issuer %s, and the code goes nowhere', async (_, change) => {
    await open();
    const arrived = await comeBack(change);
    expect(arrived.status).toBe(400);
    expect(arrived.text).toContain('did not come from the provider');
    expect(tokensAsked()).toEqual([]);
    expect(await row()).toBeNull();
  });

  it('is refused with another issuer even when the provider does not promise one', async () => {
    await open({ iss: false });
    const arrived = await comeBack((url) => url.searchParams.set('iss', 'https://attacker.example'));
    expect([arrived.status, tokensAsked()]).toEqual([400, []]);
  });

  it('may do without an issuer where none is promised, and has an address of its own', async () => {
    await open({ iss: false, fetchDocument }, { env: PUBLIC });
    expect((await connect()).url.hash).toBe('#connected=remote');
    expect(provider.asked[0]?.get('redirect_uri')).toBe(`${base}${OWN}`);
    expect(provider.requests).toContain('POST /reg');
  });

  it('has an address of its own also where documents are the only way', async () => {
    await open({ iss: false, registration: false, fetchDocument }, { env: PUBLIC });
    expect((await connect()).url.hash).toBe('#connected=remote');
    expect(provider.asked[0]?.get('client_id')).toBe(`${base}/oauth/clients/remote.json`);
    expect(provider.asked[0]?.get('redirect_uri')).toBe(`${base}${OWN}`);
  });

  it('does not show the words of an error that another issuer has sent', async () => {
    await open();
    const { url = '' } = await start();
    const state = new URL(url).searchParams.get('state') ?? '';
    const query = new URLSearchParams({
      state,
      error: 'access_denied',
      error_description: 'call 555',
      iss: 'https://x.example',
    });
    const response = await app.request(`${OWN}?${query}`);
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('555');
  });

  it('is refused at an address of another import, and its state is used up', async () => {
    await open();
    const arrived = await comeBack((url) => {
      url.pathname = SHARED;
    });
    expect([arrived.status, tokensAsked()]).toEqual([400, []]);
    expect(arrived.text).toContain('expired or was used already');
  });
});

describe('two providers, one of which is dishonest', () => {
  let honest: ImportProvider;
  let evil: ImportProvider;
  let ordinary: ProtectedMcp;
  let trap: ProtectedMcp;

  async function openBoth(options: ImportProviderOptions, env: Record<string, string> = {}) {
    base = env['SERVER_PUBLIC_URL'] ?? BASE;
    honest = until(await startImportProvider(options));
    evil = until(await startImportProvider(options));
    ordinary = until(await startProtectedMcp(1, honest));
    trap = until(await startProtectedMcp(1, evil));
    app = await openApp([ordinary.integration('honest'), trap.integration('trap')], { env });
    ana = await app.user();
    // The honest import is connected, so its client exists.
    await connect(ana, 'ana', 'honest');
  }

  /** The dishonest provider sends the person on to the honest one, with the client of the gateway there. */
  async function mixUp(): Promise<Visited> {
    const known = honest.asked[0];
    const { url = '' } = await start(ana, 'trap');
    const asked = new URL(url);
    const detour = new URL(`${honest.issuer}/auth`);
    for (const [name, value] of known ?? []) detour.searchParams.set(name, value);
    for (const name of ['state', 'code_challenge'])
      detour.searchParams.set(name, asked.searchParams.get(name) ?? '');
    const browser = newBrowser();
    return signInAt(browser, await browser.open(detour), 'ana');
  }

  it.each([
    ['that share a redirect address', { fetchDocument }, PUBLIC],
    ['without iss that have registrations', { iss: false }, {}],
    ['without iss that take documents only', { iss: false, registration: false, fetchDocument }, PUBLIC],
  ])('get no code of each other: providers %s', async (_, options, env) => {
    await openBoth(options, env);
    const before = evil.posted.filter(({ path }) => path === '/token').length;
    const arrived = await mixUp();
    // The honest provider has sent the person back with a code.
    expect([arrived.status, arrived.url.origin, arrived.url.searchParams.has('code')]).toEqual([
      400,
      base,
      true,
    ]);
    expect(evil.posted.filter(({ path }) => path === '/token')).toHaveLength(before);
    expect(await row(ana, 'trap')).toBeNull();
  });
});

describe('the client of an import', () => {
  it('is registered again when the provider has lost it, and shared until then', async () => {
    await open();
    await connect();
    provider.restart();
    const ben = await app.user('ben@example.com');
    app.clock.advance(60);
    expect((await connect(ben, 'ben')).url.hash).toBe('#connected=remote');
    expect(provider.requests.filter((request) => request === 'POST /reg')).toHaveLength(2);
    expect(await whoami(ben)).toBe('ben');
  });

  it('that the provider has lost ends the connection with a sentence, and a new sign-in mends it', async () => {
    await open();
    await connect();
    provider.restart();
    app.clock.advance(86_400);
    expect(await whoami()).toMatchObject({ message: expect.stringContaining('Call connect with') });
    expect((await row())?.status).toBe('reconnect');
    await connect();
    expect(await whoami()).toBe('ana');
  });

  it('with a secret is kept sealed, and its secret goes to its issuer only', async () => {
    await open();
    provider.alter = (metadata) => ({
      ...metadata,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    });
    await connect();
    const secret = formsTo('/token')[0]?.get('client_secret') ?? '';
    expect(secret).not.toBe('');
    const stored = await app.deps.store.providerClients.get('import:id-of-remote');
    expect(stored?.sealed_client).not.toContain(secret);
    expect(JSON.stringify(await row())).not.toContain(secret);

    // The server now names another provider, which gets a registration of its own.
    const other = until(await startImportProvider());
    server.alter = (metadata) => ({ ...metadata, authorization_servers: [other.issuer] });
    app.clock.advance(60);
    await start();
    expect(other.requests).toContain('POST /reg');
    expect(JSON.stringify(other.posted)).not.toContain(secret);
    // The connection still belongs to the first one.
    app.clock.advance(86_400);
    const asked = other.posted.length;
    await whoami();
    expect(formsTo('/token').at(-1)?.get('client_secret')).toBe(secret);
    expect(other.posted).toHaveLength(asked);
  });

  it('that the importer gave stays with the first provider it was used at', async () => {
    const client = { client_id: 'given', client_secret: 'hush', redirect_uris: [`${BASE}${OWN}`] };
    await open({ clients: [client] }, { auth: { clientId: 'given', clientSecret: 'hush' } });
    await connect();
    const other = until(await startImportProvider());
    server.alter = (metadata) => ({ ...metadata, authorization_servers: [other.issuer] });
    app.clock.advance(60);
    const { status, error } = await start();
    expect([status, error]).toEqual([503, expect.stringContaining('now names another provider')]);
    expect(other.posted).toEqual([]);
  });

  it('of an operator with the same name is never sent to an import', async () => {
    await open(
      { registration: false },
      { env: { REMOTE_CLIENT_ID: 'theirs', REMOTE_CLIENT_SECRET: 'hush' } },
    );
    const { status, error } = await start();
    expect([status, error]).toEqual([503, expect.stringContaining(`${BASE}${OWN}`)]);
    expect(provider.posted).toEqual([]);
  });

  it('describes itself at its own address, the same for every name', async () => {
    await open({}, { env: PUBLIC });
    const shared = await (await app.request('/oauth/client.json')).json();
    expect(shared).toMatchObject({
      client_id: 'https://gateway.example/oauth/client.json',
      redirect_uris: [`https://gateway.example${SHARED}`],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      application_type: 'web',
    });
    const own = await (await app.request('/oauth/clients/any_name.json')).json();
    expect(own).toMatchObject({
      client_id: 'https://gateway.example/oauth/clients/any_name.json',
      redirect_uris: ['https://gateway.example/api/auth/plugin/any_name/callback'],
    });
    for (const odd of ['A.json', 'a', '..%2fclient.json', `${'a'.repeat(65)}.json`])
      expect((await app.request(`/oauth/clients/${odd}`)).status).toBe(404);
  });
});

describe('the tokens of a connection', () => {
  it('are refreshed once by two processes that need them at the same time', async () => {
    let seconds = 60;
    await open({ accessSeconds: () => seconds });
    await connect();
    seconds = 3_600;
    const store = { ...app.deps.store, close: async () => {} };
    const other = await openApp([server.integration('remote')], {
      ports: { store, clock: app.clock },
      env: {
        SESSION_SECRET: app.deps.config.SESSION_SECRET,
        ENCRYPTION_KEY: requireHexKey(app.deps.config.ENCRYPTION_KEY),
      },
    });
    app.clock.advance(60);
    const all = await Promise.all(
      [app, other].flatMap((one) => Array.from({ length: 8 }, () => whoami(ana, 'remote', one))),
    );
    expect(new Set(all)).toEqual(new Set(['ana']));
    expect(formsTo('/token').filter((form) => form.get('grant_type') === 'refresh_token')).toHaveLength(1);
  });

  it('belong to the import: another one of the same name never uses them', async () => {
    await open();
    await connect();
    const replaced = {
      ...server.integration('remote'),
      imported: { id: 'new', kind: 'mcp', for: 'me' } as const,
    };
    const store = { ...app.deps.store, close: async () => {} };
    const other = await openApp([replaced], { ports: { store, clock: app.clock } });
    const before = server.requests.length;
    expect(await whoami(ana, 'remote', other)).toMatchObject({ error: 'NOT_CONNECTED' });
    expect(server.requests).toHaveLength(before);
  });

  it('are revoked at the provider when the person disconnects', async () => {
    await open();
    await connect();
    const response = await app.request('/api/connections/remote?revoke=true', {
      method: 'DELETE',
      headers: ana.sessionHeader,
    });
    expect(await response.json()).toEqual({ success: true, revoked: 'done' });
    const [first, second] = formsTo('/token/revocation');
    expect(first?.get('client_id')).toBe(provider.asked[0]?.get('client_id'));
    expect(await provider.find(second?.get('token') ?? '')).toBeUndefined();
    expect(await row()).toBeNull();
  });

  it('are only deleted here where the provider revokes nothing', async () => {
    await open();
    provider.alter = ({ revocation_endpoint: _, ...metadata }) => metadata;
    await connect();
    const response = await app.request('/api/connections/remote?revoke=true', {
      method: 'DELETE',
      headers: ana.sessionHeader,
    });
    expect(await response.json()).toMatchObject({ revoked: 'not-offered' });
    expect(formsTo('/token/revocation')).toEqual([]);
  });

  it('are not used after the address of the import has changed', async () => {
    await open();
    await connect();
    const moved = until(await startProtectedMcp(1, provider));
    const { imported } = server.integration('remote');
    const store = { ...app.deps.store, close: async () => {} };
    const other = await openApp([{ ...moved.integration('remote'), ...(imported && { imported }) }], {
      ports: { store, clock: app.clock },
    });
    app.clock.advance(86_400);
    expect(await whoami(ana, 'remote', other)).toMatchObject({
      error: expect.stringContaining('has changed since this sign-in'),
    });
  });
});

describe('a call that lacks a scope', () => {
  const remember = (scopes: string[]) =>
    rememberScopes(app.deps, { userId: ana.id }, server.integration('remote'), scopes);

  it('is mended by the next sign-in, which asks for what is needed besides what there was', async () => {
    await open();
    await connect();
    server.required = ['files:read', 'files:write'];
    expect(await whoami()).toMatchObject({
      status: 403,
      challenge: expect.stringContaining('insufficient_scope'),
    });
    expect(await remember(['files:write'])).toContain('needs more permission for this (files:write)');
    expect(await remember(['files:write'])).toContain('needs more permission');
    server.required = ['files:read'];
    app.clock.advance(60);
    await connect();
    expect(provider.asked.at(-1)?.get('scope')?.split(' ').toSorted()).toEqual(
      ['files:read', 'files:write', 'offline_access'].toSorted(),
    );
    server.required = ['files:read', 'files:write'];
    expect(await whoami()).toBe('ana');
    // What the sign-in has asked for already is not asked for again.
    expect(await remember(['files:write'])).toContain('did not allow this');
  });

  it('forgets nothing when tokens are refreshed meanwhile', async () => {
    await open();
    await connect();
    await remember(['files:write']);
    app.clock.advance(86_400);
    await whoami();
    await connect();
    expect(provider.asked.at(-1)?.get('scope')).toContain('files:write');
  });

  it('takes no odd scope into the next sign-in', async () => {
    await open();
    await connect();
    await remember(['files:write', 'a"b', 'c\nd', 'é', 'x'.repeat(300)]);
    const stored = await row();
    expect(readConfigOf(stored ?? { config: null })['wantedScopes']?.split(' ')).toEqual([
      'files:write',
      'files:read',
      'offline_access',
    ]);
  });
});

describe('an import that only its person can find', () => {
  beforeEach(async () => {
    base = BASE;
    provider = until(await startImportProvider());
    server = until(await startProtectedMcp(1, provider));
    app = await openApp([]);
    ana = await app.user();
    const own = server.integration('mine');
    app.deps.registries.integration = async (userId, name) =>
      userId === ana.id && name === 'mine' ? own : null;
  });

  async function begin(binding: string | null = null): Promise<string> {
    const integration = server.integration('mine');
    if (integration.auth.type !== 'oauth2') throw new Error('not a sign-in');
    const started = await app.deps.oauthFlows.start(ana.id, integration, integration.auth, {}, binding);
    if (!started.ok) throw new Error(started.message);
    return started.url;
  }

  it('is found by the state, without a session', async () => {
    const browser = newBrowser();
    const arrived = await signInAt(browser, await browser.open(await begin()), 'ana');
    expect(arrived.url.hash).toBe('#connected=mine');
    expect((await row(ana, 'mine'))?.access_token).not.toBeNull();
  });

  it('is asked about in a browser that did not begin, and connected after a yes', async () => {
    await app.close();
    running.splice(running.indexOf(app), 1);
    base = PUBLIC.SERVER_PUBLIC_URL;
    app = await openApp([], { env: { ...PUBLIC, CONNECT_CONFIRM: 'unbound' } });
    ana = await app.user();
    const own = server.integration('mine');
    app.deps.registries.integration = async (userId, name) =>
      userId === ana.id && name === 'mine' ? own : null;
    const browser = newBrowser();
    const page = await signInAt(browser, await browser.open(await begin()), 'ana');
    expect(page.status).toBe(200);
    expect(page.text).toContain(`Import mine at ${new URL(server.address).host}`);
    expect(await row(ana, 'mine')).toBeNull();
    const arrived = await browser.submit(page);
    expect(arrived.url.hash).toBe('#connected=mine');
    expect((await row(ana, 'mine'))?.access_token).not.toBeNull();
  });

  it('answers 404 for a name without a state, and a page for a state that nobody has', async () => {
    expect((await app.request('/api/auth/plugin/mine/callback')).status).toBe(404);
    for (const path of ['/api/auth/plugin/mine/callback', SHARED]) {
      const response = await app.request(`${path}?state=unknown&code=1`);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('expired or was used already');
    }
  });

  it('is gone when it was removed during the sign-in', async () => {
    const url = await begin();
    app.deps.registries.integration = async () => null;
    const browser = newBrowser();
    const arrived = await signInAt(browser, await browser.open(url), 'ana');
    expect([arrived.status, await row(ana, 'mine')]).toEqual([400, null]);
  });
});

describe('an import of a server with a sign-in, through the API', () => {
  const send = async (method: string, path: string, body?: object, user = ana) => {
    const headers = { ...user.sessionHeader, 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await app.request(path, init);
    return { status: response.status, body: await response.json() };
  };

  it.each([1, 2] as const)(
    'is looked at, added, connected, called, asked for more and removed (SDK %s)',
    async (sdk) => {
      base = BASE;
      provider = until(await startImportProvider());
      server = until(await startProtectedMcp(sdk, provider));
      app = await openApp([]);
      const { mcp } = app.deps;
      running.push({ close: () => mcp.close() });
      ana = await app.user();

      const { address } = server;
      const preview = await send('POST', '/api/imports/preview', { address });
      expect(preview.body).toMatchObject({
        listed: false,
        auth: { type: 'oauth2', client: 'registration' },
        warnings: [],
      });
      expect(provider.requests).not.toContain('POST /reg');
      expect((await send('POST', '/api/imports', { address, name: 'remote' })).status).toBe(201);
      expect((await connect()).url.hash).toBe('#connected=remote');
      await expect.poll(async () => (await send('GET', '/api/imports/remote')).body.tools.length).toBe(1);
      expect(await whoami()).toBe('ana');

      // Another person has no such import, and their callback finds nothing.
      const ben = await app.user('ben@example.com');
      expect((await start(ben)).status).toBe(404);

      server.required = ['files:read', 'files:write'];
      expect(await whoami()).toMatchObject({ error: expect.stringContaining('files:write') });
      app.clock.advance(60);
      await connect();
      expect(await whoami()).toBe('ana');

      expect((await send('DELETE', '/api/imports/remote')).status).toBe(200);
      expect(formsTo('/token/revocation')).toHaveLength(2);
      expect(await row()).toBeNull();
      expect(await app.deps.store.providerClients.page(null, 10)).toEqual([]);
    },
  );

  describe('whose listing needs more permission', () => {
    beforeEach(async () => {
      base = BASE;
      provider = until(await startImportProvider());
      server = until(await startProtectedMcp(2, provider));
      app = await openApp([]);
      const { mcp } = app.deps;
      running.push({ close: () => mcp.close() });
      ana = await app.user();
      await send('POST', '/api/imports', { address: server.address, name: 'remote' });
      await connect();
      await expect.poll(async () => (await send('GET', '/api/imports/remote')).body.tools.length).toBe(1);
      server.required = ['files:read', 'files:write'];
    });
    const NEEDS_MORE = expect.stringMatching(/more permission.*files:write.*Connect it again/);

    it('says so when a person checks the import, and works after the next sign-in', async () => {
      expect(await send('POST', '/api/imports/remote/check')).toEqual({
        status: 502,
        body: { error: NEEDS_MORE },
      });
      expect((await send('GET', '/api/imports/remote')).body).toMatchObject({ checkError: NEEDS_MORE });
      app.clock.advance(60);
      await connect();
      expect(provider.asked.at(-1)?.get('scope')).toContain('files:write');
      expect((await send('POST', '/api/imports/remote/check')).status).toBe(200);
    });

    it('is left for a day by the round of checks', async () => {
      app.clock.advance(25 * 3_600);
      await app.deps.imports.checkDue();
      const stored = await app.deps.store.imports.get(ana.id, 'remote');
      expect(stored).toMatchObject({ checked_at: app.clock.now(), check_error: NEEDS_MORE });
      expect(await app.deps.store.imports.due(app.clock.now() - 3_600, 5)).toEqual([]);
    });
  });
});
