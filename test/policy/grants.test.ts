// Tests the limits of OAuth clients: how a person sets them, when they hold, and when a client was last used.
// reference: Agents; Rules
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayPorts } from '../../src/deps.ts';
import { UNLIMITED } from '../../src/ports/policy.ts';
import { fixtures } from '../support/fixtures.ts';
import { call } from '../support/mcp.ts';
import { createNotes } from '../support/notes.ts';
import { connected, refresh, registered } from '../support/oauth-client.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let runs: string[] = [];
/** The database lies here. */
let base: TestApp;
/** The gateway over the same database whose statements are counted. */
let app: TestApp;
let ana: TestUser;
let client: string;
let access: string;
let asked: string[] = [];
let writes: Promise<void>[] = [];

function countPolicies(store: GatewayPorts['store']): GatewayPorts['store'] {
  const { policies } = store;
  return {
    ...store,
    close: async () => {},
    policies: {
      ...policies,
      read(...of) {
        asked.push('read');
        return policies.read(...of);
      },
      async noteUse(grant) {
        asked.push('noteUse');
        writes.push(policies.noteUse(grant));
        await writes.at(-1);
      },
    },
  };
}

beforeEach(async () => {
  base = await createTestApp();
  const store = countPolicies(base.deps.store);
  app = await createTestApp({
    ports: { integrations: [...fixtures, createNotes((used) => runs.push(used))], store },
  });
  ana = await app.user();
  client = await registered(app);
  access = (await connected(app, ana, client)).access_token;
  [runs, asked, writes] = [[], [], []];
});
afterEach(async () => {
  await app.close();
  await base.close();
});

async function run(name: string, token = access) {
  const headers = { authorization: `Bearer ${token}` };
  return (await call(app, headers, 'execute_tools', { executions: [{ tool: name, args: {} }] })).results[0];
}
async function canRun(token = access): Promise<string[]> {
  const names = ['notes_read', 'notes_write', 'notes_destroy'];
  const results = await Promise.all(names.map((name) => run(name, token)));
  return names.filter((_, at) => results[at].error === undefined);
}
const ALL = ['notes_read', 'notes_write', 'notes_destroy'];

