// Tests the routes of named keys, and which credentials open the routes of keys, rules and approvals. reference: Named keys
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { AGENT_KEYS_PER_PERSON } from '../../src/auth/limits.ts';
import { post, rpc } from '../support/mcp.ts';
import { readDescription } from '../support/openapi.ts';
import { type Headers, makeKey, run, send, tokenHeader } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const PATH = '/api/agent-keys';
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
const listed = async (headers: Headers = ana.sessionHeader) =>
  (await send(app, headers, 'GET', PATH)).body.keys;

describe('a named key', () => {
  it('is made with its limits, listed without its secret, and deleted', async () => {
    const limits = {
      integrations: ['echo', 'github'],
      access: 'write',
      rules: [{ tool: 'shout', decision: 'ask' }],
      perMinute: 30,
      expiresAt: app.clock.now() + 60,
    };
    const made = await asAna('POST', PATH, { name: ' Reader\u202e ', ...limits });
    const row = {
      id: expect.any(String),
      name: 'Reader',
      ...limits,
      createdAt: app.clock.now(),
      lastUsedAt: null,
    };
    expect(made).toMatchObject({ status: 201, cacheControl: 'no-store' });
    expect(made.body).toEqual({ ...row, key: expect.stringMatching(/^agk_[0-9a-f]{64}$/) });

    const plain = await makeKey(app, ana);
    const { id, createdAt, lastUsedAt } = row;
    expect(plain.row).toEqual({ id, name: 'An agent', createdAt, lastUsedAt });
    expect(await listed(ana.keyHeader)).toEqual(expect.arrayContaining([row, plain.row]));

    expect(await asAna('DELETE', `${PATH}/${made.body.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await listed()).toEqual([plain.row]);
    expect((await asAna('DELETE', `${PATH}/${made.body.id}`)).status).toBe(404);
  });

  it.each([
    ['githb', 'Did you mean "github"?'],
    ['git_hub', 'Did you mean "github"?'],
    ['echo2', 'Did you mean "echo"?'],
    ['nothing_like_it', 'list_integrations has all names'],
    ['x'.repeat(64), 'list_integrations has all names'],
  ])('is refused with an unknown integration, and with the nearest name: %s', async (unknown, hint) => {
    const made = await asAna('POST', PATH, { name: 'Reader', integrations: ['echo', unknown] });
    expect(made).toMatchObject({ status: 400, body: { error: expect.stringContaining(hint) } });
    expect(await listed()).toEqual([]);
  });

  it('keeps the name of an integration that is gone, which is known as long as it is there', async () => {
    const tools = { openapi: '3.0.0', info: { title: 'Orders' }, servers: [{ url: 'http://127.0.0.1:9' }] };
    const paths = { '/orders': { get: { operationId: 'list', responses: { 200: { description: 'ok' } } } } };
    const document = JSON.stringify({ ...tools, paths });
    const imported = await asAna('POST', '/api/imports', { document, name: 'orders' });
    expect(imported.status).toBe(201);
    const { row } = await makeKey(app, ana, { integrations: ['orders'] });
    await asAna('DELETE', '/api/imports/orders');
    expect(await listed()).toEqual([row]);
    const again = await asAna('POST', PATH, { name: 'Again', integrations: ['orders'] });
    expect(again.status).toBe(400);
  });

  it('is shown once: no later answer, no log line and no stored row has it', async () => {
    const { id, key, header } = await makeKey(app, ana, { name: 'Secretive' });
    await run(app, header, 'shout', { text: 'a' });
    const answers = [
      await listed(),
      (await asAna('GET', '/api/audit')).body,
      (await send(app, header, 'GET', PATH)).body,
      (await send(app, { 'x-service-api-key': `${key}0` }, 'GET', PATH)).body,
      await app.deps.store.agentKeys.get(id),
      (await asAna('DELETE', `${PATH}/${id}`)).body,
      (await send(app, header, 'GET', PATH)).body,
      app.lines,
    ];
    const told = JSON.stringify(answers);
    expect(told).toContain('Secretive');
    expect(told).not.toContain(key);
    expect(told).not.toContain(key.slice(4, 36));
  });

  it('shows when it was used last', async () => {
    const { header } = await makeKey(app, ana);
    app.clock.advance(5);
    const now = app.clock.now();
    await rpc(app, header, 'tools/list');
    await expect.poll(async () => (await listed())[0].lastUsedAt).toBe(now);
  });

  it('belongs to its person alone', async () => {
    const ben = await app.user('ben@example.com');
    const { id, header } = await makeKey(app, ana);
    expect(await listed(ben.sessionHeader)).toEqual([]);
    expect((await send(app, ben.sessionHeader, 'DELETE', `${PATH}/${id}`)).status).toBe(404);
    expect(await run(app, header, 'shout', { text: 'a' })).toEqual({ result: 'A' });
  });

  it.each([UNKNOWN, 'nope', '%00', "'--"])('is not found by the id %s', async (id) => {
    expect(await asAna('DELETE', `${PATH}/${id}`)).toMatchObject({
      status: 404,
      body: { error: expect.any(String) },
    });
  });

  it('is one of a hundred at most, also when many are made at once', async () => {
    const forms = Array.from({ length: AGENT_KEYS_PER_PERSON + 5 }, (_, index) => ({ name: `Key ${index}` }));
    const answers = await Promise.all(forms.map((form) => asAna('POST', PATH, form)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const { status, body } of refused)
      expect([status, body.error]).toEqual([409, expect.stringContaining('Delete one first')]);
    const keys = await listed();
    expect(keys).toHaveLength(AGENT_KEYS_PER_PERSON);
    await asAna('DELETE', `${PATH}/${keys[0].id}`);
    expect((await asAna('POST', PATH, { name: 'One more' })).status).toBe(201);
  });

  it('is not made for a person who is gone', async () => {
    const stranger = { id: UNKNOWN, email: 'gone@example.com' };
    const session = await app.deps.sessions.issue(stranger);
    const gone = { authorization: `Bearer ${session}` };
    expect((await send(app, gone, 'POST', PATH, { name: 'a' })).status).toBe(404);
  });
});

describe('the form of a named key', () => {
  it.each<[string, unknown, RegExp]>([
    ['without a name', {}, /name/],
    ['with an empty name', { name: ' \u200b\n' }, /name: is empty/],
    ['with a long name', { name: 'a'.repeat(101) }, /name/],
    ['with an unknown member', { name: 'a', scope: 'all' }, /scope/],
    ['with a key of its own', { name: 'a', key: 'agk_' }, /key/],
    ['with no integration at all', { name: 'a', integrations: [] }, /integrations/],
    ['with a wrong integration', { name: 'a', integrations: ['GitHub'] }, /integrations\.0/],
    ['with an unknown access', { name: 'a', access: 'admin' }, /access/],
    ['with a rule without a decision', { name: 'a', rules: [{}] }, /rules\.0\.decision/],
    [
      'with a rule that can never match',
      { name: 'a', rules: [{ tool: 'shout', integration: 'time', decision: 'ask' }] },
      /rules\.0: the tool shout belongs to echo, not to time/,
    ],
    ['with no calls in a minute', { name: 'a', perMinute: 0 }, /perMinute/],
    ['with half a call in a minute', { name: 'a', perMinute: 1.5 }, /perMinute/],
    [
      'with a time that has passed',
      { name: 'a', expiresAt: 1_800_000_000 },
      /expiresAt: must be in the future/,
    ],
    ['with a time in milliseconds', { name: 'a', expiresAt: 1_900_000_000_000 }, /expiresAt: .*seconds/],
    ['with a time as a text', { name: 'a', expiresAt: '2030-01-01' }, /expiresAt/],
    ['that is a list', [], /./],
    ['that is a text', 'a', /./],
  ])('%s is refused and makes nothing', async (_kind, form, message) => {
    expect(await asAna('POST', PATH, form)).toMatchObject({
      status: 400,
      cacheControl: 'no-store',
      body: { error: expect.stringMatching(message) },
    });
    expect(await listed()).toEqual([]);
  });

  it('that is no JSON is refused', async () => {
    const response = await app.request(PATH, { method: 'POST', headers: ana.sessionHeader, body: '{' });
    expect(response.status).toBe(400);
  });
});

describe('a key that is deleted or has expired', () => {
  const statuses = async (header: Headers) => [
    (await post(app, header, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).status,
    (await send(app, header, 'POST', '/rest/echo/shout', { text: 'a' })).status,
    (await send(app, header, 'GET', '/rest')).status,
    // A live key gets 403 here: it is known, and does not open this.
    (await send(app, header, 'GET', PATH)).status,
  ];
  const LIVE = [200, 200, 200, 403];
  const DEAD = [401, 401, 401, 401];

  it('stops at once on /mcp, /rest and /api when it is deleted', async () => {
    const { id, header } = await makeKey(app, ana);
    expect(await statuses(header)).toEqual(LIVE);
    await asAna('DELETE', `${PATH}/${id}`);
    expect(await statuses(header)).toEqual(DEAD);
  });

  it('stops at its last second', async () => {
    const { header } = await makeKey(app, ana, { expiresAt: app.clock.now() + 60 });
    app.clock.advance(59);
    expect(await statuses(header)).toEqual(LIVE);
    app.clock.advance(1);
    expect(await statuses(header)).toEqual(DEAD);
    expect(await listed()).toHaveLength(1);
  });

  it('never falls through to another credential', async () => {
    const { id, header } = await makeKey(app, ana);
    await asAna('DELETE', `${PATH}/${id}`);
    expect((await send(app, { ...ana.sessionHeader, ...header }, 'GET', PATH)).status).toBe(401);
  });
});

/** Every route that changes what agents may do. */
const CHANGES: [string, string, unknown][] = [
  ['POST', PATH, { name: 'a' }],
  ['DELETE', `${PATH}/${UNKNOWN}`, undefined],
  ['PUT', '/api/policy', { rules: [] }],
  ['PUT', '/api/admin/policy', { rules: [] }],
  ['POST', '/api/approvals', { ids: [UNKNOWN], decision: 'approve' }],
  ['POST', `/api/approvals/${UNKNOWN}`, { decision: 'approve' }],
];
const READS = [PATH, '/api/policy', '/api/admin/policy', '/api/approvals', `/api/approvals/${UNKNOWN}`];

describe('what people decide', () => {
  it.each(CHANGES)('%s %s takes a portal session alone', async (method, path, body) => {
    const { header } = await makeKey(app, ana);
    const status = async (headers: Headers) => {
      const answer = await send(app, headers, method, path, body);
      if (![401, 403].includes(answer.status)) expect(answer.cacheControl).toBe('no-store');
      return answer.status;
    };
    expect(await status(ana.keyHeader)).toBe(403);
    expect(await status(header)).toBe(403);
    expect(await status({ ...header, ...ana.sessionHeader })).toBe(403);
    expect(await status({ ...ana.keyHeader, ...ana.sessionHeader })).toBe(403);
    expect(await status(tokenHeader(app, ana))).toBe(401);
    expect(await status({})).toBe(401);
    expect([200, 201, 404]).toContain(await status(ana.sessionHeader));
    expect(await listed()).toHaveLength(path === PATH ? 2 : 1);
  });

  it.each(READS)('GET %s takes a session and the personal key', async (path) => {
    const { header } = await makeKey(app, ana);
    const answers = await Promise.all(
      [ana.sessionHeader, ana.keyHeader, header, tokenHeader(app, ana), {}].map((headers) =>
        send(app, headers, 'GET', path),
      ),
    );
    const open = path.endsWith(UNKNOWN) ? 404 : 200;
    expect(answers.map(({ status }) => status)).toEqual([open, open, 403, 401, 401]);
    expect(answers[0]?.cacheControl).toBe('no-store');
  });
});

describe('a named key below /api', () => {
  /** What design and reference let a named key read. */
  const OPEN = new Set([
    'listIntegrations',
    'getIntegration',
    'listTools',
    'listConnections',
    'listAuditEntries',
    'listAuditFailures',
    'countAuditEntries',
    'exportAuditEntries',
    'getUsage',
    'getSetFunctions',
  ]);

  it('opens nothing but the catalogue, the connections and its own activity', async () => {
    await app.close();
    app = await createTestApp({ browsers: true, ports: { clock: createSystemClock(setImmediate) } });
    const { header } = await makeKey(app, await app.user());
    const { operations } = await readDescription(await (await app.request('/openapi.json')).text());
    const closed = operations.filter(
      ({ operationId, path, security }) =>
        path.startsWith('/api/') && security.length > 0 && !OPEN.has(operationId),
    );
    expect(closed.length).toBeGreaterThan(40);
    const opened: string[] = [];
    for (const { method, path } of closed) {
      const response = await app.request(path.replaceAll(/\{\w+\}/g, 'time'), {
        method: method.toUpperCase(),
        headers: { ...header, 'content-type': 'application/json' },
        ...(['post', 'put', 'patch'].includes(method) ? { body: '{}' } : {}),
      });
      if (![401, 403].includes(response.status)) opened.push(`${method} ${path} answers ${response.status}`);
    }
    expect(opened).toEqual([]);
  });
});
