// Connects services that describe how they authenticate, and calls them with the credential of each person.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { createBrowser, type Visited } from '../support/browser.ts';
import { signInAt } from '../support/gateway-site.ts';
import { type ImportProvider, startImportProvider } from '../support/import-provider.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { call } from '../support/mcp.ts';
import { type Service, startService } from '../support/openapi-service.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const running: { close(): Promise<unknown> }[] = [];
const until = <T extends { close(): Promise<unknown> }>(started: T): T => {
  running.push(started);
  return started;
};

let app: TestApp;
let account: TestUser;
let ana: ImportUser;
let ben: ImportUser;
let service: Service;

beforeEach(async () => {
  // The provider uses the real time.
  app = until(await createTestApp({ now: Math.floor(Date.now() / 1000) }));
  account = await app.user('owner@localhost');
  ana = createImportUser(app, account);
  ben = createImportUser(app, await app.user('ben@example.com'));
  service = until(await startService());
});
afterEach(async () => {
  await app.deps.mcp.close();
  for (const each of running.splice(0).toReversed()) await each.close();
});

/** Describes the schemes, each of which is enough. */
function describeSchemes(
  schemes: Record<string, object>,
  security: Record<string, string[]>[] = Object.keys(schemes).map((name) => ({ [name]: [] })),
): void {
  Object.assign(service.description.components, { securitySchemes: schemes });
  Object.assign(service.description, { security });
}

/** The service refuses a call unless the request has this credential, and repeats what it got. */
function requireCredential(isRight: (headers: Headers, url: URL) => boolean): void {
  service.guard = ({ headers, url }) =>
    isRight(headers, new URL(url))
      ? null
      : Response.json({ message: `No entry with ${[...headers].join(' ')} at ${url}` }, { status: 401 });
}

const BEARER = { type: 'http', scheme: 'bearer' };
const SECRET = 'a-secret-of-ana-0123456789';

