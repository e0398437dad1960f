// Tests the routes of rules: of a person, and of everyone. reference: Rules
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RULES_PER_LIST } from '../../src/kit/shape-limits.ts';
import { EVERYONE } from '../../src/ports/store.ts';
import { startChangingServer, tool } from '../support/changing-server.ts';
import { askToShout, type Headers, makeKey, run, send, setRules, tokenHeader } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const OWN = '/api/policy';
const FOR_EVERYONE = '/api/admin/policy';

let app: TestApp;
let owner: TestUser;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp();
  // Without a sign-in provider the owner is the administrator.
  owner = await app.user('owner@localhost');
  ana = await app.user();
});
afterEach(() => app.close());

const put = (rules: unknown, path = OWN, user = ana) => send(app, user.sessionHeader, 'PUT', path, { rules });
const get = (path = OWN, user = ana) => send(app, user.sessionHeader, 'GET', path);
const shout = (headers: Headers = ana.keyHeader) => run(app, headers, 'shout', { text: 'a' });
const revisionOf = async (who: 'own' | 'everyone') =>
  (await app.deps.store.policies.read(ana.id, null))[who]?.revision;

describe('the rules of a person', () => {
  it('are empty at first, and are what was stored last', async () => {
    expect(await get()).toEqual({ status: 200, cacheControl: 'no-store', body: { rules: [] } });
    const rules = [
      { access: 'destroy', decision: 'ask' },
      { integration: 'slack', tool: 'slack_post_message', access: 'write', decision: 'block' },
      { tool: 'not_yet_there', integration: 'nor_this', decision: 'allow' },
    ];
    expect(await put(rules)).toEqual({ status: 200, cacheControl: 'no-store', body: { rules } });
    expect((await get()).body).toEqual({ rules });
    expect((await put([])).body).toEqual({ rules: [] });
    expect((await get()).body).toEqual({ rules: [] });
  });

  it('hold for the next call of every caller of the person, and for nobody else', async () => {
    const { header } = await makeKey(app, ana);
    const callers = [ana.keyHeader, ana.sessionHeader, header, tokenHeader(app, ana)];
    const outcomes = () => Promise.all(callers.map((headers) => shout(headers)));
    await put([{ tool: 'shout', decision: 'block' }]);
    for (const outcome of await outcomes()) expect(outcome.error).toBe('BLOCKED');
    expect(await shout(owner.keyHeader)).toEqual({ result: 'A' });
    await put([]);
    expect(await outcomes()).toEqual(callers.map(() => ({ result: 'A' })));
  });

  it('change nothing when they are the same, and end what was approved when they are others', async () => {
    const rules = [{ decision: 'ask', tool: 'shout' }];
    await put(rules);
    const revision = await revisionOf('own');
    const id = await askToShout(app, ana.keyHeader, 'a');
    const approval = `/api/approvals/${id}`;
    await send(app, ana.sessionHeader, 'POST', approval, { decision: 'approve', for: 'hour' });
    await put([{ tool: 'shout', decision: 'ask' }]);
    expect(await revisionOf('own')).toBe(revision);
    expect(await shout()).toEqual({ result: 'A' });

    await put([...rules, { access: 'destroy', decision: 'block' }]);
    expect(await revisionOf('own')).not.toBe(revision);
    expect((await send(app, ana.sessionHeader, 'GET', approval)).body).toMatchObject({
      state: 'expired',
      args: null,
    });
    expect((await shout()).error).toBe('APPROVAL_REQUIRED');
  });

  it('are shown beside the rules for everyone, which hold as well', async () => {
    const everyone = [{ access: 'destroy', decision: 'ask' }];
    await put(everyone, FOR_EVERYONE, owner);
    expect((await get()).body).toEqual({ rules: [], everyone });
    const rules = [{ tool: 'shout', decision: 'block' }];
    expect((await put(rules)).body).toEqual({ rules });
    expect((await get()).body).toEqual({ rules, everyone });
    await put([], FOR_EVERYONE, owner);
    expect((await get()).body).toEqual({ rules });
  });

  it('are not stored before the first rule', async () => {
    await put([]);
    expect(await revisionOf('own')).toBeUndefined();
  });

  it('may be many with long names', async () => {
    const name = (index: number) => `${'a'.repeat(60)}_${String(index).padStart(3, '0')}`;
    const rules = Array.from({ length: RULES_PER_LIST }, (_, index) => ({
      integration: name(index),
      tool: name(index),
      access: 'destroy',
      decision: 'block',
    }));
    expect((await put(rules)).body).toEqual({ rules });
    const tooMany = await put([...rules, { decision: 'ask' }]);
    expect([tooMany.status, tooMany.body.error]).toEqual([400, expect.stringContaining('rules')]);
    expect((await get()).body).toEqual({ rules });
  });

  it('are not stored for a person who is gone', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const session = await app.deps.sessions.issue({ id, email: 'gone@example.com' });
    const gone = { authorization: `Bearer ${session}` };
    expect((await send(app, gone, 'PUT', OWN, { rules: [{ decision: 'ask' }] })).status).toBe(404);
    expect((await send(app, gone, 'GET', FOR_EVERYONE)).status).toBe(404);
  });
});