async function patch(body: unknown, id = client, headers: Record<string, string> = ana.sessionHeader) {
  const response = await app.request(`/api/agents/${encodeURIComponent(id)}`, {
    method: 'PATCH',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const agents = async (user = ana) =>
  (await (await app.request('/api/agents', { headers: user.keyHeader })).json()).agents;
const revoke = () => app.request(`/api/agents/${client}`, { method: 'DELETE', headers: ana.keyHeader });

async function approve(id: string): Promise<boolean> {
  const { approvals } = app.deps.store;
  const row = await approvals.get(ana.id, id);
  if (row?.state !== 'pending') return false;
  const expires_at = app.clock.now() + 3_600;
  return approvals.move(row, { state: 'approved', covers: 'once', expires_at });
}

describe('PATCH /api/agents/:clientId', () => {
  it('stores limits that hold for the next call of a token that is out', async () => {
    expect(await canRun()).toEqual(ALL);
    const answer = await patch({ access: 'write' });
    expect(answer).toMatchObject({ status: 200, body: { client_id: client, limits: { access: 'write' } } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await canRun()).toEqual(['notes_read', 'notes_write']);
    expect(await agents()).toEqual([answer.body]);
    await patch({ integrations: ['echo'] });
    expect(await canRun()).toEqual([]);
    await patch({ rules: [{ tool: 'notes_write', decision: 'block' }] });
    expect(await canRun()).toEqual(['notes_read', 'notes_destroy']);
    await patch({});
    expect(await canRun()).toEqual(ALL);
    expect(await agents()).toMatchObject([{ limits: {} }]);
  });

  it('replaces all limits together', async () => {
    const expiresAt = app.clock.now() + 60;
    const rules = [{ integration: 'notes', access: 'read', decision: 'ask' }];
    const limits = { integrations: ['notes', 'echo'], access: 'write', rules, perMinute: 5, expiresAt };
    expect((await patch(limits)).body).toMatchObject({ limits, expires_at: expiresAt });
    const { body } = await patch({ access: 'read' });
    expect(body.limits).toEqual({ access: 'read' });
    expect(body.expires_at).toBeGreaterThan(expiresAt);
  });

  it('limits the calls that may begin in a minute', async () => {
    await patch({ perMinute: 2 });
    const results = [await run('notes_read'), await run('notes_read'), await run('notes_read')];
    expect(results.map(({ error }) => error === undefined)).toEqual([true, true, false]);
    const other = (await connected(app, ana, await registered(app))).access_token;
    expect((await run('notes_read', other)).result).toBe('done');
  });

  it.each([
    ['no JSON', 'nothing', /./],
    ['a list', [], /./],
    ['an unknown member', { access: 'read', until: 1 }, /until/],
    ['an unknown access', { access: 'all' }, /access/],
    ['no integration', { integrations: [] }, /integrations/],
    ['a name that no integration has', { integrations: ['A B'] }, /integrations\.0/],
    ['a rule that decides nothing', { rules: [{ tool: 'shout' }] }, /rules\.0\.decision/],
    [
      'a rule that never matches',
      { rules: [{ integration: 'notes', tool: 'shout', decision: 'block' }] },
      /rules\.0: the tool shout belongs to echo/,
    ],
    ['no calls', { perMinute: 0 }, /perMinute/],
    ['a time that is over', { expiresAt: 1 }, /expiresAt/],
    ['a time in milliseconds', { expiresAt: 1_900_000_000_000 }, /expiresAt/],
    ['no time', { expiresAt: null }, /expiresAt/],
  ])('refuses %s, and changes nothing', async (_, body, named) => {
    await patch({ access: 'read' });
    const refused = await patch(body);
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringMatching(named)]);
    expect(await agents()).toMatchObject([{ limits: { access: 'read' } }]);
  });

  it('is only for a portal session of the person', async () => {
    const bea = await app.user('bea@example.com');
    const limits = { access: 'destroy' };
    const minted = await app.deps.agentKeys.mint(ana.id, { name: 'a', limits: {}, expiresAt: null });
    const agentKey = { 'x-service-api-key': minted?.key ?? '' };
    expect((await patch(limits, client, ana.keyHeader)).status).toBe(403);
    expect((await patch(limits, client, agentKey)).status).toBe(403);
    expect((await patch(limits, client, { authorization: `Bearer ${access}` })).status).toBe(401);
    expect((await patch(limits, client, {})).status).toBe(401);
    expect((await patch({ access: 'read' }, client, bea.sessionHeader)).status).toBe(404);
    expect(await canRun()).toEqual(ALL);
  });

  it('does not know a client without a live token', async () => {
    for (const id of ['never was', 'a\u0000b', '/', await registered(app)])
      expect((await patch({}, id)).status).toBe(404);
    await revoke();
    expect((await patch({})).status).toBe(404);
    expect(await app.deps.store.policies.grants(ana.id)).toEqual([]);
  });

  it('narrows a scope, and never widens it', async () => {
    const narrow = app.deps.accessTokens.issue({ userId: ana.id, clientId: client, scope: 'mcp:write' });
    await patch({ access: 'destroy' });
    expect(await canRun(narrow)).toEqual(['notes_read', 'notes_write']);
    await patch({ access: 'read' });
    expect(await canRun(narrow)).toEqual(['notes_read']);
  });
});

describe('an approval of a client', () => {
  const ask = { rules: [{ tool: 'notes_destroy', decision: 'ask' }] };

  it.each([
    ['asked about', false],
    ['approved', true],
  ])('that is %s ends when the limits change', async (_, isApproved) => {
    await patch(ask);
    const { approval } = await run('notes_destroy');
    if (isApproved) await approve(approval.id);
    await patch(ask);
    expect((await app.deps.store.approvals.get(ana.id, approval.id))?.state).toBe('expired');
    const again = await run('notes_destroy');
    expect(again.error).toBe('APPROVAL_REQUIRED');
    expect(again.approval.id).not.toBe(approval.id);
    expect(runs).toEqual([]);
  });

  it('never lets a call run after limits that block it are stored', async () => {
    for (let round = 0; round < 10; round++) {
      await patch(ask);
      const { approval } = await run('notes_destroy');
      await approve(approval.id);
      runs = [];
      const stored = patch({ access: 'read' });
      await Promise.all([stored, ...Array.from({ length: 5 }, () => run('notes_destroy'))]);
      expect(runs.length).toBeLessThanOrEqual(1);
      runs = [];
      expect((await run('notes_destroy')).error).toBe('BLOCKED');
      expect(runs).toEqual([]);
    }
  });

  it('is worth nothing when the yes comes while the limits change', async () => {
    for (let round = 0; round < 10; round++) {
      await patch(ask);
      const { approval } = await run('notes_destroy');
      await Promise.all([patch(ask), approve(approval.id), patch(ask)]);
      await patch(ask);
      expect((await run('notes_destroy')).error).toBe('APPROVAL_REQUIRED');
    }
    expect(runs).toEqual([]);
  });

  it('stays when the first use of a client is noted', async () => {
    const rules = JSON.stringify(ask.rules);
    const { policies } = app.deps.store;
    await policies.putRules({ owner: ana.id, rules, revision: 'r1', updated_at: app.clock.now() });
    const { approval } = await run('notes_destroy');
    await Promise.all(writes);
    expect(await policies.grants(ana.id)).toHaveLength(1);
    await approve(approval.id);
    expect((await run('notes_destroy')).result).toBe('done');
  });

  it('ends with the tokens of the client', async () => {
    await patch(ask);
    const { approval } = await run('notes_destroy');
    await revoke();
    expect((await app.deps.store.approvals.get(ana.id, approval.id))?.state).toBe('expired');
  });
});

describe('the revocation of a client', () => {
  it('leaves an access token without limits as it is', async () => {
    await run('notes_read');
    expect(await (await revoke()).json()).toEqual({ revoked: 1 });
    expect(await canRun()).toEqual(ALL);
  });

  it('does not free an access token of its limits', async () => {
    await patch({ access: 'read' });
    await revoke();
    await revoke();
    expect(await canRun()).toEqual([]);
  });

  it('ends a grant that only has a time', async () => {
    await patch({ expiresAt: app.clock.now() + 600 });
    await revoke();
    expect(await canRun()).toEqual([]);
  });

  it('wins or loses against a change of the limits, and frees nothing', async () => {
    for (let round = 0; round < 10; round++) {
      const grant = {
        user_id: ana.id,
        client_id: client,
        updated_at: 0,
        last_used_at: null,
        paused_at: null,
      };
      await app.deps.store.policies.putGrant({ ...UNLIMITED, ...grant });
      access = (await connected(app, ana, client)).access_token;
      await patch({ access: 'read' });
      await Promise.all([revoke(), patch({ access: 'read' }), revoke()]);
      expect(['', 'notes_read']).toContain((await canRun()).join());
    }
  });
});

describe('the end of a grant', () => {
  it('shortens the next access token, and its refresh', async () => {
    const tokens = await connected(app, ana, client);
    await patch({ expiresAt: app.clock.now() + 600 });
    const { body } = await refresh(app, client, tokens.refresh_token);
    expect(body['expires_in']).toBe(600);
    await patch({ expiresAt: app.clock.now() + 86_400 });
    const later = (await refresh(app, client, body.refresh_token)).body;
    expect(later['expires_in']).toBe(3_600);
    app.clock.advance(86_400);
    expect(await refresh(app, client, later.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: expect.stringContaining('has expired') },
    });
  });
});

describe('the last use of a client', () => {
  const lastUse = async () => {
    await Promise.all(writes);
    return (await agents())[0].last_used_at;
  };

  it('is unknown until a token of it is used', async () => {
    expect(await lastUse()).toBeNull();
    const before = app.clock.now();
    await run('notes_read');
    expect(await lastUse()).toBe(before);
  });

  it('is noted once a minute, with one read of the rules for each call', async () => {
    for (let count = 0; count < 5; count++) await run('notes_read');
    expect(asked.toSorted()).toEqual(['noteUse', ...Array.from({ length: 5 }, () => 'read')]);
    app.clock.advance(59);
    await run('notes_read');
    expect(writes).toHaveLength(1);
    app.clock.advance(1);
    await run('notes_read');
    expect(writes).toHaveLength(2);
    expect(await lastUse()).toBe(app.clock.now());
  });

  it('changes nothing of what the client may do', async () => {
    await run('notes_read');
    await Promise.all(writes);
    const { policies } = app.deps.store;
    expect(await policies.grants(ana.id)).toMatchObject([{ client_id: client, ...UNLIMITED }]);
    const actor = { id: `client:${client}`, name: null, clientId: client, limits: [] };
    expect((await app.deps.gate.permissionsOf({ userId: ana.id, actor })).isOpen).toBe(true);
    expect((await agents())[0].limits).toEqual({});
    await patch({ access: 'read' });
    app.clock.advance(60);
    await run('notes_read');
    expect(await lastUse()).toBe(app.clock.now());
    expect(await canRun()).toEqual(['notes_read']);
    await patch({ access: 'write' });
    expect((await agents())[0].last_used_at).toBe(app.clock.now());
  });

  it('is not noted for other callers', async () => {
    for (const headers of [ana.keyHeader, ana.sessionHeader])
      await call(app, headers, 'execute_tools', { executions: [{ tool: 'notes_read', args: {} }] });
    // A call by key learns with the key that there are no rules.
    expect(asked).toEqual(['read']);
  });

  it('does not make a call fail when it cannot be noted', async () => {
    const { policies } = app.deps.store;
    policies.noteUse = () => Promise.reject(new Error('the disk is full'));
    expect((await run('notes_read')).result).toBe('done');
    expect(app.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'the use of a client was not noted' }),
    );
  });
});
