// Tests that rules and limits hold for raw requests, whatever way a caller tries. reference: Rules; decision: 038
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, clientActorId, type Limits, PERSONAL_KEY, type Rule } from '../../src/kit/actor.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { bearer, openStage, type Stage } from '../support/proxy-stage.ts';
import { sendRaw } from '../support/raw-http.ts';
import { auditOf, putRules } from '../support/raw-policy.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const JSON_BODY = { 'content-type': 'application/json' };

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  stage.seen.length = 0;
  stage.answer((_, outgoing) => outgoing.end('ok'));
  await putRules(stage, []);
  await putRules(stage, [], EVERYONE);
});
afterAll(() => stage.close());

async function statusOf(method: string, token: string, path = '/c/vaulted/x'): Promise<number> {
  const response = await stage.get(path, { method, headers: bearer(token) });
  await response.text();
  return response.status;
}

/** The methods that reach the upstream. */
async function passing(token: string): Promise<string[]> {
  const passed: string[] = [];
  for (const method of METHODS) if ((await statusOf(method, token)) === 200) passed.push(method);
  expect(stage.seen.map(({ method }) => method)).toEqual(passed);
  return passed;
}

const narrowed = (limits: Limits): Actor => ({ ...PERSONAL_KEY, limits: [limits] });
const tokenOf = (limits: Limits): Promise<string> => stage.token({ actor: narrowed(limits) });

const READS = ['GET', 'HEAD', 'OPTIONS'];
const WRITES = ['POST', 'PUT', 'PATCH'];

describe('a rule for raw requests', () => {
  it.each<[string, Rule, string[]]>([
    ['reading', { access: 'read', decision: 'block' }, [...WRITES, 'DELETE']],
    ['writing', { access: 'write', decision: 'block' }, [...READS, 'DELETE']],
    ['deleting', { access: 'destroy', decision: 'block' }, [...READS, ...WRITES]],
    ['an integration', { integration: 'vaulted', decision: 'block' }, []],
    ['another integration', { integration: 'keyed', decision: 'block' }, METHODS],
    ['a tool that reads', { tool: 'vaulted_get', decision: 'block' }, [...WRITES, 'DELETE']],
    ['the tool for any request', { tool: 'vaulted_request', decision: 'block' }, []],
    ['the tool of another integration', { tool: 'keyed_get', decision: 'block' }, METHODS],
  ])('blocks %s and nothing else', async (_name, rule, passed) => {
    await putRules(stage, [rule]);
    expect(await passing(await stage.token())).toEqual(passed);
  });

  it('answers 403 with BLOCKED, says who decided, and leaves an audit row', async () => {
    const dora = await stage.app.user('dora@example.com');
    const token = await stage.token({ userId: dora.id });
    await putRules(stage, [{ access: 'destroy', decision: 'block' }], dora.id);
    const headers = bearer(token);
    const response = await stage.get('/c/vaulted/repos/42?q=secret', { method: 'DELETE', headers });
    expect([response.status, await response.json()]).toEqual([
      403,
      {
        error: 'BLOCKED',
        integration: 'vaulted',
        message: expect.stringContaining('The person does not allow DELETE requests to Vaulted'),
      },
    ]);
    expect(await auditOf(stage, dora.id)).toMatchObject([
      {
        integration: 'vaulted',
        tool: 'DELETE /repos/:id',
        action: 'CURL',
        success: false,
        error: 'BLOCKED',
        actor: 'key',
        outcome: 'blocked',
      },
    ]);
    await putRules(stage, [{ access: 'destroy', decision: 'block' }], EVERYONE);
    const both = await stage.get('/c/vaulted/x', { method: 'DELETE', headers });
    expect((await both.json()).message).toContain('An administrator');
  });

  it('holds for the next call of a token that is out already', async () => {
    const token = await stage.token();
    expect(await statusOf('DELETE', token)).toBe(200);
    await putRules(stage, [{ access: 'destroy', decision: 'block' }]);
    expect(await statusOf('DELETE', token)).toBe(403);
    await putRules(stage, []);
    expect(await statusOf('DELETE', token)).toBe(200);
  });

  it('of everyone cannot be lifted by the person', async () => {
    await putRules(stage, [{ access: 'destroy', decision: 'block' }], EVERYONE);
    await putRules(stage, [{ integration: 'vaulted', decision: 'allow' }]);
    expect(await passing(await stage.token())).toEqual([...READS, ...WRITES]);
  });
});

