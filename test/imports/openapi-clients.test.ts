// Connects services whose descriptions want an OAuth client of each person, with oidc-provider as their authorization server.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { serve } from '../../adapters/node/server.ts';
import { requireHexKey } from '../../src/config/config.ts';
import { createApp } from '../../src/app.ts';
import { type ClientProvider, startClientProvider } from '../support/client-provider.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { call } from '../support/mcp.ts';
import { type Service, startService } from '../support/openapi-service.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const running: { close(): Promise<unknown> }[] = [];
const until = <T extends { close(): Promise<unknown> }>(started: T): T => {
  running.push(started);
  return started;
};

const SECRET = 'a secret of ana & more+%';
const ANA = { client_id: 'ana:app', client_secret: SECRET };
const BEN = { client_id: 'ben', client_secret: 'a-secret-of-ben' };
const SCOPES = ['invoices:read', 'invoices:write'];

let app: TestApp;
let account: TestUser;
let ana: ImportUser;
let service: Service;
let provider: ClientProvider;
let seconds: number;

beforeEach(async () => {
  seconds = 3_600;
  // The provider uses the real time.
  app = until(await createTestApp({ now: Math.floor(Date.now() / 1000) }));
  account = await app.user('owner@localhost');
  ana = createImportUser(app, account);
  service = until(await startService());
  await start([ANA, BEN]);
});
afterEach(async () => {
  await app.deps.mcp.close();
  for (const each of running.splice(0).toReversed()) await each.close();
});

/** Describes the service as one of the provider. It takes only tokens that live there. */
async function start(clients: readonly object[], scopes: readonly string[] = SCOPES): Promise<void> {
  provider = until(await startClientProvider(clients, () => seconds));
  describeFlow(provider.tokenUrl, scopes);
  service.guard = async ({ headers }) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '') ?? [];
    return (await provider.find(token)) === undefined
      ? Response.json({ message: 'No such token' }, { status: 401 })
      : null;
  };
}

function describeFlow(tokenUrl: string, scopes: readonly string[] = SCOPES): void {
  const flow = { tokenUrl, scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])) };
  Object.assign(service.description.components, {
    securitySchemes: { program: { type: 'oauth2', flows: { clientCredentials: flow } } },
  });
  Object.assign(service.description, { security: [{ program: [] }] });
}

const enter = (values: object, who = ana) => who.send('POST', '/api/auth/apikey/acme', { values });
const list = (who = ana) => who.run('acme_list_invoices');
const LISTED = { result: { state: null } };
const row = () => app.deps.store.connections.get(account.id, 'acme', '');

async function connect(values: object = ANA): Promise<void> {
  await ana.add({ address: service.address });
  await ana.connect(values);
}

describe('a description with a client-credentials flow', () => {
  it('is found with the client of each person first, and a token as another way', async () => {
    const preview = await ana.preview({ address: service.address });
    expect(preview.auth).toEqual({
      type: 'client',
      tokenUrl: provider.tokenUrl,
      scopes: SCOPES,
      fields: ['client_id', 'client_secret'],
    });
    expect(preview.otherAuth).toEqual([
      { type: 'headers', headers: { Authorization: 'Bearer {token}' }, fields: ['token'] },
    ]);
    for (const [at, auth] of [preview.auth, ...preview.otherAuth].entries()) {
      const form = { address: service.address, name: `sent_back_${at}`, auth };
      const { type } = auth;
      expect(await ana.send('POST', '/api/imports', form)).toMatchObject({
        status: 201,
        body: { auth: { type } },
      });
    }
  });

  it('has an address of tokens that is relative to it, in the older words too', async () => {
    describeFlow('../oauth/token');
    expect((await ana.preview({ address: service.address })).auth).toMatchObject({
      type: 'client',
      tokenUrl: `${service.origin}/oauth/token`,
    });
    Object.assign(service.description, {
      swagger: '2.0',
      openapi: undefined,
      securityDefinitions: {
        program: { type: 'oauth2', flow: 'application', tokenUrl: provider.tokenUrl, scopes: {} },
      },
    });
    expect((await ana.preview({ address: service.address })).auth).toMatchObject({
      type: 'client',
      tokenUrl: provider.tokenUrl,
    });
  });

  it('asks each person for a client ID and a secret, and says where the secret goes', async () => {
    await ana.add({ address: service.address });
    const { status, body } = await ana.send('GET', '/api/auth/acme');
    const { host } = new URL(provider.tokenUrl);
    expect([status, body]).toEqual([
      200,
      {
        type: 'apikey',
        fields: [
          { key: 'client_id', label: 'Client ID', secret: false, required: true },
          {
            key: 'client_secret',
            label: 'Client secret',
            secret: true,
            required: true,
            help: `The gateway sends it to ${host} only, which answers with a token.`,
          },
        ],
      },
    ]);
    expect(await enter({ client_id: 'ana:app' })).toEqual({
      status: 400,
      body: { error: 'Missing required field: Client secret' },
    });
    expect(provider.asked).toEqual([]);
  });
});

