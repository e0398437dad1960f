// Attacks through another door: a call that is asked about or blocked over MCP is so over REST and as a raw request.
// decision: 038
import * as z from 'zod';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import type { Limits, Rule } from '../../src/kit/actor.ts';
import { createRows } from '../../src/kit/rest-rows.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { ask, openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';

const { row } = createRows({ names: 'camelCase' });
const id = () => ({ id: z.string() });

const bank = defineIntegration({
  name: 'bank',
  version: '1.0.0',
  displayName: 'Bank',
  description: 'Moves money',
  categories: ['test'],
  logo: null,
  auth: { type: 'apikey', fields: [{ key: 'apiKey', label: 'Key', secret: true, required: true }] },
  api: { base: 'https://bank.example', credential: { in: 'bearer' } },
  tools: [
    row('bank_get', 'GET /accounts/{id}', 'Reads an account', id),
    row('bank_pay', 'POST /payments', 'Pays', () => ({ to: z.string() })),
    row('bank_purge', 'POST /purge', 'Purges', () => ({}), { access: 'destroy' }),
    row('bank_close', 'DELETE /accounts/{id}', 'Closes an account', id),
    // It sends several requests, so it names none.
    tool(
      'bank_wipe',
      'Wipes everything',
      () => ({}),
      () => null,
      'destroy',
    ),
  ],
});

let server: HttpServer;
let seen: string[];
let stand: PolicyStand;
beforeAll(async () => {
  server = await startHttpServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  seen = [];
  stand = await openPolicyStand({
    integrations: [bank],
    env: { UPSTREAM_MAP: `https://bank.example=http://127.0.0.1:${server.port}` },
    rules: [ask('ledger_post')],
  });
  await stand.send(stand.key, 'POST', '/api/auth/apikey/bank', { values: { apiKey: 'k' } });
});
afterEach(() => stand.close());

describe('REST', () => {
  const ARGS = { amount: 5, to: 'bea' };
  const DOORS: [string, string, unknown][] = [
    ['a single call', '/rest/ledger', { tool: 'ledger_post', args: ARGS }],
    ['a single call by the short name', '/rest/ledger', { tool: 'post', args: ARGS }],
    ['flat arguments', '/rest/ledger', { tool: 'post', ...ARGS }],
    ['arguments as a text', '/rest/ledger', { tool: 'post', args: JSON.stringify(ARGS) }],
    ['the address of the tool', '/rest/ledger/ledger_post', ARGS],
    ['the address of its short name', '/rest/ledger/post?select=done', ARGS],
  ];

  it.each(DOORS)('asks the question of MCP for %s', async (_name, path, body) => {
    const id = await stand.ask(stand.key, 'ledger_post', ARGS);
    const asked = await stand.send(stand.key, 'POST', path, body);
    expect(asked).toMatchObject({
      status: 409,
      body: { error: 'APPROVAL_REQUIRED', integration: 'ledger', approval: { id } },
    });
    await stand.decide(id, { decision: 'deny' });
    expect(await stand.send(stand.key, 'POST', path, body)).toMatchObject({
      status: 403,
      body: { error: 'DENIED', tool: 'ledger_post' },
    });
    expect(stand.ran).toEqual([]);
  });

  it('does not run a call a second time that has used its yes over MCP', async () => {
    const id = await stand.ask(stand.key, 'ledger_post', ARGS);
    await stand.approve(id);
    const body = { tool: 'ledger_post', args: ARGS };
    const [over, rest] = await Promise.all([
      stand.run(stand.key, 'ledger_post', ARGS),
      stand.send(stand.key, 'POST', '/rest/ledger', body),
    ]);
    expect([over.error, rest.status]).toSatisfy(
      ([error, status]) => (error === undefined) !== (status === 200),
    );
    expect(stand.ran).toHaveLength(1);
  });

  it('decides each item of a batch, and hides none in it', async () => {
    const executions = [
      { tool: 'read', args: {} },
      { tool: 'post', args: ARGS },
      { tool: 'ledger_post', args: ARGS },
    ];
    const { body } = await stand.send(stand.key, 'POST', '/rest/ledger', { executions });
    expect(body.results).toEqual([
      { result: { done: 'ledger_read' } },
      expect.objectContaining({ error: 'APPROVAL_REQUIRED' }),
      expect.objectContaining({ error: 'APPROVAL_REQUIRED' }),
    ]);
    expect(body.results[1].approval).toEqual(body.results[2].approval);
    expect(stand.ran).toEqual([{ tool: 'ledger_read', args: { page: 1 } }]);
  });

  it('blocks what a rule blocks, by every name', async () => {
    await stand.putRules([rule('block', { tool: 'ledger_post' })]);
    for (const [, path, body] of DOORS)
      expect(await stand.send(stand.key, 'POST', path, body)).toMatchObject({ body: { error: 'BLOCKED' } });
    expect(stand.ran).toEqual([]);
  });
});

