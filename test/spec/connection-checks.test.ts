// Tests tokens in place of OAuth sign-ins, and that a connection's status is true. reference: Connections
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import type { Integration } from '../../src/kit/integration.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { respond } from '../support/fake-probed.ts';
import { fixtures, probed } from '../support/fixtures.ts';
import { call } from '../support/mcp.ts';
import { openProbedStand, type ProbedStand } from '../support/probed-stand.ts';

let stand: ProbedStand;
beforeEach(async () => {
  stand = await openProbedStand();
  stand.provider.tokens.add('good-token');
});
afterEach(() => stand.close());

const GOOD = { status: 'ok', account: { id: '583231', label: 'octocat' } };
const stored = () => stand.app.deps.store.connections.get(stand.ana.id, 'probed', '');

describe('a token in place of an OAuth sign-in', () => {
  it('is probed, stored with its account, and sent to its own place of its own base', async () => {
    expect(await stand.enter('good-token')).toEqual({ status: 200, body: { success: true, ...GOOD } });
    expect(await stand.state()).toEqual({
      name: 'probed',
      connected: true,
      health: 'ok',
      way: 'token',
      since: stand.app.clock.now(),
      checkedAt: stand.app.clock.now(),
      connectedAt: stand.app.clock.now(),
      ...GOOD,
    });
    expect(await stand.use()).toEqual({ result: { status: 200, body: '{"hello":"/personal/x"}' } });
    expect(stand.provider.seen).toEqual(['GET /personal/whoami', 'GET /personal/x']);
    expect(JSON.stringify(await stored())).not.toContain('good-token');
  });

  it('is refused with the words of the provider, without the token, and is not stored', async () => {
    expect(await stand.enter('a-wrong-token')).toEqual({
      status: 400,
      body: { error: 'Probed answered 401: Bad credentials: …' },
    });
    expect(await stand.state()).toEqual({ name: 'probed', connected: false });
  });

  it('is never refreshed', async () => {
    await stand.enter('good-token');
    stand.provider.tokens.clear();
    expect(await stand.use()).toMatchObject({ result: { status: 401 } });
    expect(stand.provider.seen.filter((line) => line.includes('/token'))).toEqual([]);
  });

  it('takes the place of a sign-in, and a sign-in takes its place', async () => {
    expect(await stand.signIn()).toBe(302);
    expect(await stand.state()).toMatchObject({ way: 'oauth2', ...GOOD });
    await stand.enter('good-token');
    expect(await stored()).toMatchObject({ way: 'token', refresh_token: null, expires_at: null });
    await stand.signIn();
    expect(await stand.state()).toMatchObject({ way: 'oauth2' });
    expect(await stand.use()).toMatchObject({ result: { body: '{"hello":"/api/x"}' } });
  });

  it('is read as an OAuth connection after version 0.1 has stored one over it', async () => {
    await stand.enter('good-token');
    await stand.signIn();
    const row = await stored();
    if (row === null) throw new Error('not connected');
    await stand.app.deps.store.connections.put({ ...row, way: 'token' });
    expect(await stand.use()).toMatchObject({ result: { status: 200, body: '{"hello":"/api/x"}' } });
  });
});

