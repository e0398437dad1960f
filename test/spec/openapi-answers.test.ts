// Drives every operation of the description and checks each answer against it. reference: OpenAPI; Portal API
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entry } from '../contracts/store/records.ts';
import { createApp } from '../../src/app.ts';
import { createLiveView } from '../../src/live-view/live-view.ts';
import {
  type Browser,
  type BrowserCookie,
  type BrowserSession,
  FIRST_PROFILE,
} from '../../src/ports/browser.ts';
import type { Camera } from '../../src/ports/camera.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { putToken, token } from '../contracts/store/records.ts';
import { startChangingServer, tool } from '../support/changing-server.ts';
import { limitedKey, putRules } from '../support/depot.ts';
import { fileIn, putFile } from '../support/files.ts';
import { offLink } from '../../src/notices/model/off-link.ts';
import { smallWorld } from '../support/fixtures.ts';
import { type GatewaySite, openGatewaySite } from '../support/gateway-site.ts';
import { publish } from '../support/jots.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startOidc } from '../support/oidc.ts';
import { type Description, readDescription } from '../support/openapi.ts';
import { userWithRole } from '../support/people.ts';
import { askToShout } from '../support/policy.ts';
import { runner as scriptRunner } from '../support/script-stand.ts';
import { createTestApp, type TestUser } from '../support/test-app.ts';

const INSTANCE = 'http://127.0.0.1:1/w';
const COOKIE: BrowserCookie = {
  name: 'sid',
  value: 'secret',
  domain: '127.0.0.1',
  path: '/',
  expires: -1,
  secure: false,
  httpOnly: true,
};

let site: GatewaySite;
let app: ReturnType<typeof createApp>;
let ana: TestUser;
let description: Description;
/** The operations that succeeded. */
const succeeded = new Set<string>();
/** The cookies that the browser has. */
let cookies: BrowserCookie[] = [];

function createBrowser(): Browser {
  let running: BrowserSession | null = null;
  const session: BrowserSession = {
    userAgent: 'A browser',
    profile: FIRST_PROFILE,
    closed: new Promise(() => {}),
    navigate: () => Promise.resolve(),
    cookies: () => Promise.resolve(cookies),
    setCookies: () => Promise.resolve(),
    openChannel: () => Promise.reject(new Error('not used')),
    close: () => Promise.resolve(),
  };
  return {
    status: () => (running === null ? 'off' : 'on'),
    current: () => running,
    open: () => Promise.resolve((running = session)),
    forget: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    reset: async () => {
      running = null;
    },
    close: () => Promise.resolve(),
  };
}

const camera: Camera = {
  photograph: () => Promise.resolve(new Uint8Array(9)),
  close: () => Promise.resolve(),
};

beforeAll(async () => {
  const browser = createBrowser();
  site = await openGatewaySite({
    ports: { integrations: smallWorld, browser, camera },
    env: { VAULTED_CLIENT_ID: 'id', VAULTED_CLIENT_SECRET: 'secret' },
  });
  const { deps } = site.app;
  app = createApp(deps, { liveView: createLiveView({ ...deps, browser }).routes });
  ana = await site.app.user();
  description = await readDescription(await (await app.request('/openapi.json')).text());
});
afterAll(() => site.close());