describe('the limits of the caller that asked for a token', () => {
  it.each<[string, Limits, string[]]>([
    ['reading', { access: 'read' }, READS],
    ['writing', { access: 'write' }, [...READS, ...WRITES]],
    ['every level', { access: 'destroy' }, METHODS],
    ['another integration', { integrations: ['keyed'] }, []],
    ['what its rules allow', { rules: [{ access: 'write', decision: 'block' }] }, [...READS, 'DELETE']],
  ])('hold for its raw requests: %s', async (_name, limits, passed) => {
    expect(await passing(await tokenOf(limits))).toEqual(passed);
  });

  it('say that the key or client is limited', async () => {
    const headers = bearer(await tokenOf({ access: 'read' }));
    const response = await stage.get('/c/vaulted/x', { method: 'DELETE', headers });
    expect((await response.json()).message).toContain('This key or client may not use DELETE requests');
  });

  it('count its calls in each minute', async () => {
    const headers = bearer(await tokenOf({ perMinute: 2 }));
    const answers = [];
    for (let n = 0; n < 3; n++) answers.push(await stage.get('/c/vaulted/x', { headers }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await answers[2]?.json()).toMatchObject({ error: 'TOO_MANY_CALLS', integration: 'vaulted' });
    // Another caller of the person has a limit of its own.
    expect(await statusOf('GET', await stage.token())).toBe(200);
  });

  it('come from the grant of an OAuth client, and end with it', async () => {
    const { app, ana } = stage;
    const actor = { id: clientActorId('c1'), name: null, clientId: 'c1', limits: [] };
    const token = await stage.token({ actor });
    expect(await statusOf('DELETE', token)).toBe(200);
    const now = app.clock.now();
    const grant = { user_id: ana.id, client_id: 'c1', updated_at: now, last_used_at: null, paused_at: null };
    const limits = JSON.stringify({ access: 'write' });
    await app.deps.store.policies.putGrant({ ...grant, limits, expires_at: now + 60, revision: 'g1' });
    expect([await statusOf('DELETE', token), await statusOf('POST', token)]).toEqual([403, 200]);
    app.clock.advance(60);
    expect(await statusOf('GET', token)).toBe(403);
  });
});

describe('the token of a named key', () => {
  async function mint(limits: Limits, expiresAt: number | null = null, userId = stage.ana.id) {
    const minted = await stage.app.deps.agentKeys.mint(userId, { name: 'bot', limits, expiresAt });
    const identity = minted === null ? null : await stage.app.deps.agentKeys.verify(minted.key);
    if (minted === null || identity === null) throw new Error('the key was not made');
    return { id: minted.record.id, actor: identity.actor };
  }

  it('ends with the key', async () => {
    const { id, actor } = await mint({});
    const token = await stage.token({ actor });
    expect(await statusOf('GET', token)).toBe(200);
    await stage.app.deps.agentKeys.remove(stage.ana.id, id);
    const response = await stage.get('/c/vaulted/x', { headers: bearer(token) });
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: 'invalid or expired curl session token' },
    ]);
  });

  it('ends when the key expires', async () => {
    const { actor } = await mint({}, stage.app.clock.now() + 60);
    const token = await stage.token({ actor });
    expect(await statusOf('GET', token)).toBe(200);
    stage.app.clock.advance(60);
    expect(await statusOf('GET', token)).toBe(401);
  });

  it('has the limits of the key, and does not carry them', async () => {
    const { actor } = await mint({ access: 'write', rules: [{ integration: 'keyed', decision: 'block' }] });
    const token = await stage.token({ actor });
    expect(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).toContain('"limits":[]');
    expect(await passing(token)).toEqual([...READS, ...WRITES]);
    expect(await statusOf('GET', token, '/c/keyed/x')).toBe(403);
  });

  it('is narrowed further by the request that asked for it', async () => {
    const { actor } = await mint({ access: 'write' });
    const token = await stage.token({ actor: { ...actor, limits: [...actor.limits, { access: 'read' }] } });
    expect(await passing(token)).toEqual(READS);
  });

  it('has the limits of the key when a token claims none', async () => {
    const { actor } = await mint({ access: 'read' });
    expect(await passing(await stage.token({ actor: { ...actor, limits: [] } }))).toEqual(READS);
  });

  it('is no token of another person', async () => {
    const bob = await stage.app.user('bob@example.com');
    const { actor } = await mint({}, null, bob.id);
    expect(await statusOf('GET', await stage.token({ actor }))).toBe(401);
  });

  it('works with a key that has the most rules', async () => {
    const rule: Rule = { integration: 'a'.repeat(64), access: 'destroy', decision: 'block' };
    const { actor } = await mint({ rules: Array.from({ length: 500 }, () => rule) });
    expect(await statusOf('GET', await stage.token({ actor }))).toBe(200);
  });
});

