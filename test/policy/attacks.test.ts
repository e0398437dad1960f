// Attacks on approvals: who uses them, how often and when. The other attacks of the table are in the files beside this one.
// decision: 038
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';

const HOUR = 3_600;
const ARGS = { amount: 5 };
const DONE = { result: { done: 'ledger_post' } };
const REQUIRED = { error: 'APPROVAL_REQUIRED', integration: 'ledger' };

let stand: PolicyStand;
beforeEach(async () => {
  stand = await openPolicyStand({ rules: [ask('ledger_post'), ask('ledger_fail')] });
});
afterEach(() => stand.close());

const post = (headers = stand.key) => stand.run(headers, 'ledger_post', ARGS);
const askAbout = (headers = stand.key) => stand.ask(headers, 'ledger_post', ARGS);
const stateOf = async (id: string) => (await stand.row(id)).state;

describe('another caller', () => {
  it('of the same person does not use the yes of a key, whatever key or token it has', async () => {
    const robot = await stand.mintKey();
    const others = [
      stand.key,
      (await stand.mintKey()).headers,
      stand.token('mcp'),
      stand.token('mcp', 'client-2'),
      stand.ana.sessionHeader,
    ];
    const id = await askAbout(robot.headers);
    await stand.approve(id);
    const asked = new Set([id]);
    for (const headers of others) asked.add(await askAbout(headers));
    expect(asked.size).toBe(others.length + 1);
    expect(stand.ran).toEqual([]);
    expect(await post(robot.headers)).toEqual(DONE);
  });

  it('of another person does not use the yes, and does not find the question', async () => {
    const bea = await stand.app.user('bea@example.com');
    await stand.putRules([ask('ledger_post')], bea.id);
    const id = await askAbout();
    await stand.approve(id);
    expect(await askAbout(bea.keyHeader)).not.toBe(id);
    expect((await stand.send(bea.sessionHeader, 'GET', `/api/approvals/${id}`)).status).toBe(404);
    expect(stand.ran).toEqual([]);
  });

  it('with a new key of the same name does not inherit the yes of a deleted key', async () => {
    const robot = await stand.mintKey();
    const id = await askAbout(robot.headers);
    await stand.approve(id);
    await stand.app.deps.agentKeys.remove(stand.ana.id, robot.id);
    expect(await stateOf(id)).toBe('expired');
    expect(await askAbout((await stand.mintKey()).headers)).not.toBe(id);
    expect(
      (await stand.app.request('/mcp', { method: 'POST', headers: robot.headers, body: '{}' })).status,
    ).toBe(401);
    expect(stand.ran).toEqual([]);
  });

  it('with a renewed token of the same client is the same caller', async () => {
    const id = await askAbout(stand.token('mcp'));
    stand.app.clock.advance(60);
    expect(await askAbout(stand.token('mcp'))).toBe(id);
  });
});

describe('a replay', () => {
  it('of an approved call that has run is asked about again', async () => {
    const id = await askAbout();
    await stand.approve(id);
    expect(await post()).toEqual(DONE);
    const again = await post();
    expect(again).toMatchObject({ ...REQUIRED, message: expect.stringContaining('already run once') });
    expect(again.approval.id).not.toBe(id);
    expect(stand.ran).toHaveLength(1);
  });

  it('of an approved call that has failed is asked about again', async () => {
    const id = await stand.ask(stand.key, 'ledger_fail');
    await stand.approve(id);
    expect(await stand.run(stand.key, 'ledger_fail')).toMatchObject({ error: 'the ledger is closed' });
    expect(await stateOf(id)).toBe('failed');
    expect(await stand.run(stand.key, 'ledger_fail')).toMatchObject({
      error: 'APPROVAL_REQUIRED',
      message: expect.stringContaining('and failed'),
    });
    expect(stand.ran).toHaveLength(1);
  });

  it('of a decision changes nothing', async () => {
    const id = await askAbout();
    await stand.approve(id);
    expect(await stand.decide(id, { decision: 'approve' })).toBe(409);
    await post();
    expect(await stand.decide(id, { decision: 'approve' })).toBe(409);
    expect(await post()).toMatchObject(REQUIRED);
    expect(stand.ran).toHaveLength(1);
  });

  it('within the hour of a yes for an hour runs, and after it does not', async () => {
    const id = await askAbout();
    await stand.approve(id, 'hour');
    expect([await post(), await post()]).toEqual([DONE, DONE]);
    stand.app.clock.advance(HOUR);
    expect(await post()).toMatchObject(REQUIRED);
    expect(stand.ran).toHaveLength(2);
  });
});