describe('a connected client', () => {
  it('gets its token once, and calls carry the token through every door', async () => {
    await ana.add({ address: service.address });
    expect(await enter(ANA)).toEqual({
      status: 200,
      body: { success: true, status: 'ok' },
    });
    expect(await list()).toMatchObject(LISTED);
    const rest = await ana.send('POST', '/rest/acme', { tool: 'acme_list_invoices', args: {} });
    expect(rest).toMatchObject({ status: 200 });
    const raw = await openDoor();
    expect((await raw('/invoices')).status).toBe(200);
    expect(provider.asked.map(({ form }) => form.get('grant_type'))).toEqual(['client_credentials']);
    expect(provider.asked[0]?.form.get('scope')).toBe(SCOPES.join(' '));
    expect(provider.asked[0]?.form.has('client_secret')).toBe(false);
  });

  it('is one of each person', async () => {
    const ben = createImportUser(app, await app.user('ben@example.com'));
    await ana.add({ address: service.address, for: 'everyone' });
    await ana.connect(ANA);
    expect(await list(ben)).toMatchObject({ error: 'NOT_CONNECTED' });
    await ben.connect(BEN);
    expect([await list(), await list(ben)]).toMatchObject([LISTED, LISTED]);
    const tokens = service.calls.map(({ headers }) => headers.get('authorization'));
    expect(new Set(tokens).size).toBe(2);
  });

  it('is kept sealed, and neither the secret nor the token is in a log or an answer', async () => {
    await connect();
    await list();
    const stored = JSON.stringify(await row());
    const token = service.calls.at(-1)?.headers.get('authorization')?.slice('Bearer '.length) ?? '';
    const shown = JSON.stringify([
      await ana.get(),
      (await ana.send('GET', '/api/connections')).body,
      app.lines,
    ]);
    for (const secret of [SECRET, token])
      for (const text of [stored, shown]) expect(text).not.toContain(secret);
  });

  it('that authenticates in the body only does so after one refusal, and at once from then on', async () => {
    const body = JSON.stringify({ error: 'invalid_client', error_description: 'no client_id' });
    provider.instead = (authorization) => (authorization === undefined ? null : { status: 401, body });
    await connect();
    expect(await list()).toMatchObject(LISTED);
    const ways = () =>
      provider.asked.map(({ authorization }) => (authorization === undefined ? 'post' : 'basic'));
    expect(ways()).toEqual(['basic', 'post']);
    app.clock.advance(3_600);
    seconds = 7_200;
    expect(await list()).toMatchObject(LISTED);
    expect(ways()).toEqual(['basic', 'post', 'post']);
  });

  it('that may not have every scope of the description gets what the provider gives it', async () => {
    await start([{ ...ANA, scope: 'invoices:read' }]);
    await connect();
    expect(await list()).toMatchObject(LISTED);
    expect(provider.asked.map(({ form }) => form.get('scope'))).toEqual([SCOPES.join(' '), null]);
  });
});