interface Asked {
  /** The parameters of the path and of the query. */
  at?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends what the description says, and expects an answer that the description has. */
async function ask(id: string, { at = {}, body, headers = ana.keyHeader }: Asked = {}) {
  const { method, path, parameters = [], requestBody } = description.find(id);
  const query = new URLSearchParams();
  let target = path;
  for (const [name, value] of Object.entries(at)) {
    const parameter = parameters.find((one) => one.name === name && one.in !== 'header');
    if (parameter === undefined) throw new Error(`${id} has no parameter ${name}`);
    if (parameter.in === 'query') query.set(name, value);
    else target = target.replace(`{${name}}`, encodeURIComponent(value));
  }
  if (requestBody?.required === true && body === undefined) throw new Error(`${id} needs a body`);
  const response = await app.request(`${site.base}${target}?${query}`, {
    method: method.toUpperCase(),
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? '';
  const text = await response.text();
  const answer = {
    status: response.status,
    mediaType,
    body: mediaType === 'application/json' ? JSON.parse(text) : text,
  };
  expect(description.faultIn(id, answer), `${id} answers ${answer.status}`).toBeNull();
  if (response.ok) {
    succeeded.add(id);
    if (body !== undefined) expect(description.faultInRequest(id, body), `the body of ${id}`).toBeNull();
  }
  return answer;
}

const statusOf = async (id: string, asked?: Asked) => (await ask(id, asked)).status;

describe('answers are as the description says:', () => {
  it('the catalogue', async () => {
    expect((await ask('listIntegrations')).body.integrations).toHaveLength(8);
    for (const integration of ['time', 'vaulted', 'keyed', 'jar'])
      expect(await statusOf('getIntegration', { at: { integration } })).toBe(200);
    expect(await statusOf('getIntegration', { at: { integration: 'nope' } })).toBe(404);
    expect(await statusOf('getIntegrationLogo', { at: { integration: 'echo' } })).toBe(200);
    expect(await statusOf('getIntegrationLogo', { at: { integration: 'jar' } })).toBe(404);
    expect((await ask('listTools', { at: { q: 'whoami' } })).body.tools).toHaveLength(3);
  });

  it('what rules and limits decide', async () => {
    const { header: headers } = await limitedKey(site.app, ana, { integrations: ['time'] });
    const at = { integration: 'echo' };
    expect(await statusOf('getIntegration', { at, headers })).toBe(403);
    expect(await statusOf('describeRestIntegration', { at, headers })).toBe(403);
    expect(await statusOf('getIntegrationOpenApi', { at, headers })).toBe(403);
    expect((await ask('listRestIntegrations', { headers })).body.integrations).toHaveLength(1);
    const rules = [
      { tool: 'shout', decision: 'ask' },
      { tool: 'echo_fail', decision: 'block' },
    ] as const;
    await putRules(site.app, rules, ana.id);
    const seen = { at, headers: ana.sessionHeader };
    expect((await ask('getIntegration', seen)).body.tools).toContainEqual(
      expect.objectContaining({ name: 'echo_fail', decision: 'block', decidedBy: 'person' }),
    );
    expect((await ask('listTools', { headers: ana.sessionHeader })).body.tools).toContainEqual(
      expect.objectContaining({ name: 'shout', decision: 'ask', decidedBy: 'person' }),
    );
    expect((await ask('describeRestIntegration', { at })).body.tools).toContainEqual(
      expect.objectContaining({ name: 'shout', approval: 'required' }),
    );
    const call = { tool: 'shout', args: { text: 'a' } };
    expect(await statusOf('executeTools', { at, body: call })).toBe(409);
    expect(await statusOf('executeTools', { at, body: { tool: 'fail' } })).toBe(403);
    expect(await statusOf('executeTools', { at, body: { executions: [call, { tool: 'fail' }] } })).toBe(200);
    await putRules(site.app, [], ana.id);
  });

  it('REST', async () => {
    const integration = 'echo';
    expect(await statusOf('listRestIntegrations')).toBe(200);
    expect(await statusOf('describeRestIntegration', { at: { integration } })).toBe(200);
    expect(await statusOf('describeRestIntegration', { at: { integration: 'nope' } })).toBe(404);
    const run = (body: unknown, name = integration) =>
      statusOf('executeTools', { at: { integration: name }, body });
    expect(await run({ tool: 'shout', args: { text: 'a' } })).toBe(200);
    expect(await run({ tool: 'shout', text: 'a' })).toBe(200);
    expect(await run({ tool: 'nothing' })).toBe(200);
    const executions = [{ tool: 'shout', args: { text: 'a' } }, { tool: 'nope' }, { tool: 'fail' }];
    expect(await run({ executions })).toBe(200);
    expect(await run({ tool: 'shout', text: 'a', select: 'length(@)' })).toBe(200);
    expect(await run({ tool: 'list_pull_requests', args: { owner: 'o', repo: 'r' }, select: 'nope' })).toBe(
      200,
    );
    expect(await run({ tool: 'shout', text: 'a', select: 'abs(@)' })).toBe(400);
    expect(await run({})).toBe(400);
    expect(await run({ tool: 'nope' })).toBe(404);
    expect(await run({ tool: 'whoami' }, 'vaulted')).toBe(409);
    expect(await run({ tool: 'fail' })).toBe(502);
    const at = { integration, tool: 'shout' };
    expect(await statusOf('executeTool', { at, body: { text: 'a' } })).toBe(200);
    expect(await statusOf('executeTool', { at: { ...at, select: '@' }, body: { text: 'a' } })).toBe(200);
    expect(await statusOf('executeTool', { at, body: { loud: 'a' } })).toBe(400);
    expect(await statusOf('executeTool', { at: { integration, tool: 'nope' } })).toBe(404);
    expect(await statusOf('executeTool', { at, headers: {} })).toBe(401);
  });

  it('the descriptions', async () => {
    expect(await statusOf('getOpenApi', { headers: {} })).toBe(200);
    expect(await statusOf('getLlmsText', { headers: {} })).toBe(200);
    expect(await statusOf('getIntegrationOpenApi', { at: { integration: 'time' } })).toBe(200);
    expect(await statusOf('getIntegrationOpenApi', { at: { integration: 'nope' } })).toBe(404);
    expect(await statusOf('getIntegrationOpenApi', { at: { integration: 'time' }, headers: {} })).toBe(401);
  });

  it('the imports', async () => {
    const server = await startChangingServer([tool('get')]);
    const at = { name: 'acme' };
    const body = { address: server.address, name: 'acme' };
    expect(await statusOf('listKnownServers')).toBe(200);
    expect(await statusOf('getImportLogo', { at, headers: {} })).toBe(200);
    expect(await statusOf('getImportLogo', { at: { name: 'A B' }, headers: {} })).toBe(404);
    expect(await statusOf('previewImport', { body: { address: server.address } })).toBe(200);
    expect(await statusOf('previewImport', { body: {} })).toBe(400);
    expect(await statusOf('previewImport', { body: { document: 'nothing' } })).toBe(422);
    expect(await statusOf('addImport', { body: { ...body, for: 'everyone' } })).toBe(403);
    expect(await statusOf('addImport', { body })).toBe(201);
    expect(await statusOf('addImport', { body })).toBe(409);
    expect(await statusOf('listImports')).toBe(200);
    expect(await statusOf('getImport', { at })).toBe(200);
    expect(await statusOf('getImport', { at: { name: 'nope' } })).toBe(404);
    expect(await statusOf('changeImport', { at, body: { displayName: 'Acme' } })).toBe(200);
    expect(await statusOf('changeImport', { at, body: { exclude: ['nope'] } })).toBe(400);
    server.tools = [tool('get', { description: 'Gets it' })];
    expect(await statusOf('checkImport', { at })).toBe(200);
    expect(await statusOf('listImportChanges', { at })).toBe(200);
    expect(await statusOf('acceptImportChanges', { at, body: { all: true } })).toBe(200);
    expect(await statusOf('acceptImportChanges', { at, body: {} })).toBe(400);
    await server.close();
    expect(await statusOf('checkImport', { at })).toBe(502);
    expect(await statusOf('deleteImport', { at })).toBe(200);
    expect(await statusOf('deleteImport', { at })).toBe(404);
  });

  it('the OAuth clients of an administrator', async () => {
    const at = { integration: 'vaulted' };
    expect(await statusOf('getOAuthClient', { at })).toBe(403);
    // Without a sign-in provider the owner is the administrator.
    const env = { JARRED_CLIENT_ID: 'x' };
    const other = await createTestApp({ ports: { integrations: smallWorld }, env });
    const whole = app;
    app = createApp(other.deps);
    const headers = (await other.user('owner@localhost')).sessionHeader;
    const client = { clientId: 'i', clientSecret: 's' };
    const body = { ...client, instances: { 'https://a.example': client } };
    expect(await statusOf('getOAuthClient', { at, headers })).toBe(404);
    expect(await statusOf('setOAuthClient', { at, headers, body: { clientId: 'i' } })).toBe(400);
    expect(await statusOf('setOAuthClient', { at, headers, body })).toBe(200);
    expect(await statusOf('getOAuthClient', { at, headers })).toBe(200);
    expect(await statusOf('getIntegration', { at, headers })).toBe(200);
    expect(await statusOf('deleteOAuthClient', { at, headers })).toBe(200);
    const taken = { integration: 'jarred' };
    expect(await statusOf('deleteOAuthClient', { at: taken, headers })).toBe(409);
    app = whole;
    await other.close();
  });

  it('the person and the API key', async () => {
    const headers = ana.sessionHeader;
    expect((await ask('getMe')).body).toEqual({ id: ana.id, email: ana.email });
    expect(await statusOf('getMe', { headers: {} })).toBe(401);
    expect(await statusOf('logOut', { headers: {} })).toBe(200);
    expect(await statusOf('revealApiKey', { headers })).toBe(200);
    expect(await statusOf('deleteApiKey', { headers })).toBe(200);
    expect(await statusOf('revealApiKey', { headers })).toBe(404);
    expect((await ask('getApiKeyState', { headers })).body).toEqual({ hasKey: false });
    const { apiKey } = (await ask('createApiKey', { headers })).body;
    ana.keyHeader['x-service-api-key'] = apiKey;
    expect(await statusOf('getMe')).toBe(200);
  });

  it('the beginning of a sign-in', async () => {
    expect((await ask('listSignInProviders', { headers: {} })).body.providers).toEqual(['hosted', 'idp']);
    expect(await statusOf('startHostedSignIn', { headers: {} })).toBe(200);
    expect(await statusOf('startIdpSignIn', { headers: {} })).toBe(200);
  });

  it('connecting with a key, by a provider, and not at all', async () => {
    const start = (integration: string, query = {}) =>
      ask('startConnecting', { at: { integration, ...query } });
    expect((await start('time')).body).toEqual({ type: 'none', connected: true });
    expect((await start('keyed')).body.fields).toHaveLength(4);
    expect((await start('vaulted')).body.type).toBe('oauth2');
    expect((await start('vaulted', { instanceUrl: 'http://127.0.0.1:1' })).status).toBe(503);
    expect((await start('vaulted', { instanceUrl: 'ftp://other.example' })).status).toBe(400);
    expect((await start('nope')).status).toBe(404);
    const connect = (integration: string, values: Record<string, string>) =>
      statusOf('connectWithApiKey', { at: { integration }, body: { values } });
    expect(await connect('keyed', {})).toBe(400);
    expect(await connect('time', { apiKey: 'x' })).toBe(404);
    expect(await connect('keyed', { region: 'eu', apiKey: 'x', appKey: 'y' })).toBe(200);
    const { connections } = (await ask('listConnections')).body;
    expect(connections).toContainEqual(
      expect.objectContaining({ name: 'keyed', connected: true, status: 'unverified', way: 'apikey' }),
    );
    const check = (integration: string) => statusOf('checkConnection', { at: { integration } });
    expect(await check('keyed')).toBe(200);
    const disconnect = (integration: string, at: Record<string, string> = {}) =>
      statusOf('disconnect', { at: { integration, ...at } });
    const add = (account: string) => {
      const values = { region: 'eu', apiKey: 'x', appKey: 'y' };
      return statusOf('connectWithApiKey', { at: { integration: 'keyed' }, body: { values, account } });
    };
    expect(await add('second')).toBe(200);
    expect((await ask('listConnections')).body.connections).toContainEqual(
      expect.objectContaining({ name: 'keyed', accounts: expect.any(Array) }),
    );
    const change = (id: string, body: object) =>
      statusOf('changeAccount', { at: { integration: 'keyed', id }, body, headers: ana.sessionHeader });
    expect(await change('first', { label: 'one', default: true, defaultForWrites: true })).toBe(200);
    expect(await change('first', { label: 'second' })).toBe(409);
    expect(await change('first', { label: '' })).toBe(400);
    expect(await change('gone', { label: 'x' })).toBe(404);
    expect(await disconnect('keyed', { revoke: 'true', account: 'second' })).toBe(200);
    expect(await disconnect('keyed', { revoke: 'true' })).toBe(200);
    expect(await check('keyed')).toBe(404);
    expect(await disconnect('keyed')).toBe(200);
    expect(await disconnect('time')).toBe(400);
    expect(await disconnect('nope')).toBe(404);
  });

  it('connecting with cookies', async () => {
    const at = { integration: 'jar' };
    expect(await statusOf('exportSession', { at })).toBe(404);
    expect(await statusOf('captureCookies', { at })).toBe(400);
    const started = await ask('startConnecting', { at: { ...at, instanceUrl: INSTANCE } });
    expect(started.body).toMatchObject({ type: 'cookie', loginUrl: `${INSTANCE}/login` });
    expect(await statusOf('captureCookies', { at })).toBe(400);
    cookies = [COOKIE];
    expect((await ask('captureCookies', { at })).body).toEqual({ success: true, cookieCount: 1 });
    expect(await statusOf('cancelCookieLogin', { at })).toBe(200);
    expect(await statusOf('cancelCookieLogin', { at: { integration: 'time' } })).toBe(404);
    const { session } = (await ask('exportSession', { at })).body;
    for (const body of [{ session, instanceUrl: INSTANCE }, { session: [COOKIE] }, session, [COOKIE]])
      expect(await statusOf('importSession', { at, body })).toBe(200);
    expect(await statusOf('importSession', { at, body: [] })).toBe(400);
    expect(await statusOf('importSession', { at, body: { session, account: 'second' } })).toBe(200);
    expect(await statusOf('importSession', { at, body: { session } })).toBe(409);
    const second = { ...at, account: 'second' };
    expect(await statusOf('exportSession', { at: second })).toBe(200);
    expect(await statusOf('exportSession', { at: { ...at, account: 'third' } })).toBe(404);
    expect(await statusOf('startConnecting', { at })).toBe(409);
    expect(await statusOf('startConnecting', { at: second })).toBe(200);
    expect(await statusOf('captureCookies', { at: second })).toBe(200);
    expect(await statusOf('disconnect', { at: second })).toBe(200);
  });

  it('connect links', async () => {
    const { links } = site.app.deps;
    const tokenOf = (link: string) => new URL(link).searchParams.get('t') ?? '';
    const redeem = (token: string, headers: Record<string, string> = ana.keyHeader) =>
      ask('redeemConnectLink', { body: { token }, headers });
    const toProvider = tokenOf(await links.create(ana.id, 'vaulted'));
    expect((await redeem(toProvider, {})).body.code).toBe('AUTH_REQUIRED');
    const bea = await site.app.user('bea@example.com');
    expect((await redeem(toProvider, bea.keyHeader)).body.code).toBe('ACCOUNT_MISMATCH');
    expect((await redeem(toProvider)).body.type).toBe('oauth2');
    expect((await redeem(toProvider)).status).toBe(410);
    expect((await redeem('nonsense')).body.code).toBe('LINK_INVALID');
    const toSite = tokenOf(await links.create(ana.id, 'jar'));
    expect((await redeem(toSite)).body).toMatchObject({ type: 'cookie', sessionId: expect.any(String) });
    expect(await statusOf('captureConnectLink', { body: { token: toSite } })).toBe(200);
    cookies = [];
    expect(await statusOf('captureConnectLink', { body: { token: toSite } })).toBe(400);
    const made = await ask('createBrowserLink', { body: { url: 'https://example.com/' } });
    expect(made.status).toBe(200);
    expect((await redeem(tokenOf(made.body.url))).body.type).toBe('__browser__');
    expect(await statusOf('resetBrowser')).toBe(409);
    expect(await statusOf('cancelCookieLogin', { at: { integration: 'jar' } })).toBe(200);
    expect(await statusOf('resetBrowser', { headers: { ...ana.keyHeader, 'x-browser-session': 'no' } })).toBe(
      400,
    );
    expect(await statusOf('resetBrowser')).toBe(200);
    expect(await statusOf('createBrowserLink', { body: { url: 'ftp://example.com/' } })).toBe(400);
  });

  it('agents', async () => {
    const { clock, deps } = site.app;
    await deps.store.clients.register(
      { client_id: 'c1', client_name: 'Agent', redirect_uris: [], created_at: clock.now() },
      10,
    );
    const expires_at = clock.now() + 60;
    await putToken(deps.store, token({ client_id: 'c1', user_id: ana.id, expires_at }));
    expect((await ask('listAgents')).body.agents).toMatchObject([{ client_name: 'Agent' }]);
    const at = { clientId: 'c1' };
    const limits = { access: 'read', expiresAt: expires_at } as const;
    const limited = await ask('limitAgent', { at, body: limits, headers: ana.sessionHeader });
    expect(limited.body).toMatchObject({ client_id: 'c1', limits });
    expect(await statusOf('limitAgent', { at, body: { access: 'all' }, headers: ana.sessionHeader })).toBe(
      400,
    );
    const nobody = { clientId: 'nobody' };
    expect(await statusOf('limitAgent', { at: nobody, body: {}, headers: ana.sessionHeader })).toBe(404);
    const pause = { body: { paused: true }, headers: ana.sessionHeader };
    expect((await ask('pauseAgent', { at, ...pause })).body).toMatchObject({ paused_at: clock.now() });
    expect(await statusOf('pauseAgent', { at: nobody, ...pause })).toBe(404);
    expect((await ask('revokeAgent', { at })).body).toEqual({ revoked: 1 });
  });

  it('actors', async () => {
    const headers = (await userWithRole(site.app, 'actors@example.com', 'administrator')).sessionHeader;
    const form = { name: 'Acme', returnTo: ['https://acme.example/'], integrations: ['keyed'] };
    expect(await statusOf('createServiceKey', { body: {}, headers })).toBe(400);
    expect(await statusOf('createServiceKey', { body: form })).toBe(403);
    const made = await ask('createServiceKey', { body: form, headers });
    const at = { id: made.body.id };
    const key = { 'x-service-api-key': made.body.key };
    expect((await ask('listServiceKeys', { headers })).body.serviceKeys).toHaveLength(1);
    expect(await statusOf('getServiceKey', { at, headers })).toBe(200);
    expect(await statusOf('getServiceKey', { at: { id: 'nope' }, headers })).toBe(404);
    const colours = { light: '#112233' };
    expect((await ask('changeServiceKey', { at, body: { colours }, headers })).body).toMatchObject({
      colours,
    });
    const ann = { externalId: 'ann' };
    expect(await statusOf('createActor', { body: { ...ann, name: 'Ann' }, headers: key })).toBe(201);
    expect(await statusOf('createActor', { body: ann, headers: key })).toBe(200);
    expect(await statusOf('createActor', { body: { externalId: 'a b' }, headers: key })).toBe(400);
    expect(await statusOf('createActor', { body: ann })).toBe(401);
    expect(await statusOf('listActors', { headers: key })).toBe(200);
    for (const id of ['getActor', 'listActorConnections', 'readActorUsage'])
      expect([id, await statusOf(id, { at: ann, headers: key })]).toEqual([id, 200]);
    for (const id of ['getActor', 'listActorConnections', 'readActorUsage', 'eraseActor'])
      expect([id, await statusOf(id, { at: { externalId: 'bob' }, headers: key })]).toEqual([id, 404]);
    const link = { integration: 'keyed', returnTo: 'https://acme.example/' };
    expect(await statusOf('createActorLink', { at: ann, body: link, headers: key })).toBe(201);
    expect(
      await statusOf('createActorLink', { at: ann, body: { ...link, returnTo: '' }, headers: key }),
    ).toBe(400);
    for (const id of ['listActorLinks', 'listActorsOfKey'])
      expect([id, await statusOf(id, { at, headers })]).toEqual([id, 200]);
    for (const id of ['listConnectionsOfKey', 'readUsageOfKey'])
      expect([id, await statusOf(id, { at: { ...at, ...ann }, headers })]).toEqual([id, 200]);
    const keyed = { ...ann, integration: 'keyed' };
    expect(await statusOf('disconnectActor', { at: keyed, headers: key })).toBe(200);
    expect(await statusOf('eraseActor', { at: ann, headers: key })).toBe(202);
    await ask('createActor', { body: ann, headers: key });
    expect(await statusOf('eraseActorOfKey', { at: { ...at, ...ann }, headers })).toBe(202);
    expect(await statusOf('renewServiceKey', { at, headers })).toBe(200);
    expect(await statusOf('deleteServiceKey', { at: { ...at, erase: 'true' }, headers })).toBe(200);
    expect(await statusOf('deleteServiceKey', { at, headers })).toBe(404);
  });

  it('machines', async () => {
    const headers = (await userWithRole(site.app, 'machines@example.com', 'administrator')).sessionHeader;
    const key = await ask('createAgentKey', { body: { name: 'Machine' }, headers });
    const client = { name: 'Job', key: key.body.id };
    expect(await statusOf('createMachineClient', { body: {}, headers })).toBe(400);
    expect(await statusOf('createMachineClient', { body: client })).toBe(403);
    const made = await ask('createMachineClient', { body: client, headers });
    expect(made.body).toMatchObject({ method: 'secret', key: { name: 'Machine' } });
    expect((await ask('listMachineClients', { headers })).body.clients).toHaveLength(1);
    const at = { id: made.body.clientId };
    expect(await statusOf('deleteMachineClient', { at, headers })).toBe(200);
    expect(await statusOf('deleteMachineClient', { at, headers })).toBe(404);
    const oidc = await startOidc({ redirectUris: ['http://localhost/'] });
    const rules = [{ sub: 'repo:acme/web:*', claims: { environment: 'prod' }, key: 'Machine' }];
    const body = { name: 'Pipelines', issuer: oidc.issuer, rules };
    const trusted = await ask('createTrustedIssuer', { body, headers });
    expect(trusted.body).toMatchObject({ issuer: oidc.issuer, rules: [{ sub: 'repo:acme/web:*' }] });
    expect(await statusOf('createTrustedIssuer', { body, headers })).toBe(409);
    expect(await statusOf('createTrustedIssuer', { body: {}, headers })).toBe(400);
    expect((await ask('listTrustedIssuers', { headers })).body.issuers).toHaveLength(1);
    expect((await ask('testTrustedToken', { body: { token: 'x' }, headers })).body.accepted).toBe(false);
    const one = { id: trusted.body.id };
    const renamed = await ask('changeTrustedIssuer', { at: one, body: { name: 'Jobs' }, headers });
    expect(renamed.body.name).toBe('Jobs');
    expect(await statusOf('changeTrustedIssuer', { at: one, body: {}, headers })).toBe(400);
    expect(await statusOf('deleteTrustedIssuer', { at: one, headers })).toBe(200);
    expect(await statusOf('deleteTrustedIssuer', { at: one, headers })).toBe(404);
    await oidc.close();
  });

  it('named keys', async () => {
    const headers = ana.sessionHeader;
    const rules = [{ tool: 'shout', decision: 'ask' }];
    const limits = {
      integrations: ['echo'],
      access: 'write',
      rules,
      perMinute: 30,
      expiresAt: 4_000_000_000,
    };
    const body = { name: 'Agent', ...limits };
    expect(await statusOf('createAgentKey', { body })).toBe(403);
    expect(await statusOf('createAgentKey', { body: { name: '' }, headers })).toBe(400);
    const made = await ask('createAgentKey', { body, headers });
    expect(made.body).toMatchObject({ name: 'Agent', key: expect.stringMatching(/^agk_/), ...limits });
    expect((await ask('listAgentKeys')).body.keys).toContainEqual(
      expect.objectContaining({ id: made.body.id, ...limits }),
    );
    const at = { id: made.body.id };
    expect(await statusOf('changeAgentKey', { at, body, headers })).toBe(200);
    expect(await statusOf('changeAgentKey', { at, body: { name: '' }, headers })).toBe(400);
    for (const paused of [true, false])
      expect(await statusOf('pauseAgentKey', { at, body: { paused }, headers })).toBe(200);
    expect(await statusOf('deleteAgentKey', { at })).toBe(403);
    expect(await statusOf('deleteAgentKey', { at, headers })).toBe(200);
    expect(await statusOf('deleteAgentKey', { at, headers })).toBe(404);
  });

  it('notices', async () => {
    const headers = ana.sessionHeader;
    const body = { channel: 'webhook', name: 'Server', url: 'http://127.0.0.1:9/hook' };
    expect(await statusOf('addNoticeChannel', { body })).toBe(403);
    expect(await statusOf('addNoticeChannel', { body: { ...body, url: 'ftp://x' }, headers })).toBe(400);
    const { id } = (await ask('addNoticeChannel', { body, headers })).body;
    expect(await statusOf('changeNotices', { body: { quietHours: null }, headers })).toBe(200);
    expect((await ask('getNotices')).body.channels).toMatchObject([{ id, name: 'Server' }]);
    expect(await statusOf('changeNoticeChannel', { at: { id }, body: { kinds: ['key'] }, headers })).toBe(
      200,
    );
    const delivery = (await ask('testNoticeChannel', { at: { id }, headers })).body;
    expect((await ask('listDeliveries')).body.deliveries).toMatchObject([{ id: delivery.id }]);
    await site.app.deps.store.outbox.deliveries.failAll(id, 'away', site.app.deps.clock.now());
    expect(await statusOf('sendDeliveryAgain', { at: { id: delivery.id }, headers })).toBe(202);
    const off = { user: ana.id, destination: id, kinds: ['key' as const] };
    const token = new URL(await offLink(site.app.deps, off)).searchParams.get('token') ?? '';
    expect(await statusOf('showNoticesOff', { at: { token }, headers: {} })).toBe(200);
    expect(await statusOf('switchNoticesOff', { at: { token }, headers: {} })).toBe(200);
    expect(await statusOf('switchNoticesOff', { at: { token: 'x' }, headers: {} })).toBe(404);
    expect(await statusOf('deleteNoticeChannel', { at: { id }, headers })).toBe(200);
    expect(await statusOf('deleteNoticeChannel', { at: { id }, headers })).toBe(404);
  });

  it('scripts, their runs and their reviews', async () => {
    const other = await createTestApp({ ports: { integrations: smallWorld, scriptRunner } });
    const whole = app;
    app = createApp(other.deps);
    const headers = (await other.user('owner@localhost')).sessionHeader;
    const body = { name: 'twice', code: 'return input.n * 2' };
    expect(await statusOf('saveScript', { headers, body: { name: 'No', code: '' } })).toBe(400);
    expect(await statusOf('saveScript', { headers, body })).toBe(201);
    expect((await ask('listScripts', { headers })).body.scripts).toHaveLength(1);
    expect(await statusOf('getScript', { headers, at: { name: 'twice' } })).toBe(200);
    expect(await statusOf('getScript', { headers, at: { name: 'gone' } })).toBe(404);
    expect(await statusOf('shareScript', { headers, at: { name: 'twice' } })).toBe(200);
    const { reviews } = (await ask('listScripts', { headers })).body;
    const at = { id: reviews[0].id };
    expect(await statusOf('reviewScript', { headers, at, body: {} })).toBe(400);
    expect(await statusOf('reviewScript', { headers, at, body: { accept: true } })).toBe(200);
    expect(await statusOf('listScriptRuns', { headers })).toBe(200);
    expect(await statusOf('getScriptRun', { headers, at: { id: 'nope' } })).toBe(404);
    const called = { tool: 'script_run', args: { code: 'return 1' } };
    const ran = await app.request('/rest/scripts', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(called),
    });
    expect(ran.status).toBe(200);
    const { runs } = (await ask('listScriptRuns', { headers })).body;
    expect(await statusOf('getScriptRun', { headers, at: { id: runs[0].id } })).toBe(200);
    expect(await statusOf('runScriptAgain', { headers, at: { id: runs[0].id } })).toBe(200);
    expect(await statusOf('deleteScript', { headers, at: { name: 'twice' } })).toBe(200);
    expect(await statusOf('deleteScript', { headers, at: { name: 'gone' } })).toBe(404);
    app = whole;
    await other.close();
  });

  it('sets of tools', async () => {
    const headers = ana.sessionHeader;
    const body = { name: 'morning', title: 'Morning', tools: ['time_now'] };
    expect((await ask('createSet', { body })).body).toMatchObject({ ...body, for: 'me' });
    expect(await statusOf('createSet', { body })).toBe(409);
    expect(await statusOf('createSet', { body: { ...body, tools: ['nothing'] } })).toBe(400);
    expect(await statusOf('createSet', { body: { ...body, for: 'everyone' } })).toBe(403);
    const bound = await ask('createAgentKey', { body: { name: 'Bound', set: 'morning' }, headers });
    expect(bound.body).toMatchObject({ set: 'morning' });
    expect((await ask('listSets')).body.sets).toHaveLength(1);
    const at = { name: 'morning' };
    expect((await ask('getSet', { at })).body).toMatchObject({
      listed: [{ name: 'time_now', state: 'listed' }],
    });
    expect((await ask('getSetFunctions', { at: { ...at, for: 'openai' } })).body.functions).toHaveLength(1);
    expect((await ask('getSetOpenApi', { at })).body).toHaveProperty('openapi', '3.1.0');
    expect((await ask('executeSetTool', { at: { ...at, tool: 'time_now' } })).body).toMatchObject({
      tool: 'time_now',
    });
    expect((await ask('changeSet', { at, body: { tools: [] } })).body).toMatchObject({ tools: [] });
    const server = await startChangingServer([tool('get')]);
    server.prompts = [{ name: 'plain' }];
    await ask('addImport', { body: { address: server.address, name: 'prompter' } });
    expect(await statusOf('checkSetPrompts', { at, body: { import: 'prompter' } })).toBe(400);
    const servers = [{ import: 'prompter', prompts: true }];
    expect((await ask('changeSet', { at, body: { servers } })).body).toMatchObject({
      servers: [{ import: 'prompter', prompts: true, resources: false }],
    });
    expect((await ask('checkSetPrompts', { at, body: { import: 'prompter' } })).body).toMatchObject({
      prompts: [{ name: 'prompter_plain', state: 'accepted' }],
    });
    await server.close();
    expect(await statusOf('deleteSet', { at })).toBe(200);
    expect(await statusOf('getSet', { at })).toBe(404);
  });

  it('rules and approvals', async () => {
    const headers = ana.sessionHeader;
    const set = (rules: object[]) => statusOf('setRules', { body: { rules }, headers });
    expect(await statusOf('setRules', { body: { rules: [] } })).toBe(403);
    expect(await set([{ tool: 'shout' }])).toBe(400);
    expect(await set([{ tool: 'shout', integration: 'echo', access: 'read', decision: 'ask' }])).toBe(200);
    expect((await ask('getRules')).body.rules).toHaveLength(1);

    const asked = (text: string) => askToShout(site.app, ana.keyHeader, text);
    const { uploadUrl } = (await ask('offerUpload', { body: { name: 'a.txt' } })).body;
    const { handle } = fileIn((await putFile(site.app, uploadUrl, 'x')).body);
    const [yes, no, other] = [await asked(`file:${handle}`), await asked('b'), await asked('c')];
    const decide = (id: string, body: object) => statusOf('decideApproval', { at: { id }, body, headers });
    expect(await decide(yes, { decision: 'maybe' })).toBe(400);
    expect(await decide('nope', { decision: 'approve' })).toBe(404);
    expect(await decide(yes, { decision: 'approve', for: 'once' })).toBe(200);
    expect(await decide(yes, { decision: 'deny' })).toBe(409);
    expect(await decide(no, { decision: 'deny', reason: 'No' })).toBe(200);
    const at = { integration: 'echo', tool: 'shout' };
    expect(await statusOf('executeTool', { at, body: { text: `file:${handle}` } })).toBe(200);
    const body = { ids: [other, no], decision: 'deny' };
    expect((await ask('decideApprovals', { body, headers })).body.results).toHaveLength(2);
    expect(await statusOf('decideApprovals', { body: { ids: [], decision: 'deny' }, headers })).toBe(400);
    expect(await statusOf('listApprovals')).toBe(200);
    expect((await ask('listApprovals', { at: { state: 'done', limit: '1' } })).body.approvals).toMatchObject([
      { id: yes, files: [{ handle, name: 'a.txt' }] },
    ]);
    expect(await statusOf('listApprovals', { at: { state: 'x' } })).toBe(400);
    expect((await ask('getApproval', { at: { id: no } })).body).toMatchObject({ reason: 'No' });
    expect(await statusOf('getApproval', { at: { id: 'nope' } })).toBe(404);
    expect(await statusOf('deleteFile', { at: { handle } })).toBe(200);
    expect(await set([])).toBe(200);
  });

  it('the rules for everyone', async () => {
    expect(await statusOf('getRulesForEveryone')).toBe(403);
    const other = await createTestApp({ ports: { integrations: smallWorld } });
    const whole = app;
    app = createApp(other.deps);
    const headers = (await other.user('owner@localhost')).sessionHeader;
    const rules = [{ access: 'destroy', decision: 'ask' }];
    expect(await statusOf('setRulesForEveryone', { body: { rules: [{}] }, headers })).toBe(400);
    expect(await statusOf('setRulesForEveryone', { body: { rules }, headers })).toBe(200);
    expect((await ask('getRulesForEveryone', { headers })).body).toEqual({ rules });
    app = whole;
    await other.close();
  });

  it('the people of the gateway', async () => {
    for (const id of ['listPeople', 'listOAuthClients', 'listEverybodysAuditEntries', 'listRegisteredAgents'])
      expect(await statusOf(id)).toBe(403);
    expect(await statusOf('getMyself')).toBe(200);
    for (const callDetails of ['off', 'kept'])
      expect(await statusOf('changeMyself', { body: { callDetails }, headers: ana.sessionHeader })).toBe(200);
    expect(await statusOf('changeMyself', { body: {}, headers: ana.sessionHeader })).toBe(400);
    const other = await createTestApp({
      ports: { integrations: smallWorld },
      env: { AUDIT_PUSH: 'fs:nowhere' },
    });
    const whole = app;
    app = createApp(other.deps);
    const headers = (await other.user('owner@localhost')).sessionHeader;
    const bea = await other.user('bea@example.com');
    await other.deps.store.clients.put({
      client_id: 'editor',
      client_name: null,
      redirect_uris: [],
      created_at: 1,
    });
    await other.deps.store.clients.use('editor', 1);
    await other.deps.audit.record(entry({ user_id: bea.id, created_at: 1 }));
    for (const id of ['getMyself', 'exportMyself', 'listPeople', 'listOAuthClients', 'listRegisteredAgents'])
      expect(await statusOf(id, { headers })).toBe(200);
    for (const id of [
      'countAuditEntries',
      'countEverybodysAuditEntries',
      'listEverybodysAuditEntries',
      'listEverybodysAuditFailures',
      'exportEverybodysAuditEntries',
    ])
      expect(await statusOf(id, { headers })).toBe(200);
    await other.deps.sealing.seal();
    expect((await ask('listAuditSegments', { headers })).body).toMatchObject({ segments: [{ rows: 1 }] });
    expect(await statusOf('getAuditKey', { headers })).toBe(200);
    expect(await statusOf('getAuditPush', { headers })).toBe(200);
    expect(await statusOf('getGateway', { headers })).toBe(200);
    for (const id of ['listAuditSegments', 'getAuditKey', 'getAuditPush', 'getGateway'])
      expect(await statusOf(id, { headers: ana.sessionHeader })).not.toBe(200);
    expect(await statusOf('getEverybodysUsage', { headers, at: { person: bea.id } })).toBe(200);
    expect(await statusOf('invitePerson', { headers, body: { email: 'dov@example.com' } })).toBe(201);
    expect(await statusOf('invitePerson', { headers, body: { email: 'dov@example.com' } })).toBe(409);
    const at = { id: bea.id };
    expect(await statusOf('getPerson', { headers, at })).toBe(200);
    expect(await statusOf('exportPerson', { headers, at })).toBe(200);
    expect(await statusOf('changePerson', { headers, at, body: { disabled: true } })).toBe(200);
    expect(await statusOf('deletePerson', { headers, at })).toBe(202);
    expect(await statusOf('deletePerson', { headers, at: { id: 'nobody' } })).toBe(404);
    expect(await statusOf('deleteMyself', { headers, body: { email: 'owner@localhost' } })).toBe(409);
    const leaving = await other.user('eva@example.com');
    const leave = { headers: leaving.sessionHeader, body: { email: leaving.email } };
    expect(await statusOf('deleteMyself', leave)).toBe(202);
    expect(await statusOf('deleteRegisteredAgent', { headers, at: { clientId: 'editor' } })).toBe(200);
    const values = { region: 'eu', apiKey: 'k' };
    const keyed = { integration: 'keyed' };
    expect(await statusOf('connectWithApiKey', { headers, at: keyed, body: { values, for: 'team' } })).toBe(
      200,
    );
    const rule = { who: 'everyone', access: 'write' };
    expect(await statusOf('changeTeamConnection', { headers, at: keyed, body: rule })).toBe(200);
    for (const id of ['getTeamConnection', 'checkTeamConnection'])
      expect(await statusOf(id, { headers, at: keyed })).toBe(200);
    for (const id of ['listTeamConnections', 'listConnections'])
      expect(await statusOf(id, { headers })).toBe(200);
    expect(await statusOf('disconnectTeam', { headers, at: { ...keyed, revoke: 'true' } })).toBe(200);
    expect(await statusOf('getTeamConnection', { headers, at: keyed })).toBe(404);
    app = whole;
    await other.close();
  });

  it('the audit, with pages', async () => {
    const row = { user_id: ana.id, integration: 'git', tool: 'GET /user/:id', action: 'CURL' } as const;
    for (let count = 0; count < 60; count++)
      await site.app.deps.audit.record({
        ...row,
        success: true,
        error: null,
        duration_ms: 1,
        created_at: 1,
        actor: 'key',
        account: null,
        owner: null,
        outcome: 'ok',
        client_name: null,
        access: 'read',
        request_id: 'r-1',
        approval: null,
        status: 200,
        details: null,
        script: null,
      });
    const { entries, nextCursor } = (await ask('listAuditEntries')).body;
    expect(entries).toHaveLength(50);
    const later = (await ask('listAuditEntries', { at: { cursor: nextCursor } })).body;
    expect(later.entries).toContainEqual(expect.objectContaining({ action: 'EXECUTE', success: false }));
    const { id } = entries[0];
    expect((await ask('getCall', { at: { id } })).body).toMatchObject({ id, details: { state: 'none' } });
    expect(await statusOf('getCall', { at: { id: 'x' } })).toBe(404);
    expect(await statusOf('listAuditEntries', { at: { success: 'false', tool: 'shout' } })).toBe(200);
    expect(await statusOf('listAuditEntries', { at: { cursor: 'x' } })).toBe(400);
    expect(await statusOf('listAuditFailures')).toBe(200);
    expect(await statusOf('listAuditFailures', { at: { q: '' } })).toBe(400);
    expect(await statusOf('exportAuditEntries')).toBe(200);
    expect(await statusOf('exportAuditEntries', { at: { format: 'xml' } })).toBe(400);
    expect((await ask('getUsage')).body.totals.failed).toBeGreaterThan(0);
    expect(await statusOf('getUsage', { at: { range: '1y' } })).toBe(400);
    expect((await ask('getAgentsUsage')).body.agents.length).toBeGreaterThan(0);
  });

  it('events', async () => {
    expect((await ask('listEventTypes')).body.types.length).toBeGreaterThan(5);
    const body = { integration: 'webhook', event: 'header' };
    const made = (await ask('subscribeToEvents', { body })).body;
    expect(await statusOf('subscribeToEvents', { body: { integration: 'nope' } })).toBe(400);
    const address = new URL(made.address).pathname.split('/').at(-1) ?? '';
    const headers = { 'x-webhook-secret': made.secret };
    expect(await statusOf('receiveHook', { at: { address }, body: { id: 1 }, headers })).toBe(200);
    expect(await statusOf('receiveHook', { at: { address }, body: {}, headers: {} })).toBe(401);
    expect(await statusOf('receiveHook', { at: { address: 'nope' }, body: {}, headers })).toBe(404);
    expect((await ask('listSubscriptions')).body.subscriptions).toHaveLength(1);
    const [event] = (await ask('listEvents')).body.events;
    expect(await statusOf('replayEvent', { at: { id: event.id } })).toBe(200);
    expect(await statusOf('replayEvent', { at: { id: 'nope' } })).toBe(404);
    expect((await ask('getEvent', { at: { id: event.id } })).body).toMatchObject({ payload: { id: 1 } });
    expect(await statusOf('getEvent', { at: { id: 'nope' } })).toBe(404);
    expect((await ask('readEvents', { at: { limit: '1' } })).body).toMatchObject({ more: true });
    expect(await statusOf('readEvents', { at: { cursor: 'x' } })).toBe(400);
    const toAddress = { at: { id: event.id }, body: { to: 'address' } };
    expect(await statusOf('replayEvent', toAddress)).toBe(409);
    const own = { at: { id: made.id }, headers: ana.sessionHeader };
    const url = 'http://127.0.0.1:9/hook';
    expect(await statusOf('setEventAddress', { at: own.at, body: { url } })).toBe(403);
    expect(await statusOf('setEventAddress', { ...own, body: { url: 'ftp://x' } })).toBe(400);
    expect((await ask('setEventAddress', { ...own, body: { url } })).body.secret).toMatch(/^whsec_/);
    expect(await statusOf('replayEvent', toAddress)).toBe(200);
    expect(await statusOf('removeEventAddress', own)).toBe(200);
    expect(await statusOf('removeEventAddress', own)).toBe(404);
    const { id } = made;
    expect(await statusOf('setEventSecret', { at: { id }, body: {} })).toBe(200);
    expect(await statusOf('setEventSecret', { at: { id: 'nope' }, body: {} })).toBe(404);
    const watch = { args: { tool: 'list_jots', items: 'jots', id: 'name' } };
    expect((await ask('sampleEvents', { body: watch })).body).toMatchObject({ problem: null });
    expect(await statusOf('sampleEvents', { body })).toBe(400);
    expect(await statusOf('unsubscribeFromEvents', { at: { id } })).toBe(200);
    expect(await statusOf('unsubscribeFromEvents', { at: { id } })).toBe(404);
    const asking = (await ask('subscribeToEvents', { body: { ...body, event: 'challenge' } })).body;
    const at = { address: new URL(asking.address).pathname.split('/').at(-1) ?? '', challenge: 'x' };
    expect(await statusOf('answerHookChallenge', { at })).toBe(200);
  });

  it('jots', async () => {
    await publish(site.app, ana, 'report', {});
    const at = { name: 'report' };
    await site.app.deps.jots.thumbnails.idle();
    expect((await ask('listJots')).body.jots).toHaveLength(1);
    expect((await ask('getJot', { at })).body.versions).toHaveLength(1);
    expect(await statusOf('getJotThumbnail', { at })).toBe(200);
    await publish(site.app, ana, 'report', { 'more.txt': 'more' });
    expect(await statusOf('rollBackJot', { at, body: { version: 1, current: 2 } })).toBe(200);
    expect(await statusOf('rollBackJot', { at, body: { version: 2, current: 3 } })).toBe(409);
    expect(await statusOf('rollBackJot', { at, body: { version: 9, current: 1 } })).toBe(404);
    expect(await statusOf('rollBackJot', { at, body: {} })).toBe(400);
    expect(await statusOf('uploadJot', { at, body: {} })).toBe(201);
    expect(await statusOf('uploadJot', { at: { name: 'No' }, body: {} })).toBe(400);
    for (const operation of ['getJot', 'getJotThumbnail'] as const)
      expect(await statusOf(operation, { at: { name: 'nope' } })).toBe(404);
    expect(await statusOf('changeJot', { at, body: { cors: true } })).toBe(200);
    expect(await statusOf('changeJot', { at, body: { access: 'password' } })).toBe(400);
    expect(await statusOf('changeJot', { at: { name: 'nope' }, body: {} })).toBe(404);
    expect(await statusOf('deleteJot', { at })).toBe(200);
    expect(await statusOf('deleteJot', { at })).toBe(404);
  });

  it('files', async () => {
    expect(await statusOf('offerUpload', { body: { size: 1 } })).toBe(400);
    expect(await statusOf('offerUpload', { body: { bytes: 2 ** 40 } })).toBe(413);
    const { uploadUrl } = (await ask('offerUpload', { body: { name: 'a.txt' } })).body;
    const { handle } = fileIn((await putFile(site.app, uploadUrl, 'x')).body);
    expect((await ask('listFiles')).body.files).toMatchObject([{ handle, name: 'a.txt' }]);
    expect(await statusOf('listFiles', { at: { offset: '-1' } })).toBe(400);
    expect(await statusOf('deleteFile', { at: { handle } })).toBe(200);
    expect(await statusOf('deleteFile', { at: { handle } })).toBe(404);
  });

  it('health', async () => {
    // The clock of the other tests lets no time pass, so every wait would be over at once.
    const clock = createManualClock();
    const other = await createTestApp({ ports: { integrations: smallWorld, clock } });
    const whole = app;
    app = createApp(other.deps);
    expect(await statusOf('getHealth', { headers: {} })).toBe(200);
    expect(await statusOf('getReadiness', { headers: {} })).toBe(200);
    const get = () => Promise.reject(new Unavailable('[test] it is away'));
    const { pending } = other.deps;
    const away = await createTestApp({
      ports: { integrations: smallWorld, clock, pending: { ...pending, get } },
    });
    app = createApp(away.deps);
    expect((await ask('getReadiness', { headers: {} })).body.failed).toEqual(['pending']);
    app = whole;
    await Promise.all([away.close(), other.close()]);
  });

  it('and no operation was left out, but those that stream to an upstream', () => {
    const all = description.operations.filter(({ path }) => !path.startsWith('/c/'));
    expect(all.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id))).toEqual([]);
  });
});