describe('a batch', () => {
  it('does not hide a call that has to be asked about among others', async () => {
    const read = { tool: 'ledger_read', args: {} };
    const hidden = { tool: 'ledger_post', args: ARGS };
    const results = await stand.batch(stand.key, [read, read, read, hidden, read, read, read, read]);
    expect(results.map((result) => 'result' in result).indexOf(false)).toBe(3);
    expect(results[3]).toMatchObject(REQUIRED);
    expect(stand.ran.map(({ tool }) => tool)).toEqual(Array(7).fill('ledger_read'));
  });

  it('of eight equal calls asks one question, and runs one of them after one yes', async () => {
    const eight = Array.from({ length: 8 }, () => ({ tool: 'ledger_post', args: ARGS }));
    const asked = await stand.batch(stand.key, eight);
    const ids = new Set(asked.map(({ approval }) => approval.id));
    expect(ids.size).toBe(1);
    await stand.approve([...ids][0]);
    const results = await stand.batch(stand.key, eight);
    expect(results.filter((result) => 'result' in result)).toEqual([DONE]);
    expect(results.filter(({ error }) => error === 'APPROVAL_REQUIRED')).toHaveLength(7);
    expect(stand.ran).toHaveLength(1);
  });

  it('of calls that differ by one argument runs only the approved one', async () => {
    const each = (amount: number) => ({ tool: 'ledger_post', args: { amount } });
    const batch = [1, 2, 3, 4, 5, 6, 7, 8].map(each);
    const asked = await stand.batch(stand.key, batch);
    expect(new Set(asked.map(({ approval }) => approval.id)).size).toBe(8);
    await stand.approve(asked[4].approval.id);
    const results = await stand.batch(stand.key, batch);
    expect(results.filter((result) => 'result' in result)).toEqual([results[4]]);
    expect(stand.ran).toEqual([{ tool: 'ledger_post', args: { amount: 5, to: 'main' } }]);
  });
});

describe('time', () => {
  it('ends a question: a late yes does not count, and the call is asked about anew', async () => {
    const id = await askAbout();
    stand.app.clock.advance(HOUR);
    expect(await stand.decide(id, { decision: 'approve' })).toBe(409);
    expect(await stateOf(id)).toBe('expired');
    expect(await askAbout()).not.toBe(id);
    expect(stand.ran).toEqual([]);
  });

  it('ends a yes that was not used', async () => {
    const id = await askAbout();
    await stand.approve(id);
    stand.app.clock.advance(HOUR);
    expect(await post()).toMatchObject(REQUIRED);
    expect(await stateOf(id)).toBe('expired');
    expect(stand.ran).toEqual([]);
  });

  it('ends a no, and the call is asked about again instead of running', async () => {
    const id = await askAbout();
    expect(await stand.decide(id, { decision: 'deny', reason: 'not today' })).toBe(200);
    expect(await post()).toMatchObject({ error: 'DENIED', message: expect.stringContaining('not today') });
    stand.app.clock.advance(HOUR);
    expect(await askAbout()).not.toBe(id);
    expect(stand.ran).toEqual([]);
  });
});

describe('a policy that changes in between', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['rules of the person', () => stand.putRules([ask('ledger_post'), rule('block', { tool: 'other' })])],
    ['same rules, stored again', () => stand.putRules([ask('ledger_post'), ask('ledger_fail')])],
    ['rules of everyone', () => stand.putEveryone([rule('allow')])],
  ])('voids the question and the yes: %s', async (_name, change) => {
    const open = await stand.ask(stand.key, 'ledger_post', { amount: 1 });
    const approved = await askAbout();
    await stand.approve(approved);
    await change();
    expect([await stateOf(open), await stateOf(approved)]).toEqual(['expired', 'expired']);
    expect(await stand.decide(open, { decision: 'approve' })).toBe(409);
    expect(await askAbout()).not.toBe(approved);
    expect(stand.ran).toEqual([]);
  });

  it('voids the yes of a client whose limits change, and of no other caller', async () => {
    const client = await askAbout(stand.token('mcp'));
    const own = await askAbout();
    for (const id of [client, own]) await stand.approve(id);
    await stand.putGrant({ perMinute: 100 });
    expect([await stateOf(client), await stateOf(own)]).toEqual(['expired', 'approved']);
    expect(await askAbout(stand.token('mcp'))).not.toBe(client);
    expect(await post()).toEqual(DONE);
  });

  it('blocks an approved call that a new rule blocks', async () => {
    await stand.approve(await askAbout(), 'hour');
    await stand.putEveryone([rule('block', { access: 'write' })]);
    expect(await post()).toMatchObject({ error: 'BLOCKED' });
    expect(stand.ran).toEqual([]);
  });

  it('does not bring an old yes back when the old rules come back', async () => {
    const rules = [ask('ledger_post')];
    await stand.approve(await askAbout(), 'hour');
    await stand.putRules([]);
    await stand.putRules(rules);
    expect(await post()).toMatchObject(REQUIRED);
    expect(stand.ran).toEqual([]);
  });
});