describe('a list of rules', () => {
  it.each<[string, unknown, RegExp]>([
    ['that is missing', undefined, /rules/],
    ['that is no list', {}, /rules/],
    ['with a rule without a decision', [{ tool: 'shout' }], /rules\.0\.decision/],
    ['with an unknown decision', [{ decision: 'maybe' }], /rules\.0\.decision/],
    ['with an unknown access', [{ access: 'admin', decision: 'ask' }], /rules\.0\.access/],
    ['with an unknown member', [{ decision: 'ask', args: {} }], /rules\.0.*args/],
    ['with a name in capitals', [{ decision: 'ask' }, { tool: 'Shout', decision: 'ask' }], /rules\.1\.tool/],
    ['with null as a tool', [{ tool: null, decision: 'ask' }], /rules\.0\.tool/],
    [
      'with a tool of another integration',
      [{ decision: 'ask' }, { tool: 'shout', integration: 'time', decision: 'ask' }],
      /rules\.1: the tool shout belongs to echo, not to time/,
    ],
  ])('%s is refused and changes nothing', async (_kind, rules, message) => {
    await put([{ tool: 'shout', decision: 'block' }]);
    for (const [path, user] of [
      [OWN, ana],
      [FOR_EVERYONE, owner],
    ] as const)
      expect(await put(rules, path, user)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(message) },
      });
    expect((await get()).body.rules).toHaveLength(1);
    expect((await get(FOR_EVERYONE, owner)).body.rules).toEqual([]);
  });

  it('may name a tool with its own integration, without its prefix in front', async () => {
    expect((await put([{ tool: 'shout', integration: 'echo', decision: 'ask' }])).status).toBe(200);
  });

  it('is judged for everyone without the imports of the administrator', async () => {
    const server = await startChangingServer([tool('get')]);
    const form = { address: server.address, name: 'acme' };
    expect((await send(app, owner.sessionHeader, 'POST', '/api/imports', form)).status).toBe(201);
    const rules = [{ tool: 'acme_get', integration: 'echo', decision: 'block' }];
    expect((await put(rules, OWN, owner)).status).toBe(400);
    expect((await put(rules, FOR_EVERYONE, owner)).status).toBe(200);
    expect((await put(rules)).status).toBe(200);
    await app.deps.mcp.close();
    await server.close();
  });
});

describe('the rules for everyone', () => {
  it('are seen and set by administrators only', async () => {
    const refused = { status: 403, body: { error: expect.stringContaining('administrator') } };
    expect(await get(FOR_EVERYONE)).toMatchObject(refused);
    expect(await put([{ decision: 'block' }], FOR_EVERYONE)).toMatchObject(refused);
    expect(await shout()).toEqual({ result: 'A' });
    expect((await get(FOR_EVERYONE, owner)).body).toEqual({ rules: [] });
  });

  it('hold for every person, and the strictest list wins', async () => {
    await put([{ tool: 'shout', decision: 'ask' }], FOR_EVERYONE, owner);
    await setRules(app, ana, [{ tool: 'shout', decision: 'allow' }]);
    await setRules(app, owner, [{ tool: 'shout', decision: 'block' }]);
    expect((await shout()).error).toBe('APPROVAL_REQUIRED');
    expect((await shout(owner.keyHeader)).error).toBe('BLOCKED');
    expect((await get()).body.rules).toEqual([{ tool: 'shout', decision: 'allow' }]);
  });

  it('end the approvals of all people when they change, and of nobody when they stay', async () => {
    const rules = [{ tool: 'shout', decision: 'ask' }];
    await put(rules, FOR_EVERYONE, owner);
    const revision = await revisionOf('everyone');
    const ids = [await askToShout(app, ana.keyHeader, 'a'), await askToShout(app, owner.keyHeader, 'a')];
    const states = async () => [
      (await send(app, ana.sessionHeader, 'GET', `/api/approvals/${ids[0]}`)).body.state,
      (await send(app, owner.sessionHeader, 'GET', `/api/approvals/${ids[1]}`)).body.state,
    ];
    await put(rules, FOR_EVERYONE, owner);
    expect([await revisionOf('everyone'), await states()]).toEqual([revision, ['pending', 'pending']]);
    await put([], FOR_EVERYONE, owner);
    expect(await states()).toEqual(['expired', 'expired']);
    expect(await shout()).toEqual({ result: 'A' });
  });

  it('leave a line in the log when they change, without the rules', async () => {
    const lines = () => app.lines.filter(({ event }) => event === 'the rules for everyone were changed');
    const rules = [{ tool: 'shout', decision: 'block' }];
    await put(rules, FOR_EVERYONE, owner);
    await put(rules, FOR_EVERYONE, owner);
    await put(rules);
    expect(lines()).toEqual([
      { level: 'info', event: 'the rules for everyone were changed', user: owner.id, rules: 1 },
    ]);
    expect((await app.deps.store.policies.read(EVERYONE, null)).everyone?.rules).toBe(JSON.stringify(rules));
  });
});