describe('bank_request', () => {
  const request = (args: object, headers = stand.key) => stand.run(headers, 'bank_request', args);
  const refusals: [string, Rule[], string, string][] = [
    ['DELETE where a tool that deletes is asked about', [ask('bank_close')], 'DELETE', 'APPROVAL_REQUIRED'],
    ['POST where a tool that posts is blocked', [rule('block', { tool: 'bank_pay' })], 'POST', 'BLOCKED'],
    ['PUT where a tool that writes is blocked', [rule('block', { tool: 'bank_pay' })], 'PUT', 'BLOCKED'],
    ['GET where a tool that reads is blocked', [rule('block', { tool: 'bank_get' })], 'GET', 'BLOCKED'],
    ['HEAD where a tool that reads is blocked', [rule('block', { tool: 'bank_get' })], 'HEAD', 'BLOCKED'],
    [
      'POST where a tool that destroys by POST is blocked',
      [rule('block', { tool: 'bank_purge' })],
      'POST',
      'BLOCKED',
    ],
    [
      'POST where a tool that names no request is blocked',
      [rule('block', { tool: 'bank_wipe' })],
      'POST',
      'BLOCKED',
    ],
    [
      'PATCH where a tool that names no request is asked about',
      [ask('bank_wipe')],
      'PATCH',
      'APPROVAL_REQUIRED',
    ],
    [
      'DELETE where deletions are asked about',
      [rule('ask', { access: 'destroy' })],
      'DELETE',
      'APPROVAL_REQUIRED',
    ],
    [
      'POST where changes of the integration are blocked',
      [rule('block', { integration: 'bank', access: 'write' })],
      'POST',
      'BLOCKED',
    ],
    ['GET where the tool itself is blocked', [rule('block', { tool: 'bank_request' })], 'GET', 'BLOCKED'],
  ];

  it.each(refusals)('does not send %s', async (_name, rules, method, error) => {
    await stand.putRules(rules);
    expect(await request({ method, path: '/accounts/1' })).toMatchObject({ error, integration: 'bank' });
    const rest = await stand.send(stand.key, 'POST', '/rest/bank/request', { method, path: '/accounts/1' });
    expect(rest.body.error).toBe(error);
    expect(seen).toEqual([]);
  });

  it.each([
    ['in its path', { path: '/accounts/1?_method=DELETE' }],
    ['behind a semicolon', { path: '/accounts/1?a=1;_method=DELETE' }],
    ['in its query', { path: '/accounts/1', query: { _HttpMethod: 'DELETE' } }],
    ['in a file that may be a form', { path: '/accounts/1', body: `file:f-1-1-${'0'.repeat(32)}` }],
  ])('does not send a POST that names another method %s', async (_name, sent) => {
    await stand.putRules([rule('block', { access: 'destroy' })]);
    expect(await request({ method: 'POST', ...sent })).toMatchObject({ error: 'BLOCKED' });
    expect(await request({ method: 'POST', path: '/accounts/1' })).toHaveProperty('result');
    expect(seen).toEqual(['POST /accounts/1']);
  });

  it('runs once after a yes to exactly this request', async () => {
    await stand.putRules([ask('bank_close')]);
    const args = { method: 'DELETE', path: '/accounts/1' };
    await stand.approve(await stand.ask(stand.key, 'bank_request', args));
    expect(await request({ ...args, path: '/accounts/2' })).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(await request({ ...args, path: '/accounts/1?all=1' })).toMatchObject({
      error: 'APPROVAL_REQUIRED',
    });
    expect(await request(args)).toHaveProperty('result');
    expect(await request(args)).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(seen).toEqual(['DELETE /accounts/1']);
  });

  it.each(['delete', 'Delete', 'PURGE', 'MOVE', ' DELETE', 'GET\r\nDELETE', ''])(
    'does not know the method %j',
    async (method) => {
      const reader = await stand.mintKey({ access: 'read' });
      for (const headers of [stand.key, reader.headers])
        expect(await request({ method, path: '/accounts/1' }, headers)).toMatchObject({
          error: expect.stringContaining('Invalid arguments'),
        });
      expect(seen).toEqual([]);
    },
  );

  it.each<[Limits, Record<string, boolean>]>([
    [{ access: 'read' }, { GET: true, HEAD: true, POST: false, PUT: false, PATCH: false, DELETE: false }],
    [{ access: 'write' }, { GET: true, HEAD: true, POST: true, PUT: true, PATCH: true, DELETE: false }],
    [{ integrations: ['ledger'] }, { GET: false, POST: false, DELETE: false }],
  ])('keeps to the ceiling %j by its method', async (limits, allowed) => {
    const { headers } = await stand.mintKey(limits);
    for (const [method, isAllowed] of Object.entries(allowed)) {
      const answer = await request({ method, path: '/accounts/1' }, headers);
      expect([method, answer.error]).toEqual([method, isAllowed ? undefined : 'BLOCKED']);
    }
    expect(seen).toHaveLength(Object.values(allowed).filter(Boolean).length);
  });

  it('without a method is a GET, and blocked where reading is', async () => {
    await stand.putRules([rule('block', { access: 'read' })]);
    expect(await request({ path: '/accounts/1' })).toMatchObject({ error: 'BLOCKED' });
  });
});