describe('a probe before storing', () => {
  it.each([
    [408, {}],
    [425, {}],
    [429, { message: 'Slow down' }],
    [500, {}],
    [503, '<h1>Maintenance</h1>'],
    [200, '<h1>Maintenance</h1>'],
    [403, '<html>Blocked by a firewall</html>'],
    [403, { message: 'Forbidden' }],
    [403, { message: 'Your IP address is not allowed' }],
    [403, { message: 'The API has not been used in this project, or it is disabled' }],
    [403, { message: 'You must accept the Terms of Service to use your account' }],
    [403, { message: 'Your account is missing the permission org:read' }],
    [404, { message: 'Unknown account endpoint' }],
    [400, { message: 'Bad request: no session plugin' }],
    [401, { message: 'Unauthorized; scope does not match' }],
    [403, { message: 'API rate limit exceeded' }],
  ])('stores a token as unverified when the provider answers %d %j', async (status, answer) => {
    stand.provider.script.push({ path: '/personal/whoami', answer: respond(status, answer) });
    expect((await stand.enter('good-token')).body).toEqual({ success: true, status: 'unverified' });
    expect(await stand.state()).toMatchObject({
      connected: true,
      status: 'unverified',
      cause: expect.stringContaining(`Probed answered ${status}`),
    });
  });

  it.each([
    [401, { message: 'Unauthorized' }],
    [401, '<h1>Unauthorized</h1>'],
    [403, { message: 'The API key is invalid' }],
    [400, { errors: [{ message: 'Invalid API token' }] }],
    [200, { user: {} }],
    [200, { user: { id: 0, name: 'guest' } }],
  ])('stores nothing when the provider answers %d %j', async (status, answer) => {
    stand.provider.script.push({ path: '/personal/whoami', answer: respond(status, answer) });
    expect((await stand.enter('good-token')).status).toBe(400);
    expect(await stored()).toBeNull();
  });

  it.each([
    [403, { message: 'Resource not accessible by personal access token' }],
    [403, { message: 'This token is missing the scope user:read' }],
    [404, { message: 'Not Found' }],
  ])('does not judge a token by %d %j', async (status, answer) => {
    stand.provider.script.push({ path: '/personal/whoami', answer: respond(status, answer) });
    expect((await stand.enter('good-token')).body).toMatchObject({ status: 'unverified' });
  });

  it('stores a token as unverified when the provider breaks the connection', async () => {
    stand.provider.script.push({ path: '/personal/whoami', answer: (response) => response.destroy() });
    expect((await stand.enter('good-token')).body).toMatchObject({ status: 'unverified' });
  });

  it('never loses a grant that the provider has just given', async () => {
    stand.provider.script.push({ path: '/api/whoami', answer: respond(401, { message: 'not yet' }) });
    expect(await stand.signIn()).toBe(302);
    expect(await stand.state()).toMatchObject({
      status: 'unverified',
      cause: 'Probed answered 401: not yet',
    });
    expect(await stand.use()).toMatchObject({ result: { status: 200 } });
  });

  it('says that a key cannot be checked when its integration has no probe', async () => {
    const values = { region: 'eu', apiKey: 'k-secret' };
    const { body } = await stand.api('POST', '/api/auth/apikey/keyed', { values });
    expect(body).toEqual({ success: true, status: 'unverified' });
    expect((await stand.state('keyed')).cause).toBe('Not tested yet: Keyed has no check.');
  });
});

describe('the scopes of a connection', () => {
  it.each([
    [undefined, ['read'], undefined],
    ['read:all READ,other', ['read:all', 'READ', 'other'], undefined],
    ['https://probed.example/scopes/read', ['https://probed.example/scopes/read'], undefined],
    ['read:write', ['read:write'], undefined],
    ['other', ['other'], ['read']],
  ])('compares the granted scopes %j with the ones that are asked for', async (scope, scopes, missing) => {
    if (scope !== undefined) stand.provider.scope = scope;
    await stand.signIn();
    const state = await stand.state();
    expect([state.scopes, state.missingScopes]).toEqual([scopes, missing]);
  });

  it('are unknown for a token', async () => {
    await stand.enter('good-token');
    expect(await stand.state()).not.toHaveProperty('scopes');
  });
});