describe('a description with security schemes', () => {
  it.each([
    [
      'a bearer token',
      { token: BEARER },
      { type: 'headers', headers: { Authorization: 'Bearer {token}' }, fields: ['token'] },
      { token: SECRET },
      (headers: Headers) => headers.get('authorization') === `Bearer ${SECRET}`,
    ],
    [
      'a user name with a password',
      { login: { type: 'http', scheme: 'basic' } },
      { type: 'basic', fields: ['user', 'password'] },
      { user: 'ana', password: SECRET },
      (headers: Headers) => headers.get('authorization') === `Basic ${btoa(`ana:${SECRET}`)}`,
    ],
    [
      'a key in a header',
      { key: { type: 'apiKey', in: 'header', name: 'X-Acme-Key' } },
      { type: 'headers', headers: { 'X-Acme-Key': '{api_key}' }, fields: ['api_key'] },
      { api_key: SECRET },
      (headers: Headers) => headers.get('x-acme-key') === SECRET,
    ],
    [
      'a key in the query',
      { key: { type: 'apiKey', in: 'query', name: 'acme_key' } },
      { type: 'query', parameters: { acme_key: '{api_key}' }, fields: ['api_key'] },
      { api_key: `${SECRET}+&=%` },
      (_: Headers, url: URL) => url.searchParams.get('acme_key') === `${SECRET}+&=%`,
    ],
    [
      'a key in a cookie',
      { session: { type: 'apiKey', in: 'cookie', name: 'sid' } },
      { type: 'headers', headers: { Cookie: 'sid={sid}' }, fields: ['sid'] },
      { sid: SECRET },
      (headers: Headers) => headers.get('cookie') === `sid=${SECRET}`,
    ],
    [
      'a token with another word than Bearer',
      { key: { type: 'apiKey', in: 'header', name: 'Authorization', description: 'Use prefix "Token"' } },
      { type: 'headers', headers: { Authorization: 'Token {token}' }, fields: ['token'] },
      { token: SECRET },
      (headers: Headers) => headers.get('authorization') === `Token ${SECRET}`,
    ],
    [
      'a user name and a password in letters of any language',
      { login: { type: 'http', scheme: 'basic' } },
      { type: 'basic', fields: ['user', 'password'] },
      { user: 'jörg', password: 'Schlüssel-0123456789' },
      (headers: Headers) =>
        headers.get('authorization') ===
        `Basic ${Buffer.from('jörg:Schlüssel-0123456789').toString('base64')}`,
    ],
  ] as const)('is connected with %s', async (_, schemes, auth, values, isRight) => {
    describeSchemes(schemes);
    requireCredential(isRight);
    expect((await ana.preview({ address: service.address })).auth).toEqual(auth);
    await ana.add({ address: service.address });
    expect(await ana.run('acme_list_customers')).toMatchObject({ error: 'NOT_CONNECTED' });
    await ana.connect(values);
    expect(await ana.run('acme_list_customers')).toMatchObject({ result: { customers: [{}] } });
    expect(await ana.run('acme_list_invoices', { state: ['sent', 'two words'] })).toMatchObject({
      result: { state: 'sent,two words' },
    });
    // What the credential adds does not change how the rest is written.
    expect(service.calls.at(-1)?.query).toMatch(/^\?state=sent,two%20words(&|$)/);
  });

  it('asks for two keys that only work together', async () => {
    const long = `X-Acme-${'Very-'.repeat(8)}Long-Key`;
    describeSchemes(
      {
        app: { type: 'apiKey', in: 'header', name: 'X-Acme-App' },
        key: { type: 'apiKey', in: 'header', name: long },
      },
      [{ app: [], key: [] }],
    );
    requireCredential((headers) => headers.get('x-acme-app') === 'the-app' && headers.get(long) === SECRET);
    const { auth } = await ana.preview({ address: service.address });
    expect(auth.fields).toHaveLength(2);
    await ana.add({ address: service.address });
    const [appField, keyField] = auth.fields;
    await ana.connect({ [appField]: 'the-app', [keyField]: SECRET });
    expect(await ana.run('acme_list_customers')).toMatchObject({ result: {} });
  });

  it('asks for credentials of several kinds that only work together', async () => {
    describeSchemes(
      {
        login: { type: 'http', scheme: 'basic' },
        app: { type: 'apiKey', in: 'query', name: 'app' },
        session: { type: 'apiKey', in: 'cookie', name: 'sid' },
      },
      [{ login: [], app: [], session: [] }],
    );
    requireCredential(
      (headers, url) =>
        headers.get('authorization') === `Basic ${btoa('ana:pw')}` &&
        url.searchParams.get('app') === SECRET &&
        headers.get('cookie') === 'sid=s-1',
    );
    const { auth } = await ana.preview({ address: service.address });
    expect(auth).toMatchObject({ type: 'all', fields: ['user', 'password', 'sid', 'app'] });
    await ana.add({ address: service.address, auth });
    await ana.connect({ user: 'ana', password: 'pw', sid: 's-1', app: SECRET });
    expect(await ana.run('acme_list_customers')).toMatchObject({ result: {} });
    expect(JSON.stringify(await ana.run('acme_list_invoices', { state: ['sent'] }))).not.toContain(SECRET);
  });

  it('offers each way, and the importer chooses one', async () => {
    describeSchemes({
      token: BEARER,
      key: { type: 'apiKey', in: 'header', name: 'X-Acme-Key' },
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
      proxy: { type: 'apiKey', in: 'header', name: 'X-Forwarded-User' },
    });
    const preview = await ana.preview({ address: service.address });
    expect(preview.auth).toMatchObject({ headers: { Authorization: 'Bearer {token}' } });
    expect(preview.otherAuth).toEqual([
      { type: 'headers', headers: { 'X-Acme-Key': '{api_key}' }, fields: ['api_key'] },
      { type: 'headers', headers: { Cookie: 'sid={sid}' }, fields: ['sid'] },
    ]);
    expect(preview.warnings).toContainEqual(expect.stringContaining('X-Forwarded-User'));

    requireCredential((headers) => headers.get('x-acme-key') === SECRET);
    // A proposal can be sent back as it is.
    await ana.add({ address: service.address, auth: preview.otherAuth[0] });
    await ana.connect({ api_key: SECRET });
    expect(await ana.run('acme_list_customers')).toMatchObject({ result: {} });
  });

  it('may be connected in a way that it does not describe, with a version beside the credential', async () => {
    requireCredential(
      (headers) => headers.get('x-token') === `t ${SECRET}` && headers.get('x-version') === '2026-01-01',
    );
    await ana.add({
      address: service.address,
      auth: { type: 'headers', headers: { 'X-Token': 't {token}', 'X-Version': '2026-01-01' } },
    });
    await ana.connect({ token: SECRET });
    expect(await ana.run('acme_list_customers')).toMatchObject({ result: {} });
    await ana.change({ auth: { type: 'basic' }, headers: { 'X-Version': '2027-01-01' } });
    expect(await ana.run('acme_list_customers')).toMatchObject({ error: 'NOT_CONNECTED' });
    requireCredential((headers) => headers.get('authorization')?.startsWith('Basic ') === true);
    await ana.connect({ user: 'ana', password: SECRET });
    expect(await ana.run('acme_list_customers')).toMatchObject({ result: {} });
    expect(service.calls.at(-1)?.headers.get('x-version')).toBe('2027-01-01');
  });

  it('keeps the secret out of arguments, answers, errors and logs', async () => {
    describeSchemes({ key: { type: 'apiKey', in: 'query', name: 'key' } });
    Object.assign(service.description.paths['/customers']?.['get'] ?? {}, {
      parameters: [{ name: 'key', in: 'query', schema: { type: 'string' } }],
    });
    requireCredential((_, url) => url.searchParams.get('key') === 'another');
    await ana.add({ address: service.address, for: 'everyone' });
    const { schema } = await call(app, ana.keyHeader, 'get_tool_schema', { tool: 'acme_list_customers' });
    expect(schema.properties).toEqual({});
    await ana.connect({ api_key: SECRET });
    const shown = [
      await ana.run('acme_list_customers'),
      await ana.get(),
      (await ana.send('GET', '/api/imports')).body,
      (await ana.send('GET', '/api/auth/acme')).body,
      (await ana.send('GET', '/api/connections')).body,
      (await ana.send('GET', '/api/audit')).body,
      (await ben.send('GET', '/api/imports/acme')).body,
      app.lines,
    ];
    expect(service.calls.at(-1)?.query).toContain(SECRET);
    expect(JSON.stringify(shown[0])).toContain('No entry with');
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    // Everybody has a credential of their own.
    expect(await ben.run('acme_list_customers')).toMatchObject({ error: 'NOT_CONNECTED' });
  });
});