describe('a way around a rule that blocks deleting', () => {
  beforeEach(() => putRules(stage, [{ access: 'destroy', decision: 'block' }]));

  it.each([
    'X-HTTP-Method-Override',
    'X_HTTP_Method',
    'X-Method-Override',
    'X-Original-URL',
    'X-Rewrite-URL',
  ])('does not lead through the header %s', async (name) => {
    const headers = { ...JSON_BODY, [name]: 'DELETE' };
    expect((await stage.get('/c/vaulted/x', { method: 'POST', body: '{}', headers })).status).toBe(200);
    expect(stage.seen[0]?.headers).not.toHaveProperty(name.toLowerCase());
  });

  it.each<[string, Record<string, string>, string]>([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, '_method=delete'],
    ['a form in capitals', { 'content-type': 'Application/X-WWW-Form-URLencoded' }, '_method=delete'],
    ['a form in parts', { 'content-type': 'multipart/form-data; boundary=b' }, '--b--'],
    ['a body of an empty type', { 'content-type': '' }, '_method=delete'],
  ])('does not lead through %s that names another method', async (_name, headers, body) => {
    const blob = new Blob([body]);
    expect((await stage.get('/c/vaulted/x', { method: 'POST', body: blob, headers })).status).toBe(403);
    expect(stage.seen).toEqual([]);
  });

  it('does not lead through a second content type or none', async () => {
    const head = `POST /c/vaulted/x HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${await stage.token()}\r\nConnection: close\r\n`;
    const types = [
      '',
      'Content-Type: application/json\r\nContent-Type: application/x-www-form-urlencoded\r\n',
    ];
    for (const type of types) {
      const text = `${head}${type}Content-Length: 14\r\n\r\n_method=delete`;
      expect((await sendRaw(stage.port, text)).status).toBe(403);
    }
    expect(stage.seen).toEqual([]);
  });

  it.each([
    '_method=DELETE',
    '%5Fmethod=delete',
    'a=1;_method=DELETE',
    '_HttpMethod=DELETE',
    'x-http-method-override=DELETE',
    '.method=DELETE',
    '_method%00x=DELETE',
  ])('does not lead through the query %s of a POST', async (query) => {
    const init = { method: 'POST', body: '{}', headers: JSON_BODY };
    expect((await stage.get(`/c/vaulted/x?${query}`, init)).status).toBe(403);
    expect(stage.seen).toEqual([]);
  });

  it('leaves other posts alone', async () => {
    const init = { method: 'POST', body: '{"_method":"delete"}', headers: JSON_BODY };
    expect((await stage.get('/c/vaulted/x?methods=1&q=_method', init)).status).toBe(200);
    expect((await stage.get('/c/vaulted/x', { method: 'POST' })).status).toBe(200);
  });

  it.each([
    '/c/vaulted/./x',
    '/c/vaulted/%2e%2e/x',
    '/c/./vaulted/x',
    '/x/../c/vaulted/x',
    '//c/vaulted/x',
    '/%63/vaulted/x',
    '/c/Vaulted/x',
    '/c/vault%65d/x',
    'http://gate/c/vaulted/x',
  ])('does not lead over the target %s', async (target) => {
    const { status } = await stage.raw(target, 'DELETE');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(stage.seen).toEqual([]);
  });

  it.each(['delete', 'Delete', 'PURGE', 'TRACE', 'MOVE', 'PROPPATCH', 'UNLINK'])(
    'does not lead through the method %s',
    async (method) => {
      const { status } = await stage.raw('/c/vaulted/x', method);
      expect([400, 405]).toContain(status);
      expect(stage.seen).toEqual([]);
    },
  );

  it('does not lead through an API where the method means nothing', async () => {
    const { app, ana } = stage;
    await app.deps.vault.save(ana.id, 'slack', { accessToken: 'xoxp-1' });
    const token = await stage.token({ integrations: ['slack'] });
    for (const method of METHODS) expect(await statusOf(method, token, '/c/slack/chat.delete')).toBe(403);
  });

  it('does not lead through a session that allows the method', async () => {
    expect(await statusOf('DELETE', await stage.token({ methods: ['DELETE'] }))).toBe(403);
  });
});

describe('a caller that no rule touches', () => {
  it('keeps its headers, and an empty list of rules changes nothing', async () => {
    const headers = { 'x-http-method-override': 'DELETE', 'x-original-url': '/y' };
    expect((await stage.get('/c/vaulted/x', { headers })).status).toBe(200);
    expect(stage.seen[0]?.headers).toMatchObject(headers);
  });
});