describe('the token of a client', () => {
  it('is renewed before it expires', async () => {
    await connect();
    await list();
    app.clock.advance(3_600 - 30);
    expect(await list()).toMatchObject(LISTED);
    expect(provider.asked).toHaveLength(2);
    await list();
    expect(provider.asked).toHaveLength(2);
  });

  it('is renewed once when the service no longer takes it', async () => {
    await connect();
    provider.restart();
    expect(await list()).toMatchObject(LISTED);
    expect(provider.asked).toHaveLength(2);
    service.guard = () => Response.json({ message: 'Never' }, { status: 401 });
    expect(await list()).toHaveProperty('error');
    expect(provider.asked).toHaveLength(3);
  });

  it('is renewed for a raw request too', async () => {
    seconds = 600;
    await connect();
    const raw = await openDoor();
    app.clock.advance(600);
    expect((await raw('/invoices')).status).toBe(200);
    expect(provider.asked).toHaveLength(2);
  });

  it('is renewed once by two processes that need it at the same time', async () => {
    await connect();
    app.clock.advance(3_600);
    const { SESSION_SECRET, ENCRYPTION_KEY } = app.deps.config;
    const other = until(
      await createTestApp({
        ports: { store: { ...app.deps.store, close: async () => {} }, clock: app.clock },
        env: { SESSION_SECRET, ENCRYPTION_KEY: requireHexKey(ENCRYPTION_KEY) },
      }),
    );
    const there = createImportUser(other, account);
    const all = await Promise.all(
      [ana, there].flatMap((who) => Array.from({ length: 8 }, () => who.run('acme_list_invoices'))),
    );
    expect(all.filter(({ result }) => result !== undefined)).toHaveLength(16);
    expect(provider.asked).toHaveLength(2);
    await other.deps.mcp.close();
  });

  it('goes to the import and nowhere else', async () => {
    await connect();
    await list();
    const raw = await openDoor();
    await raw('/..%2fopenapi.json');
    await raw('//127.0.0.1:1/invoices');
    expect(service.calls.every(({ path }) => path.startsWith('/v1/'))).toBe(true);
  });
});

describe('a provider that gives no token', () => {
  it('refuses a wrong secret in its own words, and nothing is stored', async () => {
    await ana.add({ address: service.address });
    const { status, body } = await enter({ ...ANA, client_secret: 'wrong' });
    expect(status).toBe(400);
    expect(body.error).toContain('invalid_client (client authentication failed)');
    expect(body.error).not.toContain('wrong');
    expect(await row()).toBeNull();
  });

  it('asks for another client when it has withdrawn this one', async () => {
    await connect();
    provider.restart([BEN]);
    app.clock.advance(3_600);
    expect(await list()).toMatchObject({
      error: expect.stringContaining('invalid_client'),
      message: expect.stringContaining('did not accept the stored client ID and secret'),
    });
    const asked = provider.asked.length;
    expect(await list()).toHaveProperty('error');
    expect(provider.asked).toHaveLength(asked);
    const { body } = await ana.send('GET', '/api/connections');
    expect(JSON.stringify(body)).toContain('invalid_client');
    expect(await row()).toMatchObject({ status: 'reconnect', refresh_token: null });
    await ana.connect(BEN);
    expect(await list()).toMatchObject(LISTED);
  });

  it('is asked later when it is away, and what is stored stays', async () => {
    await ana.add({ address: service.address });
    provider.instead = () => ({ status: 503, body: '<h1>Away</h1>' });
    expect(await enter(ANA)).toMatchObject({ status: 503 });
    expect(await row()).toBeNull();
    provider.instead = () => null;
    await ana.connect(ANA);
    const before = await row();
    provider.instead = () => ({ status: 503, body: '<h1>Away</h1>' });
    app.clock.advance(3_600);
    expect(await list()).toHaveProperty('error');
    expect(await row()).toEqual(before);
    provider.instead = () => null;
    expect(await list()).toMatchObject(LISTED);
  });

  it('is not asked at an address that the gateway must not reach', async () => {
    describeFlow('http://169.254.169.254/token');
    await ana.add({ address: service.address });
    const { status, body } = await enter(ANA);
    expect([status, body.error]).toEqual([503, expect.stringContaining('169.254.169.254')]);
  });

  it('is no redirect: the secret goes to the address that people were shown', async () => {
    await ana.add({ address: service.address });
    provider.instead = () => ({ status: 307, body: '' });
    expect((await enter(ANA)).status).toBe(400);
    expect(provider.asked).toHaveLength(1);
    expect(await row()).toBeNull();
  });
});

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
