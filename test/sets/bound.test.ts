// Tests keys, tokens and clients that are bound to a set: they call its tools and nothing else, at every door.
// reference: Sets; Named keys; Token endpoint
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallWorld } from '../support/fixtures.ts';
import { call } from '../support/mcp.ts';
import { CALLBACK, refresh, registered, s256, token } from '../support/oauth-client.ts';
import { type Headers, makeKey, run, send } from '../support/policy.ts';
import { callSet, listSet, makeSet, setRpc } from '../support/sets.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
const RESOURCE = 'http://localhost:3000/mcp/sets/work';

beforeAll(async () => {
  app = await createTestApp({ ports: { integrations: smallWorld } });
  ana = await app.user();
  await makeSet(app, ana, 'work', ['shout', 'keyed_get']);
  await makeSet(app, ana, 'other', ['time_now', 'shout']);
  await send(app, ana.keyHeader, 'POST', '/api/auth/apikey/keyed', {
    values: { region: 'eu', apiKey: 'k' },
  });
});
afterAll(() => app.close());

/** Issues a code for a resource as a sign-in would, and redeems it. */
async function tokensFor(resource: string, more: Record<string, string> = {}) {
  const client_id = await registered(app);
  const [code, code_verifier] = [randomBytes(32).toString('hex'), randomBytes(32).toString('base64url')];
  const { clock, store } = app.deps;
  await store.codes.put({
    code,
    client_id,
    user_id: ana.id,
    redirect_uri: CALLBACK,
    code_challenge: s256(code_verifier),
    scope: 'mcp',
    resource,
    expires_at: clock.now() + 60,
  });
  const grant = { grant_type: 'authorization_code', code, client_id, redirect_uri: CALLBACK, code_verifier };
  const { status, body } = await token(app, { ...grant, ...more });
  expect(status).toBe(200);
  return { client_id, ...body };
}
const bearer = (text: string): Headers => ({ authorization: `Bearer ${text}` });

async function expectBound(headers: Headers): Promise<void> {
  expect((await listSet(app, headers, 'work')).map(({ name }) => name)).toEqual([
    'shout',
    'keyed_get',
    'read_result',
  ]);
  expect((await listSet(app, headers, 'other')).map(({ name }) => name)).toEqual(['shout', 'read_result']);
  expect((await callSet(app, headers, 'work', 'shout', { text: 'a' }))['content']).toEqual([
    { type: 'text', text: 'A' },
  ]);
  // The other doors.
  expect(await run(app, headers, 'shout', { text: 'a' })).toMatchObject({ result: 'A' });
  expect(await run(app, headers, 'time_now')).toMatchObject({ error: 'BLOCKED' });
  expect(await run(app, headers, 'keyed_request', { method: 'GET', path: '/' })).toMatchObject({
    error: 'BLOCKED',
  });
  const { integrations } = await call(app, headers, 'list_integrations');
  expect(integrations.map(({ name }: { name: string }) => name)).toEqual(['echo', 'keyed']);
  expect((await send(app, headers, 'POST', '/rest/time/time_now', {})).status).toBe(403);
  expect((await send(app, headers, 'POST', '/rest/echo/shout', { text: 'a' })).status).toBe(200);
  const lent = await call(app, headers, 'curl_session', { integrations: ['keyed'] });
  if ('token' in lent) {
    const raw = await app.request('/c/keyed/anything', { headers: bearer(lent.token) });
    expect(raw.status).toBe(403);
  } else expect(lent.error).toBe('BLOCKED');
}

describe('a named key that is bound to a set', () => {
  it('calls the tools of the set and nothing else, at every door', async () => {
    const { header } = await makeKey(app, ana, { set: 'work' });
    await expectBound(header);
  });

  it('follows the set, and may do nothing once it is gone', async () => {
    await makeSet(app, ana, 'moves', ['shout']);
    const { header } = await makeKey(app, ana, { set: 'moves' });
    expect(await run(app, header, 'time_now')).toMatchObject({ error: 'BLOCKED' });
    await send(app, ana.sessionHeader, 'PATCH', '/api/sets/moves', { tools: ['time_now'] });
    expect(await run(app, header, 'time_now')).toHaveProperty('result');
    expect(await run(app, header, 'shout', { text: 'a' })).toMatchObject({ error: 'BLOCKED' });
    await send(app, ana.sessionHeader, 'DELETE', '/api/sets/moves');
    expect(await run(app, header, 'time_now')).toMatchObject({ error: 'BLOCKED' });
    expect((await call(app, header, 'list_integrations')).integrations).toEqual([]);
  });

  it('is refused for a name that is none', async () => {
    const body = { name: 'x', set: '../mcp' };
    expect((await send(app, ana.sessionHeader, 'POST', '/api/agent-keys', body)).status).toBe(400);
  });

  it('may be a client too, by its limits', async () => {
    const { client_id, access_token } = await tokensFor('http://localhost:3000/mcp');
    const headers = bearer(access_token);
    expect(await run(app, headers, 'time_now')).toHaveProperty('result');
    const path = `/api/agents/${client_id}`;
    expect((await send(app, ana.sessionHeader, 'PATCH', path, { set: 'work' })).status).toBe(200);
    await expectBound(headers);
  });
});

describe('a token for a set', () => {
  it('is bound to the set, also after it was refreshed', async () => {
    const { client_id, access_token, refresh_token } = await tokensFor(RESOURCE);
    await expectBound(bearer(access_token));
    const again = await refresh(app, client_id, refresh_token);
    await expectBound(bearer(again.body.access_token));
    // Naming the wider resource does not widen it.
    const wide = await token(app, {
      grant_type: 'refresh_token',
      client_id,
      refresh_token: again.body.refresh_token,
      resource: 'http://localhost:3000/mcp',
    });
    await expectBound(bearer(wide.body.access_token));
  });

  it('is what a client with a wider grant may ask for', async () => {
    const { access_token } = await tokensFor('http://localhost:3000/mcp', { resource: RESOURCE });
    await expectBound(bearer(access_token));
  });

  it('of everything opens every set', async () => {
    const { access_token } = await tokensFor('http://localhost:3000/mcp');
    expect((await setRpc(app, bearer(access_token), 'other', 'tools/list')).status).toBe(200);
  });

  it('that names no address of a set of this gateway is no token', async () => {
    const { accessTokens } = app.deps;
    const forged = accessTokens.issue({ userId: ana.id, clientId: 'c', scope: 'mcp', set: '../x' });
    expect((await setRpc(app, bearer(forged), 'work', 'tools/list')).status).toBe(401);
  });
});