describe('a description with a sign-in', () => {
  const CLIENT = { clientId: 'given', clientSecret: 'a client secret & more' };
  let provider: ImportProvider;

  beforeEach(async () => {
    const redirect = `${BASE}/api/auth/plugin/acme/callback`;
    provider = until(
      await startImportProvider({
        registration: false,
        clients: [
          {
            client_id: CLIENT.clientId,
            client_secret: CLIENT.clientSecret,
            redirect_uris: [redirect],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
      }),
    );
  });

  const codeFlow = (scopes = ['files:read', 'offline_access']) => ({
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: `${provider.issuer}/auth`,
        tokenUrl: `${provider.issuer}/token`,
        scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])),
      },
    },
  });

  async function connect(user: ImportUser, login: string): Promise<Visited> {
    const { body } = await user.send('GET', '/api/auth/acme');
    if (typeof body.url !== 'string') throw new Error(JSON.stringify(body));
    const browser = createBrowser({ servers: { [BASE]: (request) => app.fetch(request) } });
    return signInAt(browser, await browser.open(body.url), login);
  }

  /** Asks the provider who the token of the last call belongs to. */
  async function callerOf(user: ImportUser): Promise<string | undefined> {
    expect(await user.run('acme_list_customers')).toMatchObject({ result: {} });
    const authorization = service.calls.at(-1)?.headers.get('authorization') ?? '';
    return (await provider.find(authorization.replace(/^Bearer /, '')))?.accountId;
  }

  it('takes a client of the importer to the endpoints that it names', async () => {
    describeSchemes({ oauth: codeFlow() });
    expect((await ana.preview({ address: service.address })).auth).toEqual({
      type: 'oauth2',
      scopes: ['files:read', 'offline_access'],
      client: 'missing',
    });
    await ana.add({ address: service.address, for: 'everyone', auth: { type: 'oauth2', ...CLIENT } });
    expect((await connect(ana, 'ana')).url.hash).toBe('#connected=acme');
    expect(await callerOf(ana)).toBe('ana');
    await connect(ben, 'ben');
    expect([await callerOf(ben), await callerOf(ana)]).toEqual(['ben', 'ana']);
    expect(provider.asked[0]?.get('scope')).toBe('files:read offline_access');

    // A token that has expired is renewed with the same client.
    const first = service.calls.at(-1)?.headers.get('authorization');
    app.clock.advance(86_400);
    await ana.run('acme_list_customers');
    expect(service.calls.at(-1)?.headers.get('authorization')).not.toBe(first);
    expect(provider.posted.map(({ body }) => new URLSearchParams(body).get('grant_type'))).toContain(
      'refresh_token',
    );
    const shown = [await ana.get(), (await ben.send('GET', '/api/imports')).body, app.lines];
    expect(JSON.stringify(shown)).not.toContain('a client secret');
  });

  it('finds the endpoints by OpenID Connect', async () => {
    const openIdConnectUrl = `${provider.issuer}/.well-known/openid-configuration`;
    describeSchemes({ oidc: { type: 'openIdConnect', openIdConnectUrl } }, [
      { oidc: ['files:read', 'offline_access'] },
    ]);
    await ana.add({ address: service.address, auth: { type: 'oauth2', ...CLIENT } });
    expect((await connect(ana, 'ana')).url.hash).toBe('#connected=acme');
    expect(await callerOf(ana)).toBe('ana');
  });

  it('says so where its provider of OpenID Connect cannot be asked', async () => {
    describeSchemes({ oidc: { type: 'openIdConnect', openIdConnectUrl: 'http://127.0.0.1:1/x' } });
    const { auth, warnings } = await ana.preview({ address: service.address });
    expect(auth).toMatchObject({ type: 'oauth2', client: 'missing' });
    expect(warnings).toContainEqual(expect.stringMatching(/127\.0\.0\.1:1.*Enter the addresses/));
  });

  it('is one of several ways, and its client may be given first or later', async () => {
    describeSchemes({ token: BEARER, oauth: codeFlow() });
    const preview = await ana.preview({ address: service.address });
    expect(preview.auth).toMatchObject({ type: 'headers' });
    expect(preview.otherAuth).toEqual([
      { type: 'oauth2', scopes: ['files:read', 'offline_access'], client: 'missing' },
    ]);
    await ana.add({ address: service.address, auth: { type: 'oauth2' } });
    const { status, body } = await ana.send('GET', '/api/auth/acme');
    expect([status, body.error]).toEqual([
      503,
      expect.stringMatching(/needs an OAuth client.*\/api\/auth\/plugin\/acme\/callback/),
    ]);
    await ana.change({ auth: { type: 'oauth2', ...CLIENT, scopes: ['files:write', 'offline_access'] } });
    expect((await connect(ana, 'ana')).url.hash).toBe('#connected=acme');
    expect(provider.asked[0]?.get('scope')).toBe('files:write offline_access');
    expect(await callerOf(ana)).toBe('ana');
  });

  it('does not take a client to the endpoints of another way', async () => {
    await ana.add({ address: service.address, auth: { type: 'oauth2', ...CLIENT } });
    const { status } = await ana.send('GET', '/api/auth/acme');
    expect(status).toBe(503);
    expect(provider.requests).toEqual([]);
  });
});