describe('POST /api/connections/:integration/check', () => {
  const check = () => stand.api('POST', '/api/connections/probed/check');

  it('answers the row as the provider sees it now', async () => {
    await stand.enter('good-token');
    stand.app.clock.advance(60);
    const checkedAt = stand.app.clock.now();
    expect(await check()).toMatchObject({ status: 200, body: { ...GOOD, checkedAt, since: checkedAt - 60 } });
    stand.provider.tokens.clear();
    expect((await check()).body).toMatchObject({
      status: 'reconnect',
      cause: 'Probed answered 401: Bad credentials: …',
      since: checkedAt,
      account: GOOD.account,
    });
    stand.provider.tokens.add('good-token');
    expect((await check()).body).toMatchObject({ status: 'ok' });
    expect((await stand.state()).cause).toBeUndefined();
  });

  it('says how long the provider took, and says nothing where it gave no answer', async () => {
    await stand.enter('good-token');
    expect((await check()).body).toMatchObject({ status: 'ok', answeredInMs: expect.any(Number) });
    stand.provider.script.push({ path: '/personal/whoami', answer: respond(502) });
    expect((await check()).body).not.toHaveProperty('answeredInMs');
    stand.provider.tokens.clear();
    expect((await check()).body).toMatchObject({ status: 'reconnect', answeredInMs: expect.any(Number) });
    const values = { region: 'eu', apiKey: 'k-secret' };
    await stand.api('POST', '/api/auth/apikey/keyed', { values });
    const { body } = await stand.api('POST', '/api/connections/keyed/check');
    expect(body).toMatchObject({ status: 'unverified' });
    expect(body).not.toHaveProperty('answeredInMs');
  });

  it('calls a provider in trouble unreachable, which does not end the connection', async () => {
    await stand.enter('good-token');
    stand.provider.script.push({ path: '/personal/whoami', answer: respond(502) });
    expect((await check()).body).toMatchObject({ status: 'unreachable', connected: true });
    expect(await stand.use()).toMatchObject({ result: { status: 200 } });
    stand.provider.script.push({ path: '/personal/whoami', answer: respond(502) });
    stand.provider.tokens.clear();
    await stand.use();
    expect((await check()).body.status).toBe('reconnect');
  });

  it('refreshes an expired token first, and a token that the provider refuses', async () => {
    await stand.signIn();
    stand.app.clock.advance(4_000);
    expect((await check()).body).toMatchObject(GOOD);
    stand.provider.script.push({ path: '/api/whoami', answer: respond(401) });
    expect((await check()).body).toMatchObject(GOOD);
    expect(stand.provider.seen.filter((line) => line === 'POST /token')).toHaveLength(3);
  });

  it.each([408, 425, 429, 500, 503])('keeps a connection whose refresh is answered %d', async (status) => {
    await stand.signIn();
    stand.app.clock.advance(4_000);
    stand.provider.script.push({ path: '/token', answer: respond(status) });
    expect((await check()).body).toMatchObject({ status: 'unreachable' });
    expect((await check()).body).toMatchObject(GOOD);
  });

  it('does not judge a newer credential by the answer to an older one', async () => {
    await stand.enter('good-token');
    stand.provider.tokens.add('newer-token');
    const asked = Promise.withResolvers<void>();
    const reconnected = Promise.withResolvers<void>();
    stand.provider.script.push({
      path: '/personal/whoami',
      answer: async (response) => {
        asked.resolve();
        await reconnected.promise;
        respond(401, { message: 'Bad credentials' })(response);
      },
    });
    const checking = check();
    await asked.promise;
    await stand.enter('newer-token');
    reconnected.resolve();
    expect((await checking).body).toMatchObject(GOOD);
    expect(await stand.state()).toMatchObject(GOOD);
  });

  it('answers 404 without a connection', async () => {
    expect((await check()).status).toBe(404);
    expect((await stand.api('POST', '/api/connections/nope/check')).status).toBe(404);
  });
});

describe('the status after calls', () => {
  it('turns to reconnect with the first refused call, and back with a later success', async () => {
    await stand.enter('good-token');
    stand.provider.tokens.clear();
    await stand.use();
    expect((await stand.api('POST', '/api/connections/probed/check')).body).toMatchObject({
      health: 'needs_reconnect',
      status: 'reconnect',
    });
    expect(await stand.state()).toMatchObject({
      health: 'needs_reconnect',
      status: 'reconnect',
      cause: expect.stringContaining('401'),
      since: stand.app.clock.now(),
    });
    stand.provider.tokens.add('good-token');
    // The API of this provider answers strangers too, so a success alone proves nothing.
    await stand.use();
    expect(await stand.state()).toMatchObject({ status: 'reconnect' });
    await stand.api('POST', '/api/connections/probed/check');
    expect(await stand.state()).toMatchObject({ status: 'ok' });
  });

  it('writes nothing for a good call of a good connection', async () => {
    await stand.enter('good-token');
    const { connections } = stand.app.deps.store;
    const row = await stored();
    let marks = 0;
    const { mark } = connections;
    connections.mark = (...args) => (marks++, mark(...args));
    await stand.use();
    expect([marks, await stored()]).toEqual([0, row]);
  });

  it('stays ok when the provider is in trouble', async () => {
    await stand.enter('good-token');
    stand.provider.script.push({ path: '/personal/x', answer: respond(503) });
    await stand.use();
    expect(await stand.state()).toMatchObject(GOOD);
  });

  it('stays as it is when a refused token cannot be renewed now', async () => {
    await stand.signIn();
    stand.provider.script.push({ path: '/api/x', answer: respond(401) });
    stand.provider.script.push({ path: '/token', answer: respond(503) });
    const outcome = await stand.use();
    expect(outcome.message).toBeUndefined();
    expect(await stand.state()).toMatchObject(GOOD);
  });

  it('turns to reconnect when the provider ends the grant', async () => {
    await stand.signIn();
    stand.provider.grants = [];
    await stand.use();
    expect(await stand.state()).toMatchObject({
      status: 'reconnect',
      cause: 'Probed refused: invalid_grant',
      account: GOOD.account,
    });
  });
});

