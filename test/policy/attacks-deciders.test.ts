// Attacks on the decision itself. Only the person decides, in the portal, and only once. decision: 038
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, type Headers, openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';

let stand: PolicyStand;
beforeEach(async () => {
  stand = await openPolicyStand({ rules: [ask('ledger_post')] });
});
afterEach(() => stand.close());

const ARGS = { amount: 5 };
const stateOf = async (id: string) => (await stand.row(id)).state;

const CREDENTIALS: [string, number, () => Promise<Headers>][] = [
  ['the personal key', 403, async () => stand.key],
  ['a named key', 403, async () => (await stand.mintKey()).headers],
  ['an access token', 401, async () => stand.token('mcp')],
  ['no credential', 401, async () => ({})],
];

describe.each(CREDENTIALS)('%s', (name, status, headersOf) => {
  it('does not approve or deny a call', async () => {
    const headers = await headersOf();
    const id = await stand.ask(stand.key, 'ledger_post', ARGS);
    for (const decision of ['approve', 'deny'] as const) {
      expect(await stand.decide(id, { decision }, headers)).toBe(status);
      const many = await stand.send(headers, 'POST', '/api/approvals', { ids: [id], decision });
      expect(many.status).toBe(status);
    }
    expect(await stateOf(id)).toBe('pending');
    expect(await stand.run(stand.key, 'ledger_post', ARGS)).toMatchObject({ error: 'APPROVAL_REQUIRED' });
    expect(stand.ran).toEqual([]);
  });

  it('does not change what is asked about', async () => {
    const headers = await headersOf();
    const own = await stand.send(headers, 'PUT', '/api/policy', { rules: [] });
    const all = await stand.send(headers, 'PUT', '/api/admin/policy', { rules: [] });
    const key = await stand.send(headers, 'POST', '/api/agent-keys', { name: 'mine' });
    expect([own, all, key].map((answer) => answer.status)).toEqual([status, status, status]);
    await stand.ask(stand.key, 'ledger_post', ARGS);
    expect(await stand.app.deps.agentKeys.list(stand.ana.id)).toHaveLength(name === 'a named key' ? 1 : 0);
  });
});

describe('the session of another person', () => {
  it('does not decide, and does not learn that the question exists', async () => {
    const bea = await stand.app.user('bea@example.com');
    const id = await stand.ask(stand.key, 'ledger_post', ARGS);
    expect(await stand.decide(id, { decision: 'approve' }, bea.sessionHeader)).toBe(404);
    expect(await stand.decide(stand.app.deps.random.uuid(), { decision: 'approve' }, bea.sessionHeader)).toBe(
      404,
    );
    const many = await stand.send(bea.sessionHeader, 'POST', '/api/approvals', {
      ids: [id],
      decision: 'approve',
    });
    expect(many.body.results).toEqual([{ id, error: expect.any(String) }]);
    expect(await stateOf(id)).toBe('pending');
  });
});

describe('a race of approve and deny', () => {
  it('has one winner, and the call follows it', async () => {
    for (let round = 0; round < 10; round++) {
      const args = { amount: round };
      const id = await stand.ask(stand.key, 'ledger_post', args);
      const before = stand.ran.length;
      const decisions = (['approve', 'deny', 'approve', 'deny'] as const).map((decision) =>
        stand.send(stand.ana.sessionHeader, 'POST', `/api/approvals/${id}`, { decision }),
      );
      const answers = await Promise.all([...decisions, stand.run(stand.key, 'ledger_post', args)]);
      const statuses = answers.slice(0, 4).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409)).toHaveLength(3);
      const state = await stateOf(id);
      expect(['approved', 'denied', 'done']).toContain(state);
      await stand.run(stand.key, 'ledger_post', args);
      expect(stand.ran.length - before).toBe(state === 'denied' ? 0 : 1);
    }
  });

  it('does not let a no arrive after the call has begun, nor a yes revive a no', async () => {
    const id = await stand.ask(stand.key, 'ledger_post', ARGS);
    expect(await stand.decide(id, { decision: 'deny' })).toBe(200);
    expect(await stand.decide(id, { decision: 'approve' })).toBe(409);
    expect(await stand.run(stand.key, 'ledger_post', ARGS)).toMatchObject({ error: 'DENIED' });
    expect(stand.ran).toEqual([]);
  });

  it('leaves one of many parallel repeats to run', async () => {
    const id = await stand.ask(stand.key, 'ledger_post', ARGS);
    await stand.approve(id);
    const repeats = await Promise.all(
      Array.from({ length: 30 }, () => stand.run(stand.key, 'ledger_post', ARGS)),
    );
    expect(repeats.filter((answer) => 'result' in answer)).toHaveLength(1);
    expect(stand.ran).toHaveLength(1);
  });
});

describe('rules that change while a call is under way', () => {
  it('leave no yes behind for the call that asked under the old rules', async () => {
    const id = await stand.ask(stand.key, 'ledger_post', ARGS);
    await stand.approve(id);
    const [answer] = await Promise.all([
      stand.run(stand.key, 'ledger_post', ARGS),
      stand.putRules([rule('block')]),
    ]);
    expect(['APPROVAL_REQUIRED', 'BLOCKED', undefined]).toContain(answer.error);
    expect(await stand.run(stand.key, 'ledger_post', ARGS)).toMatchObject({ error: 'BLOCKED' });
    expect(stand.ran.length).toBe(answer.error === undefined ? 1 : 0);
  });
});