describe('a raw request', () => {
  /** Starts the real server, and returns what asks it with a curl session. */
  async function openDoor(): Promise<(path: string) => Promise<Response>> {
    const proxy = until(createCurlProxy(app.deps));
    const beside = { proxy, jotFiles: createJotFiles(app.deps), clock: app.deps.clock };
    const server = await serve(createApp(app.deps).fetch, beside, 0);
    until({ close: () => server.stop() });
    const { token } = await call(app, ana.keyHeader, 'curl_session', { integrations: ['acme'] });
    const headers = { authorization: `Bearer ${token}` };
    return (path) => fetch(`http://127.0.0.1:${server.port}/c/acme${path}`, { headers });
  }

  it('carries the same credential to the same base, and nothing to another path', async () => {
    describeSchemes({ token: BEARER });
    requireCredential((headers) => headers.get('authorization') === `Bearer ${SECRET}`);
    await ana.add({ address: service.address, headers: { 'X-Version': '2026-01-01' } });
    await ana.connect({ token: SECRET });
    const ask = await openDoor();
    const answered = await ask('/invoices?state=sent,paid');
    expect(answered.status).toBe(200);
    expect(await answered.json()).toMatchObject({ state: 'sent,paid' });
    expect(service.calls.at(-1)).toMatchObject({ path: '/v1/invoices', query: '?state=sent,paid' });
    expect(service.calls.at(-1)?.headers.get('x-version')).toBe('2026-01-01');
    const before = service.calls.length;
    expect((await ask('/..%2fopenapi.json')).status).toBe(400);
    expect(service.calls).toHaveLength(before);
    expect(JSON.stringify(app.lines)).not.toContain(SECRET);
  });

  it('carries a key in the query, and keeps the rest of the query as it is written', async () => {
    describeSchemes({ key: { type: 'apiKey', in: 'query', name: 'key' } });
    requireCredential((_, url) => url.searchParams.get('key') === SECRET);
    await ana.add({ address: service.address });
    await ana.connect({ api_key: SECRET });
    const ask = await openDoor();
    expect((await ask('/invoices?state=a,b%20c&key=mine')).status).toBe(200);
    expect(service.calls.at(-1)?.query).toBe(`?state=a,b%20c&key=${SECRET}`);
  });
});