describe('the status after a 401 of one place of an API', () => {
  it('stays ok when the probe accepts the token', async () => {
    await stand.enter('good-token');
    const answer = respond(401, { message: 'the data source answered 401' });
    stand.provider.script.push({ path: '/personal/datasource-proxy', answer });
    expect(await stand.use('/datasource-proxy')).toMatchObject({ result: { status: 401 } });
    expect(await stand.state()).toMatchObject(GOOD);
    expect(stand.provider.seen.at(-1)).toBe('GET /personal/whoami');
  });

  it('stays ok when a new token is refused there too, and the token is renewed five times a minute', async () => {
    await stand.signIn();
    const answer = respond(401, { message: 'Unauthorized; scope does not match' });
    for (let n = 0; n < 20; n++) stand.provider.script.push({ path: '/api/admin', answer });
    const before = stand.provider.seen.length;
    const renewals = () => stand.provider.seen.slice(before).filter((line) => line === 'POST /token').length;
    for (let n = 0; n < 8; n++) expect(await stand.use('/admin')).toMatchObject({ result: { status: 401 } });
    expect(renewals()).toBe(5);
    expect(await stand.state()).toMatchObject(GOOD);
    stand.app.clock.advance(61);
    await stand.use('/admin');
    expect(renewals()).toBe(6);
    expect(await stand.state()).toMatchObject(GOOD);
  });

  it('turns to reconnect when the provider ends the grant right after a renewal', async () => {
    await stand.signIn();
    stand.provider.script.push({ path: '/api/x', answer: respond(401) });
    expect(await stand.use()).toMatchObject({ result: { status: 200 } });
    stand.provider.grants = [];
    await stand.use();
    expect(await stand.state()).toMatchObject({ status: 'reconnect' });
  });

  it('is not turned to ok by a public place after a probe was refused', async () => {
    await stand.close();
    // It does not declare that its API answers strangers.
    const probe = { request: 'GET /whoami', id: '/user/id', label: '/user/name' } as const;
    stand = await openProbedStand({ ports: { integrations: [{ ...probed, probe }, ...fixtures] } });
    stand.provider.tokens.add('good-token');
    await stand.enter('good-token');
    stand.provider.tokens.clear();
    expect((await stand.api('POST', '/api/connections/probed/check')).body.status).toBe('reconnect');
    stand.provider.script.push({ path: '/personal/public', answer: respond(200) });
    expect(await stand.use('/public')).toMatchObject({ result: { status: 200 } });
    expect(await stand.state()).toMatchObject({ status: 'reconnect' });
  });

  it('is not changed by the answer to a cookie session that was replaced meanwhile', async () => {
    await stand.close();
    const { token: _, revoke: __, probe: ___, ...rest } = probed;
    const jarred: Integration = {
      ...rest,
      auth: { type: 'cookie', loginUrl: 'https://probed.example/login' },
      api: { base: 'https://probed.example/jar', credential: { in: 'cookie' } },
    };
    stand = await openProbedStand({ ports: { integrations: [jarred, ...fixtures] } });
    const { vault } = stand.app.deps;
    const state = {
      status: 'ok',
      cause: null,
      since: 1,
      checked_at: 1,
      account_id: '1',
      account_label: 'ana',
    } as const;
    const sign = (value: string, capturedAt: number) => {
      const place = { domain: 'probed.example', path: '/', expires: -1, secure: false, httpOnly: false };
      const cookies = JSON.stringify({ v: 1, capturedAt, cookies: [{ name: 'sid', value, ...place }] });
      return vault.save(stand.ana.id, 'probed', { cookies, config: {}, way: 'cookie', state });
    };
    await sign('old-session', 1000);
    stand.provider.script.push({
      path: '/jar/x',
      answer: async (response) => {
        await sign('new-session', 2000);
        respond(401, {}, { 'set-cookie': 'sid=; Path=/; Max-Age=0' })(response);
      },
    });
    expect(await stand.use()).toMatchObject({ result: { status: 401 } });
    expect((await stored())?.status).toBe('ok');
  });
});