describe('a raw request', () => {
  const verdictOf = async (rules: Rule[], method: string) => {
    await stand.putRules(rules);
    const permissions = await stand.app.deps.gate.permissionsOf({
      userId: stand.ana.id,
      actor: { id: 'key', name: null, clientId: null, limits: [] },
    });
    return permissions.ofRequest(bank, bank.tools, [method]);
  };

  it.each<[string, Rule[], string, string]>([
    ['is asked about as the tool that it could replace', [ask('bank_close')], 'DELETE', 'ask'],
    ['is blocked as the tool of its method', [rule('block', { tool: 'bank_purge' })], 'POST', 'block'],
    ['is blocked as a tool that names no request', [rule('block', { tool: 'bank_wipe' })], 'PUT', 'block'],
    ['that only reads is no way to change something', [rule('block', { tool: 'bank_wipe' })], 'GET', 'allow'],
    [
      'takes the strictest of the tools',
      [ask('bank_pay'), rule('block', { tool: 'bank_purge' })],
      'POST',
      'block',
    ],
    [
      'is not freed by a rule that allows the tool',
      [rule('block'), rule('allow', { tool: 'bank_close' })],
      'DELETE',
      'block',
    ],
    ['in lower case may destroy', [rule('ask', { access: 'destroy' })], 'delete', 'ask'],
    ['in lower case may be any tool', [rule('block', { tool: 'bank_pay' })], 'post', 'block'],
    ['in lower case may read', [rule('block', { access: 'read' })], 'get', 'block'],
    ['of an unknown method may destroy', [rule('block', { access: 'destroy' })], 'PURGE', 'block'],
    ['of an unknown method may be any tool', [ask('bank_get')], 'SEARCH', 'ask'],
    ['that asks for options reads', [rule('block', { access: 'read' })], 'OPTIONS', 'block'],
  ])('%s', async (_name, rules, method, decision) => {
    expect((await verdictOf(rules, method)).decision).toBe(decision);
  });
});
