// Tests that a person can pause an agent: a key or a client is refused at every door, until it may go on.
// reference: Agents; Named keys; decision: 064
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UNLIMITED } from '../../src/ports/policy.ts';
import { connected, refresh, registered } from '../support/oauth-client.ts';
import { post } from '../support/mcp.ts';
import { askToShout, type Headers, makeKey, run, send, tokenHeader } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user('owner@localhost');
});
afterEach(() => app.close());

const asAna = (method: string, path: string, body?: unknown) =>
  send(app, ana.sessionHeader, method, path, body);

/** How each door refuses what it is sent with the header. */
async function doors(headers: Headers) {
  const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return Promise.all([
    post(app, headers, listTools),
    send(app, headers, 'POST', '/rest/echo', { tool: 'shout', args: { text: 'a' } }),
    send(app, headers, 'GET', '/rest'),
  ]);
}

async function expectPaused(headers: Headers, name: string): Promise<void> {
  const message = expect.stringContaining(`${name} is paused`);
  for (const answer of await doors(headers))
    expect(answer).toMatchObject({ status: 403, body: { error: 'PAUSED', code: 'PAUSED', message } });
}

const pauseRows = async () =>
  (await asAna('GET', '/api/audit')).body.entries
    .filter(({ integration }: { integration: string }) => integration === 'gateway')
    .map(({ tool, action, outcome, actor, account }: Record<string, unknown>) => ({
      tool,
      action,
      outcome,
      actor,
      account,
    }));

describe('a paused key', () => {
  it('is refused at every door by a sentence that names it, and goes on as before', async () => {
    const { id, header, row } = await makeKey(app, ana, { name: 'Claude on my laptop' });
    const paused = await asAna('PUT', `/api/agent-keys/${id}/paused`, { paused: true });
    expect(paused).toMatchObject({ status: 200, body: { ...row, pausedAt: app.clock.now() } });
    await expectPaused(header, 'Claude on my laptop');

    const resumed = await asAna('PUT', `/api/agent-keys/${id}/paused`, { paused: false });
    expect(resumed.body).not.toHaveProperty('pausedAt');
    expect(await run(app, header, 'shout', { text: 'a' })).toEqual({ result: 'A' });
    const by = { action: 'DECIDE', outcome: 'ok', actor: 'session', account: `key:${id}` };
    expect(await pauseRows()).toEqual([
      { tool: 'gateway_resume_agent', ...by },
      { tool: 'gateway_pause_agent', ...by },
    ]);
    expect((await asAna('GET', '/api/usage')).body.totals).toEqual({ ok: 1, failed: 0, refused: 0 });
  });

  it('ends the raw requests of its curl sessions', async () => {
    const { id, header } = await makeKey(app, ana, { name: 'Robot' });
    const { body } = await send(app, header, 'GET', '/api/integrations');
    expect(body.integrations.length).toBeGreaterThan(0);
    const identity = await app.deps.callers.machine(new Headers(header));
    if (identity === null) throw new Error('nobody');
    const token = await app.deps.curlTokens.issue({ ...identity, integrations: ['github'] }, 60);
    await asAna('PUT', `/api/agent-keys/${id}/paused`, { paused: true });
    await expect(app.deps.curlTokens.verify(token)).rejects.toThrow('Robot is paused');
  });

  it.each([UNKNOWN, 'nope'])('is not found by the id %s', async (id) => {
    expect((await asAna('PUT', `/api/agent-keys/${id}/paused`, { paused: true })).status).toBe(404);
  });

  it('is paused only by its own person in the portal', async () => {
    const ben = await app.user('ben@example.com');
    const { id, header } = await makeKey(app, ana);
    const path = `/api/agent-keys/${id}/paused`;
    expect((await send(app, ben.sessionHeader, 'PUT', path, { paused: true })).status).toBe(404);
    expect((await send(app, ana.keyHeader, 'PUT', path, { paused: true })).status).toBe(403);
    expect((await send(app, header, 'PUT', path, { paused: false })).status).toBe(403);
    expect((await asAna('PUT', path, { paused: 'yes' })).status).toBe(400);
    expect(await run(app, header, 'shout', { text: 'a' })).toEqual({ result: 'A' });
  });
});