describe('connect', () => {
  const begin = (integration: string) => call(stand.app, stand.ana.keyHeader, 'connect', { integration });
  const wait = (connectionId: string) =>
    call(stand.app, stand.ana.keyHeader, 'wait_for_connection', { connectionId, timeoutSec: 1 });

  it('answers a link to the form of an API key, and ends when the key is stored', async () => {
    const begun = await begin('keyed');
    expect(begun).toEqual({
      error: expect.stringContaining('Only the person can enter the API key of'),
      connectionId: expect.any(String),
      type: 'apikey',
      url: 'http://localhost:3000/integrations/keyed?connect=apikey',
    });
    await stand.api('POST', '/api/auth/apikey/keyed', { values: { region: 'eu', apiKey: 'k-secret' } });
    expect(await wait(begun.connectionId)).toEqual({ status: 'CONNECTED' });
  });

  it('answers a link to the form of a token when there is no OAuth client', async () => {
    expect((await begin('probed')).url).toMatch(/^https:\/\/probed\.example\/authorize/);
    await stand.close();
    stand = await openProbedStand({ env: { PROBED_CLIENT_ID: '', PROBED_CLIENT_SECRET: '' } });
    stand.provider.tokens.add('good-token');
    const begun = await begin('probed');
    expect(begun).toMatchObject({
      error: expect.stringContaining('Only the person can enter a token of'),
      type: 'oauth2',
      url: 'http://localhost:3000/integrations/probed?connect=token',
    });
    await stand.enter('good-token');
    expect(await wait(begun.connectionId)).toEqual({ status: 'CONNECTED' });
  });
});

describe('the daily check', () => {
  const round = () => maintainOnce(stand.app.deps);
  const probes = () => stand.provider.seen.filter((line) => line.endsWith('/whoami')).length;

  it('asks each provider once a day, and writes what it says', async () => {
    await stand.enter('good-token');
    await round();
    expect(probes()).toBe(1);
    stand.provider.tokens.clear();
    stand.app.clock.advance(86_400);
    await round();
    await round();
    expect(probes()).toBe(2);
    expect(await stand.state()).toMatchObject({ status: 'reconnect' });
    stand.provider.tokens.add('good-token');
    stand.app.clock.advance(86_400);
    await round();
    expect(await stand.state()).toMatchObject(GOOD);
  });

  it('tells the status of connections of version 0.1', async () => {
    stand.provider.grants.push({ access: 'old-access', refresh: 'old-refresh' });
    const saved = { accessToken: 'old-access', scopes: 'read' };
    await stand.app.deps.vault.save(stand.ana.id, 'probed', saved);
    expect(await stand.state()).toMatchObject({ status: 'unverified', way: 'oauth2' });
    await round();
    expect(await stand.state()).toMatchObject(GOOD);
  });

  it('checks at most 20 connections in a round, and the others in the next rounds', async () => {
    for (let n = 0; n < 45; n++) {
      const { id } = await stand.app.user(`person-${n}@example.com`);
      await stand.app.deps.vault.save(id, 'probed', { accessToken: 'x', scopes: 'read' });
    }
    const counts = [];
    for (let n = 0; n < 4; n++) {
      await round();
      counts.push(probes());
    }
    expect(counts).toEqual([20, 40, 45, 45]);
  });

  it('is done by one of two processes', async () => {
    await stand.app.deps.vault.save(stand.ana.id, 'probed', { accessToken: 'x', scopes: 'read' });
    await Promise.all([round(), round()]);
    expect(probes()).toBe(1);
  });
});

describe('raw calls', () => {
  it('use the token at its own base, and tell the status', async () => {
    await stand.enter('good-token');
    const proxy = createCurlProxy(stand.app.deps);
    const server = await serve(stand.app.fetch, { ...NO_HANDLERS, proxy, clock: stand.app.clock }, 0);
    const get = async () => {
      const grant = { userId: stand.ana.id, actor: PERSONAL_KEY, integrations: ['probed'] };
      const authorization = `Bearer ${await stand.app.deps.curlTokens.issue(grant, 900)}`;
      const answer = await fetch(`http://127.0.0.1:${server.port}/c/probed/x`, {
        headers: { authorization },
      });
      return [answer.status, await answer.text()];
    };
    expect(await get()).toEqual([200, '{"hello":"/personal/x"}']);
    stand.provider.tokens.clear();
    expect((await get())[0]).toBe(401);
    await expect.poll(async () => (await stand.state()).status).toBe('reconnect');
    await server.stop();
    await proxy.close();
  });
});
