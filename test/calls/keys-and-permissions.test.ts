// Calls with a key beside approvals, rules and ended access. reference: Keys of executions; Approvals
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/kit/actor.ts';
import { openRepeatStand, type RepeatStand } from '../support/repeat-stand.ts';

const RESULT = { id: 'ch_1', lines: [1, 2] };
let stand: RepeatStand;
beforeEach(async () => {
  stand = await openRepeatStand();
});
afterEach(() => stand.close());

const rows = () => stand.app.deps.store.executionKeys.list(stand.ana.id, 0, null, 100);

async function decide(decision: Rule['decision'] | null): Promise<void> {
  const { random, store } = stand.app.deps;
  const rules: Rule[] = decision === null ? [] : [{ tool: 'shop_pay', decision }];
  const record = {
    owner: stand.ana.id,
    rules: JSON.stringify(rules),
    revision: random.uuid(),
    updated_at: 1,
  };
  await store.policies.putRules(record);
}

async function answerQuestion(body: object): Promise<void> {
  const { item } = await stand.send('MCP');
  expect(item.error).toBe('APPROVAL_REQUIRED');
  const response = await stand.app.request(`/api/approvals/${item.approval.id}`, {
    method: 'POST',
    headers: { ...stand.ana.sessionHeader, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
}

describe('a call with a key that needs an approval', () => {
  beforeEach(() => decide('ask'));

  it('asks each time without using up the key', async () => {
    const first = await stand.send('MCP');
    const second = await stand.send('REST');
    expect([first.item.error, second.item.error]).toEqual(['APPROVAL_REQUIRED', 'APPROVAL_REQUIRED']);
    expect(second.item.approval.id).toBe(first.item.approval.id);
    expect(await rows()).toEqual([]);
    expect((await stand.send('MCP', { args: { amount: 2 } })).item.error).toBe('APPROVAL_REQUIRED');
  });

  it.each(['once', 'hour'])(
    'runs once after a yes for %s, and asks nobody for its repeats',
    async (covers) => {
      await answerQuestion({ decision: 'approve', for: covers });
      const answers = await Promise.all(Array.from({ length: 20 }, () => stand.send('MCP')));
      expect(stand.seen).toHaveLength(1);
      const errors = answers.map(({ item }) => item.error ?? 'none');
      expect(new Set(errors).difference(new Set(['none', 'IN_PROGRESS']))).toEqual(new Set());
      expect((await stand.send('MCP')).item).toEqual({ result: RESULT, replayed: true });
      expect(await stand.app.deps.store.approvals.list({ user_id: stand.ana.id, limit: 9 })).toHaveLength(1);
    },
  );

  it('keeps no key after a no', async () => {
    await answerQuestion({ decision: 'deny' });
    expect((await stand.send('MCP')).item.error).toBe('DENIED');
    expect(await rows()).toEqual([]);
  });

  it('does not know the outcome when the approved call is cut off, and asks nobody again', async () => {
    await answerQuestion({ decision: 'approve' });
    stand.answer(({ socket }) => socket.destroy());
    await stand.send('MCP');
    expect((await stand.send('MCP')).item.error).toBe('UNKNOWN_OUTCOME');
    expect(stand.seen).toHaveLength(1);
  });

  it('does not send anything when another call has taken its key meanwhile', async () => {
    await answerQuestion({ decision: 'approve' });
    const { executionKeys } = stand.app.deps.store;
    const { move } = executionKeys;
    executionKeys.move = async () => false;
    expect((await stand.send('MCP')).item.error).toContain('Nothing was sent');
    executionKeys.move = move;
    expect(stand.seen).toHaveLength(0);
  });
});

describe('a repeat', () => {
  beforeEach(() => stand.send('MCP'));

  it('gives nothing while a rule blocks the tool, and the answer again afterwards', async () => {
    await decide('block');
    for (const door of ['MCP', 'REST'] as const)
      expect((await stand.send(door)).item).toMatchObject({ error: 'BLOCKED' });
    await decide(null);
    expect((await stand.send('MCP')).item).toEqual({ result: RESULT, replayed: true });
  });

  it('asks nobody although a rule asks for the tool now', async () => {
    await decide('ask');
    expect((await stand.send('MCP')).item).toEqual({ result: RESULT, replayed: true });
  });

  it('gives nothing to a key that is deleted, and nothing to another key of the person', async () => {
    const { agentKeys, store } = stand.app.deps;
    const [one, other] = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const minted = await agentKeys.mint(stand.ana.id, { name, limits: {}, expiresAt: null });
        return { id: minted?.record.id ?? '', headers: { 'x-service-api-key': minted?.key ?? '' } };
      }),
    );
    expect((await stand.send('MCP', one)).item).toEqual({ result: RESULT });
    expect((await stand.send('MCP', other)).item).toEqual({ result: RESULT });
    await store.agentKeys.delete(stand.ana.id, one?.id ?? '');
    expect((await stand.send('REST', one)).status).toBe(401);
    expect((await stand.send('MCP', other)).item).toEqual({ result: RESULT, replayed: true });
  });
});

it('does not know what came of a call whose person lost their access while it wrote', async () => {
  stand.hold();
  const first = stand.send('MCP');
  await stand.atServer(1);
  const { digest, runningWork } = stand.app.deps;
  runningWork.stop(stand.ana.id, { person: digest.sha256(stand.ana.id), before: stand.clock.now() });
  await first.catch(() => {});
  await stand.clock.pass(1_000);
  expect((await rows()).map(({ state }) => state)).toEqual(['unknown']);
});