describe('a paused client', () => {
  it('is refused at every door and keeps its sign-in, until it may go on', async () => {
    const client = await registered(app);
    const { access_token, refresh_token } = await connected(app, ana, client);
    const header = { authorization: `Bearer ${access_token}` };
    const path = `/api/agents/${encodeURIComponent(client)}/paused`;
    expect(await run(app, header, 'shout', { text: 'a' })).toEqual({ result: 'A' });

    const paused = await asAna('PUT', path, { paused: true });
    expect(paused).toMatchObject({ status: 200, body: { client_id: client, paused_at: app.clock.now() } });
    await expectPaused(header, 'A client');
    // A new token of the same sign-in is paused too.
    const next = await refresh(app, client, refresh_token);
    await expectPaused({ authorization: `Bearer ${next.body.access_token}` }, 'A client');
    // The limits of a paused client can be changed, and that does not let it go on.
    const limited = await asAna('PATCH', `/api/agents/${encodeURIComponent(client)}`, { access: 'read' });
    expect(limited.body).toMatchObject({ limits: { access: 'read' }, paused_at: app.clock.now() });
    await expectPaused(header, 'A client');

    await asAna('PUT', path, { paused: false });
    expect(await run(app, header, 'time_now')).toHaveProperty('result');
    expect((await pauseRows()).map(({ tool }: { tool: string }) => tool)).toEqual([
      'gateway_resume_agent',
      'gateway_pause_agent',
    ]);
  });

  it('stays refused when it is disconnected while its access token lives', async () => {
    const client = await registered(app);
    const { access_token } = await connected(app, ana, client);
    await asAna('PUT', `/api/agents/${encodeURIComponent(client)}/paused`, { paused: true });
    await asAna('DELETE', `/api/agents/${encodeURIComponent(client)}`);
    await expectPaused({ authorization: `Bearer ${access_token}` }, 'A client');
  });

  it('is refused by another process as soon as it looks again', async () => {
    const client = await registered(app);
    const { access_token } = await connected(app, ana, client);
    const header = { authorization: `Bearer ${access_token}` };
    await run(app, header, 'shout', { text: 'a' });
    // Another process pauses it, so nothing tells this one.
    await app.deps.store.policies.pause({
      ...UNLIMITED,
      user_id: ana.id,
      client_id: client,
      updated_at: 0,
      last_used_at: null,
      paused_at: 1,
    });
    app.clock.advance(2);
    await expectPaused(header, 'A client');
  });

  it('of somebody else goes on', async () => {
    const ben = await app.user('ben@example.com');
    const client = await registered(app);
    await connected(app, ana, client);
    await connected(app, ben, client);
    await asAna('PUT', `/api/agents/${encodeURIComponent(client)}/paused`, { paused: true });
    expect(await run(app, tokenHeader(app, ben, client), 'shout', { text: 'a' })).toEqual({ result: 'A' });
  });
});

describe('a changed key', () => {
  it('keeps its secret, and is judged by the new limits at its next call', async () => {
    const { id, header, row } = await makeKey(app, ana, { name: 'Reader', access: 'read' });
    expect(await run(app, header, 'shout', { text: 'a' })).toEqual({ result: 'A' });
    const expiresAt = app.clock.now() + 60;
    const wanted = { name: 'Timer', integrations: ['time'], perMinute: 5, expiresAt };
    const changed = await asAna('PATCH', `/api/agent-keys/${id}`, wanted);
    const { createdAt } = row;
    expect(changed).toMatchObject({ status: 200, body: { id, ...wanted, createdAt } });
    expect(changed.body).not.toHaveProperty('access');
    expect(await run(app, header, 'shout', { text: 'a' })).toMatchObject({ error: 'BLOCKED' });
    expect(await run(app, header, 'time_now')).toHaveProperty('result');
  });

  it('asks again about what was approved and has not run', async () => {
    const ask = { rules: [{ tool: 'shout', decision: 'ask' }] };
    const { id, header } = await makeKey(app, ana, ask);
    const approval = await askToShout(app, header, 'a');
    await asAna('POST', `/api/approvals/${approval}`, { decision: 'approve' });
    await asAna('PATCH', `/api/agent-keys/${id}`, { name: 'An agent', ...ask });
    expect(await run(app, header, 'shout', { text: 'a' })).toMatchObject({ error: 'APPROVAL_REQUIRED' });
  });

  it.each<[string, object]>([
    ['without a name', {}],
    ['with an end that has passed', { name: 'a', expiresAt: 1 }],
    ['with an unknown integration', { name: 'a', integrations: ['ecko'] }],
  ])('is refused %s', async (_, form) => {
    const { id, row } = await makeKey(app, ana);
    expect((await asAna('PATCH', `/api/agent-keys/${id}`, form)).status).toBe(400);
    expect((await asAna('GET', '/api/agent-keys')).body.keys).toEqual([row]);
  });
});
