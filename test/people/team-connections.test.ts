// Tests that an administrator connects once for everyone: who may use it, at which access, at every door, and that nobody
// else can read, change, widen or take it. reference: Team connections; decision: 029
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { TEAM_ACCOUNT } from '../../src/ports/team.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const TEAM_KEY = 'phx_of_the_team';
const ADMIN_PATH = '/api/admin/team-connections';

let app: TestApp;
let root: TestUser;
let ana: TestUser;
let bob: TestUser;
let upstream: HttpServer;
let base: string;
let stop: () => Promise<void>;
/** The account of a key at the service, which no text may repeat. */
const idOf = (key: string) => key.replace('phx_', '');
/** What reached the service. */
let sent: { method: string; key: string; override: string | undefined }[];
/** The status of the next answers of the service. */
let status: number;

beforeEach(async () => {
  sent = [];
  status = 200;
  upstream = await startHttpServer(({ headers, method = '', url }, response) => {
    const key = String(headers.authorization).replace('Bearer ', '');
    const isProbe = url === '/api/users/@me/';
    if (!isProbe) sent.push({ method, key, override: headers['x-http-method-override']?.toString() });
    const body = isProbe ? { uuid: idOf(key), email: `${idOf(key)}@corp.example` } : { ok: true };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const place = `http://127.0.0.1:${upstream.port}`;
  app = await createTestApp({
    env: {
      ...PROVIDER,
      UPSTREAM_MAP: `https://us.posthog.com=${place},https://wiki.corp.example=${place}`,
    },
  });
  root = await userWithRole(app, 'root@example.com', 'administrator');
  ana = await app.user('ana@example.com');
  bob = await app.user('bob@example.com');
  const proxy = createCurlProxy(app.deps, {});
  const beside = { proxy, jotFiles: createJotFiles(app.deps), clock: app.deps.clock };
  const server = await serve(createApp(app.deps).fetch, beside, 0);
  base = `http://127.0.0.1:${server.port}`;
  stop = async () => {
    await server.stop();
    await proxy.close();
  };
});
afterEach(async () => {
  await stop();
  await app.deps.audit.flush();
  await app.close();
  await upstream.close();
});

type Headers = Record<string, string>;
async function api(headers: Headers, method: string, path: string, body?: unknown) {
  const init: RequestInit = { method, headers: { ...headers, 'content-type': 'application/json' } };
  if (body !== undefined) init.body = JSON.stringify(body);
  const response = await app.request(path, init);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const connectTeam = (who: TestUser = root, key = TEAM_KEY) =>
  api(who.sessionHeader, 'POST', '/api/auth/apikey/posthog', { values: { apiKey: key }, for: 'team' });
const rule = (change: object) => api(root.sessionHeader, 'PATCH', `${ADMIN_PATH}/posthog`, change);
async function allow(access: 'read' | 'write' | 'destroy', who: 'everyone' | string[] = 'everyone') {
  expect((await connectTeam()).status).toBe(200);
  expect((await rule({ access, who })).status).toBe(200);
}
const connectOwn = (user: TestUser, key = `phx_of_${user.email.split('@')[0]}`, account?: string) =>
  api(user.sessionHeader, 'POST', '/api/auth/apikey/posthog', {
    values: { apiKey: key },
    ...(account === undefined ? {} : { account }),
  });

const execution = (method: string, account?: string) => ({
  tool: 'posthog_request',
  args: { method, path: '/api/things' },
  ...(account === undefined ? {} : { account }),
});
const run = async (user: TestUser, method: string, account?: string) =>
  (await call(app, user.keyHeader, 'execute_tools', { executions: execution(method, account) })).results[0];
const rest = async (user: TestUser, method: string, account?: string) =>
  api(user.keyHeader, 'POST', '/rest/posthog', execution(method, account));
const session = (user: TestUser, more: object = {}) =>
  call(app, user.keyHeader, 'curl_session', { integrations: ['posthog'], ...more });
async function raw(token: string, method: string, headers: Headers = {}, body?: string) {
  const response = await fetch(`${base}/c/posthog/api/things`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
}
const isConnected = async (user: TestUser) => {
  const { integrations } = await call(app, user.keyHeader, 'list_integrations');
  return integrations.find(({ name }: { name: string }) => name === 'posthog').connected;
};
const rowOf = async (user: TestUser) => {
  const { body } = await api(user.sessionHeader, 'GET', '/api/connections');
  return body.connections.find(({ name }: { name: string }) => name === 'posthog');
};
async function audited(user: TestUser) {
  await app.deps.audit.flush();
  return (await app.deps.store.audit.list({ user_id: user.id, limit: 1 }))[0];
}

describe('connecting for the team', () => {
  it('stores the credential for everyone, and lets nobody use it before a rule does', async () => {
    expect((await connectTeam()).body).toMatchObject({ success: true, status: 'ok' });
    const { body } = await api(root.sessionHeader, 'GET', ADMIN_PATH);
    expect(body.connections).toEqual([
      {
        integration: 'posthog',
        who: [],
        access: 'read',
        connectedBy: { id: root.id, email: 'root@example.com' },
        connectedAt: app.clock.now(),
        health: 'ok',
        status: 'ok',
        since: app.clock.now(),
        checkedAt: app.clock.now(),
        account: { id: 'of_the_team', label: 'of_the_team@corp.example' },
        way: 'apikey',
      },
    ]);
    for (const user of [root, ana]) {
      expect(await run(user, 'GET')).toMatchObject({ error: 'NOT_CONNECTED' });
      expect(await isConnected(user)).toBe(false);
    }
    expect(await rowOf(root)).toEqual({ name: 'posthog', connected: false });
    expect(sent).toEqual([]);
  });

  it('keeps the rule when it is connected again, and forgets it when it was disconnected', async () => {
    await allow('write');
    expect((await connectTeam(root, 'phx_next')).status).toBe(200);
    expect(await run(ana, 'POST')).toMatchObject({ account: 'team' });
    expect(sent).toEqual([{ method: 'POST', key: 'phx_next', override: undefined }]);
    const path = `${ADMIN_PATH}/posthog`;
    expect((await api(root.sessionHeader, 'DELETE', `${path}?revoke=true`)).body).toMatchObject({
      success: true,
      revoked: 'not-offered',
    });
    expect(await run(ana, 'GET')).toMatchObject({ error: 'NOT_CONNECTED' });
    expect((await api(root.sessionHeader, 'GET', path)).status).toBe(404);
    await connectTeam();
    expect((await api(root.sessionHeader, 'GET', path)).body).toMatchObject({ who: [], access: 'read' });
  });

  it('refuses members, keys, labels and what has no account', async () => {
    expect((await connectTeam(ana)).status).toBe(403);
    const byKey = await api(root.keyHeader, 'POST', '/api/auth/apikey/posthog', {
      values: { apiKey: 'phx_x' },
      for: 'team',
    });
    expect(byKey.status).toBe(403);
    const start = (name: string, query = '') =>
      api(root.sessionHeader, 'GET', `/api/auth/${name}?for=team${query}`);
    expect((await start('posthog')).body).toMatchObject({ type: 'apikey' });
    expect((await api(ana.sessionHeader, 'GET', '/api/auth/posthog?for=team')).status).toBe(403);
    expect((await start('posthog', '&account=work')).status).toBe(400);
    expect((await start('time')).status).toBe(400);
    expect((await start('jar')).status).toBe(400);
    expect((await api(root.sessionHeader, 'GET', '/api/auth/posthog?for=all')).status).toBe(400);
    expect(await app.deps.store.connections.list(EVERYONE)).toEqual([]);
  });

  it('imports a session for the team', async () => {
    const cookie = { name: 's', value: 'team-session', domain: 'wiki.corp.example', path: '/' };
    const body = { session: [cookie], instanceUrl: 'https://wiki.corp.example/w', for: 'team' };
    const path = '/api/integrations/jar/session';
    expect((await api(ana.sessionHeader, 'POST', `${path}/import`, body)).status).toBe(403);
    const imported = await api(root.sessionHeader, 'POST', `${path}/import`, body);
    expect(imported).toMatchObject({ status: 200, body: { cookieCount: 1 } });
    await api(root.sessionHeader, 'PATCH', `${ADMIN_PATH}/jar`, { who: 'everyone', access: 'destroy' });
    expect((await call(app, ana.keyHeader, 'list_integrations')).integrations).toContainEqual(
      expect.objectContaining({ name: 'jar', connected: true }),
    );
    for (const user of [root, ana])
      for (const query of ['', '?account=team'])
        expect((await api(user.sessionHeader, 'GET', `${path}/export${query}`)).status).toBe(404);
  });

  it('checks, judges and lists it for administrators', async () => {
    await allow('read', ['ana@example.com', bob.id]);
    const path = `${ADMIN_PATH}/posthog`;
    expect((await run(ana, 'GET')).account).toBe('team');
    expect((await api(root.keyHeader, 'GET', path)).body).toMatchObject({
      who: [
        { id: ana.id, email: 'ana@example.com' },
        { id: bob.id, email: 'bob@example.com' },
      ],
      lastUsedAt: app.clock.now(),
    });
    status = 401;
    const checked = await api(root.sessionHeader, 'POST', `${path}/check`);
    expect(checked.body).toMatchObject({ status: 'reconnect' });
    expect(await rowOf(ana)).toMatchObject({ team: { status: 'reconnect', access: 'read' } });
    expect((await rule({ who: ['nobody@example.com'] })).status).toBe(400);
    expect((await rule({ access: 'all' })).status).toBe(400);
    expect((await api(root.sessionHeader, 'PATCH', `${ADMIN_PATH}/github`, { access: 'read' })).status).toBe(
      404,
    );
  });
});

describe('using the team connection', () => {
  it('serves a person without an account of their own, and names it', async () => {
    await allow('write');
    expect(await isConnected(ana)).toBe(true);
    expect(await run(ana, 'GET')).toMatchObject({ result: expect.anything(), account: 'team' });
    expect(await run(ana, 'POST')).toMatchObject({ result: expect.anything(), account: 'team' });
    expect((await rest(ana, 'POST', 'team')).status).toBe(200);
    expect(sent.map(({ key }) => key)).toEqual([TEAM_KEY, TEAM_KEY, TEAM_KEY]);
    expect(await audited(ana)).toMatchObject({
      user_id: ana.id,
      account: 'team',
      owner: 'team',
      actor: 'key',
    });
    const { body } = await api(ana.sessionHeader, 'GET', '/api/audit');
    expect(body.entries[0]).toMatchObject({ account: 'team', owner: 'team' });
    expect(await rowOf(ana)).toEqual({
      name: 'posthog',
      connected: true,
      team: { access: 'write', status: 'ok', default: true, defaultForWrites: true },
    });
    expect(await run(ana, 'GET', 'work')).toMatchObject({ error: 'UNKNOWN_ACCOUNT', accounts: ['team'] });
  });

  it('never replaces an account of the person, unless the call or the person says so', async () => {
    await allow('destroy');
    await connectOwn(ana);
    const own = await run(ana, 'POST');
    expect(own.account).toBeUndefined();
    expect(await audited(ana)).toMatchObject({ account: null, owner: null });
    expect((await run(ana, 'POST', 'team')).account).toBe('team');
    expect(sent.map(({ key }) => key)).toEqual(['phx_of_ana', TEAM_KEY]);
    const choose = (change: object) =>
      api(ana.sessionHeader, 'PATCH', '/api/connections/posthog/accounts/team', change);
    expect((await choose({ label: 'ours' })).status).toBe(400);
    expect((await choose({ default: true })).body).toEqual({
      id: 'team',
      label: 'team',
      status: 'ok',
      default: true,
      defaultForWrites: false,
    });
    sent = [];
    await run(ana, 'GET');
    await run(ana, 'POST');
    expect(sent.map(({ key }) => key)).toEqual([TEAM_KEY, 'phx_of_ana']);
    // The person's own account is chosen again.
    const mine = '/api/connections/posthog/accounts/of_ana';
    expect((await api(ana.sessionHeader, 'PATCH', mine, { default: true })).status).toBe(200);
    await run(ana, 'GET');
    expect(sent.at(-1)?.key).toBe('phx_of_ana');
    expect((await choose({ defaultForWrites: true })).body).toMatchObject({ defaultForWrites: true });
    await run(ana, 'POST');
    expect(sent.at(-1)?.key).toBe(TEAM_KEY);
    // An own connection that does not work stays the person's own.
    await choose({ defaultForWrites: false });
    const [row] = await app.deps.store.connections.of(ana.id, 'posthog');
    if (row === undefined) throw new Error('no row');
    await app.deps.store.connections.swap(row, { ...row, access_token: 'broken' });
    expect((await run(ana, 'GET')).error).not.toBeUndefined();
    expect(sent.at(-1)?.key).toBe(TEAM_KEY);
    expect(sent).toHaveLength(4);
  });

  it('costs a person with an account of their own no read', async () => {
    await allow('destroy');
    await connectOwn(ana);
    const { token } = await session(ana);
    const { team } = app.deps.store;
    const read = async () => {
      throw new Error('the team connection was read');
    };
    Object.assign(team, { usable: read, reachable: read });
    for (const method of ['GET', 'POST']) {
      expect(await run(ana, method)).toEqual({ result: expect.anything() });
      expect((await raw(token, method)).status).toBe(200);
    }
  });

  it('is among the labels of a person with several accounts', async () => {
    await allow('write');
    await connectOwn(ana, 'phx_1');
    await connectOwn(ana, 'phx_2');
    const labels = ['1@corp.example', '2@corp.example', 'team'];
    expect(await run(ana, 'POST')).toMatchObject({ error: 'AMBIGUOUS_ACCOUNT', accounts: labels });
    expect(await run(ana, 'GET', 'x')).toMatchObject({ error: 'UNKNOWN_ACCOUNT', accounts: labels });
    expect(await run(ana, 'POST', 'team')).toMatchObject({ account: 'team' });
    await rule({ who: [] });
    expect(await run(ana, 'POST')).toMatchObject({ accounts: labels.slice(0, 2) });
  });

  it('blocks what is above the ceiling before anything is sent, at every door', async () => {
    await allow('read');
    await api(root.sessionHeader, 'GET', ADMIN_PATH);
    const message = expect.stringContaining('team connection of PostHog may only be used to read');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(await run(ana, method)).toMatchObject({ error: 'BLOCKED', account: 'team', message });
    expect((await rest(ana, 'POST')).status).toBe(403);
    expect(await audited(ana)).toMatchObject({ outcome: 'blocked', account: 'team', owner: 'team' });
    const { token, integrations } = await session(ana);
    expect(integrations).toEqual([expect.objectContaining({ account: 'team' })]);
    expect((await raw(token, 'GET')).status).toBe(200);
    sent = [];
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(await raw(token, method)).toMatchObject({
        status: 403,
        body: { error: 'BLOCKED', account: 'team', message },
      });
    expect(await audited(ana)).toMatchObject({
      outcome: 'blocked',
      account: 'team',
      owner: 'team',
      action: 'CURL',
    });
    await rule({ access: 'write' });
    const body = '{}';
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const json = { 'content-type': 'application/json' };
    expect((await raw(token, 'POST', { ...json, 'x-http-method-override': 'DELETE' }, body)).status).toBe(
      200,
    );
    expect((await raw(token, 'POST', form, 'a=1')).status).toBe(403);
    expect((await raw(token, 'DELETE')).status).toBe(403);
    // A header that names another method is not passed on.
    expect(sent).toEqual([{ method: 'POST', key: TEAM_KEY, override: undefined }]);
  });

  it('binds a raw session to the team, and never takes one over from an account of the person', async () => {
    await allow('destroy');
    const ofTeam = await session(ana);
    await connectOwn(ana);
    expect((await raw(ofTeam.token, 'GET')).status).toBe(200);
    const own = await session(ana);
    const named = await session(ana, { account: 'team' });
    expect(own.integrations[0].account).toBeUndefined();
    expect((await raw(own.token, 'POST')).status).toBe(200);
    expect((await raw(named.token, 'DELETE')).status).toBe(200);
    expect(sent.map(({ key }) => key)).toEqual([TEAM_KEY, 'phx_of_ana', TEAM_KEY]);
    expect(await audited(ana)).toMatchObject({ user_id: ana.id, account: 'team', owner: 'team' });
    // The person has no account any more, and the session did not say that it may use the team's.
    app.clock.advance(2);
    await api(ana.sessionHeader, 'DELETE', '/api/connections/posthog');
    expect((await raw(own.token, 'GET')).status).toBe(409);
    expect(sent).toHaveLength(3);
    expect((await run(ana, 'GET')).account).toBe('team');
  });

  it('is told apart from an account that the person called so before', async () => {
    await allow('write');
    const own = { accessToken: 'phx_old_name', account: 'team' };
    await app.deps.vault.save(ana.id, 'posthog', own);
    expect(await run(ana, 'GET', 'team')).toMatchObject({ result: expect.anything() });
    expect(sent.at(-1)?.key).toBe('phx_old_name');
    expect(await audited(ana)).toMatchObject({ owner: null });
    for (const label of ['team', 'Team', ' TEAM '])
      expect((await connectOwn(bob, 'phx_b', label)).status).toBe(400);
    await connectOwn(bob);
    const mine = '/api/connections/posthog/accounts/of_bob';
    expect((await api(bob.sessionHeader, 'PATCH', mine, { label: 'team' })).status).toBe(400);
  });
});

describe('a person who is not on the list', () => {
  it('sees nothing of the team connection', async () => {
    const before = {
      row: await rowOf(bob),
      run: await run(bob, 'GET'),
      named: await run(bob, 'GET', 'team'),
      session: await session(bob),
      account: await api(bob.sessionHeader, 'PATCH', '/api/connections/posthog/accounts/team', {
        default: true,
      }),
    };
    await allow('destroy', [ana.id]);
    expect({
      row: await rowOf(bob),
      run: await run(bob, 'GET'),
      named: await run(bob, 'GET', 'team'),
      session: await session(bob),
      account: await api(bob.sessionHeader, 'PATCH', '/api/connections/posthog/accounts/team', {
        default: true,
      }),
    }).toEqual(before);
    await connectOwn(bob);
    expect(await run(bob, 'GET', 'team')).toMatchObject({
      error: 'UNKNOWN_ACCOUNT',
      accounts: ['of_bob@corp.example'],
    });
    expect(sent).toEqual([]);
  });

  it('loses it with the next call, also with a session, a chosen default and an approval', async () => {
    await allow('destroy', [ana.id]);
    const { token } = await session(ana);
    await app.deps.store.policies.putRules({
      owner: ana.id,
      rules: '[{"integration":"posthog","access":"write","decision":"ask"}]',
      revision: 'r1',
      updated_at: 1,
    });
    const asked = await run(ana, 'POST');
    expect(asked).toMatchObject({ error: 'APPROVAL_REQUIRED', account: 'team' });
    const { id } = asked.approval;
    expect(await app.deps.store.approvals.get(ana.id, id)).toMatchObject({ account: 'team', owner: 'team' });
    const decide = await api(ana.sessionHeader, 'POST', `/api/approvals/${id}`, { decision: 'approve' });
    expect(decide.status).toBe(200);
    await rule({ who: [] });
    expect(await run(ana, 'POST')).toMatchObject({ error: 'NOT_CONNECTED' });
    expect((await raw(token, 'GET')).status).toBe(409);
    expect(await isConnected(ana)).toBe(false);
    expect(sent).toEqual([]);
    // A lower ceiling holds for what was approved, too.
    await rule({ who: 'everyone', access: 'read' });
    expect(await run(ana, 'POST')).toMatchObject({ error: 'BLOCKED' });
    await rule({ access: 'write' });
    expect(await run(ana, 'POST')).toMatchObject({ account: 'team', result: expect.anything() });
    expect(sent).toHaveLength(1);
  });

  it('cannot use an approval of the former account after the team has another one', async () => {
    await allow('write');
    await app.deps.store.policies.putRules({
      owner: ana.id,
      rules: '[{"integration":"posthog","access":"write","decision":"ask"}]',
      revision: 'r1',
      updated_at: 1,
    });
    const { approval } = await run(ana, 'POST');
    await api(ana.sessionHeader, 'POST', `/api/approvals/${approval.id}`, { decision: 'approve' });
    await connectTeam();
    expect((await app.deps.store.approvals.get(ana.id, approval.id))?.state).toBe('expired');
    expect(await run(ana, 'POST')).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(sent).toEqual([]);
  });

  it('gets a session of a former team connection nowhere', async () => {
    await allow('destroy');
    const { token } = await session(ana);
    await api(root.sessionHeader, 'DELETE', `${ADMIN_PATH}/posthog`);
    app.clock.advance(1);
    await allow('destroy');
    expect((await raw(token, 'GET')).status).toBe(409);
    expect(sent).toEqual([]);
  });
});

describe('a member', () => {
  it('finds every door to the team connection closed', async () => {
    await allow('destroy');
    const doors = [
      ['GET', ADMIN_PATH],
      ['GET', `${ADMIN_PATH}/posthog`],
      ['PATCH', `${ADMIN_PATH}/posthog`, { access: 'destroy', who: 'everyone' }],
      ['POST', `${ADMIN_PATH}/posthog/check`],
      ['DELETE', `${ADMIN_PATH}/posthog`],
      ['DELETE', `${ADMIN_PATH}/posthog?revoke=true`],
    ] as const;
    for (const [method, path, body] of doors) {
      expect((await api(ana.sessionHeader, method, path, body)).status).toBe(403);
      expect((await api(ana.keyHeader, method, path, body)).status).toBe(403);
      // An agent that holds the personal key of an administrator changes nothing.
      if (method !== 'GET') expect((await api(root.keyHeader, method, path, body)).status).toBe(403);
    }
    const own = '/api/connections/posthog';
    expect((await api(ana.sessionHeader, 'POST', `${own}/check`)).status).toBe(404);
    expect((await api(ana.sessionHeader, 'POST', `${own}/check?account=team`)).status).toBe(404);
    expect((await api(ana.sessionHeader, 'DELETE', `${own}?account=team`)).status).toBe(404);
    expect((await api(ana.sessionHeader, 'DELETE', `${own}?revoke=true`)).status).toBe(200);
    expect((await api(ana.sessionHeader, 'PATCH', `${own}/accounts/team`, { label: 'mine' })).status).toBe(
      400,
    );
    const row = await app.deps.store.connections.get(EVERYONE, 'posthog', TEAM_ACCOUNT);
    expect(row?.label).toBe('team');
    const exported = await app.request('/api/me/export', { headers: ana.sessionHeader });
    expect(JSON.parse(await exported.text()).connections).toEqual([]);
    for (const answer of [await rowOf(ana), await run(ana, 'GET'), await session(ana)])
      expect(JSON.stringify(answer)).not.toContain(TEAM_KEY);
    expect((await run(ana, 'GET')).account).toBe('team');
  });

  it('who has an account of the same grant does not end that of the team', async () => {
    await allow('read');
    await connectOwn(ana, TEAM_KEY);
    const ended = await api(ana.sessionHeader, 'DELETE', '/api/connections/posthog?revoke=true');
    expect(ended.body).toMatchObject({ revoked: 'not-offered' });
    expect((await run(ana, 'GET')).account).toBe('team');
  });
});

describe('people who go', () => {
  it('lose their place on the list, and leave the connection to the others', async () => {
    await allow('read', [ana.id, bob.id]);
    const { people } = app.deps.store;
    const ending = { person: 'x', before: 1, expires_at: 2 };
    await people.disable(ana.id, ending);
    expect(await app.deps.store.team.usable(ana.id, 'posthog')).toBeNull();
    for (const person of [ana, root]) {
      expect(await people.beginDeletion(person.id, ending)).toBe('done');
      await people.erase([person.id], `deleted-${person.email.slice(0, 3)}`);
    }
    const other = await userWithRole(app, 'other@example.com', 'administrator');
    const { body } = await api(other.sessionHeader, 'GET', `${ADMIN_PATH}/posthog`);
    expect(body).toMatchObject({
      who: [{ id: bob.id, email: 'bob@example.com' }],
      connectedBy: { id: 'deleted-roo', email: null },
    });
    expect((await run(bob, 'GET')).account).toBe('team');
  });
});
