// Tests calls that wait for a person as tasks: the gateway runs them after the yes, exactly once. reference: Tasks
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../support/mcp.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { ask, openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';
import { createTaskClient, resultsIn, type TaskClient } from '../support/task-client.ts';

let clock: ManualClock;
let stand: PolicyStand;
let client: TaskClient;
beforeEach(async () => {
  clock = createManualClock();
  stand = await openPolicyStand({
    rules: [ask('ledger_post'), ask('ledger_erase'), ask('ledger_fail')],
    ports: { clock },
    env: { CALL_DETAILS: 'off' },
  });
  client = createTaskClient(stand.app, stand.key);
});
afterEach(() => stand.close());

const POST = { tool: 'ledger_post', args: { amount: 5 } };
const READ = { tool: 'ledger_read', args: {} };
const DONE = { result: { done: 'ledger_post' } };

const approvals = () => stand.app.deps.store.approvals.list({ user_id: stand.ana.id, limit: 100 });

/** Sends a batch that waits for one question. */
async function begin(executions: readonly object[] = [POST]) {
  const { taskId } = await client.begin(executions);
  const [row] = await approvals();
  if (row === undefined) throw new Error('nothing was asked');
  return { taskId, approval: row.id };
}

describe('a call that waits for a person', () => {
  it('is a task that says who has to do what, where, and when to look', async () => {
    const task = await client.begin([POST]);
    const [row] = await approvals();
    const shown = {
      taskId: expect.stringMatching(/^v1\.[\w.-]+$/),
      status: 'working',
      statusMessage: `A person has to approve ledger_post: ${stand.app.deps.config.PORTAL_URL}/approvals/${row?.id}`,
      createdAt: '2027-01-15T08:00:00.000Z',
      lastUpdatedAt: '2027-01-15T08:00:00.000Z',
      ttlMs: 7_200_000,
      pollIntervalMs: 2_000,
    };
    expect(task).toMatchObject({ resultType: 'task', ...shown });
    expect(await client.get(task.taskId)).toMatchObject({
      resultType: 'complete',
      ...shown,
      taskId: task.taskId,
    });
    expect(stand.ran).toEqual([]);
  });

  it('runs once under its key, and answers a repeat with that key', async () => {
    const keyed = { ...POST, key: 'rent-may' };
    const { taskId, approval } = await begin([keyed]);
    await stand.approve(approval);
    const task = await client.settle(taskId);
    expect(resultsIn(task)).toEqual([DONE]);
    const repeat = await call(stand.app, stand.key, 'execute_tools', { executions: [keyed] });
    expect(repeat).toEqual({ results: [{ ...DONE, replayed: true }] });
    expect(stand.ran).toHaveLength(1);
  });

  it('runs by itself when the person says yes, and completes with what the call answers', async () => {
    const { taskId, approval } = await begin();
    await stand.approve(approval);
    const task = await client.settle(taskId);
    expect(task.result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] });
    expect(resultsIn(task)).toEqual([DONE]);
    expect(stand.ran).toEqual([{ tool: 'ledger_post', args: { amount: 5, to: 'main' } }]);
    expect((await stand.row(approval)).state).toBe('done');
    expect(resultsIn(await client.get(taskId))).toEqual([DONE]);
  });

  it('runs although no client ever looks', async () => {
    const { approval } = await begin();
    await stand.approve(approval);
    await stand.app.deps.executions.none();
    expect(stand.ran).toHaveLength(1);
  });

  it('writes the row of the call with its caller and its approval', async () => {
    const { taskId, approval } = await begin();
    await stand.approve(approval);
    await client.settle(taskId);
    await stand.app.deps.audit.flush();
    const rows = await stand.app.deps.store.audit.list({ user_id: stand.ana.id, limit: 10 });
    expect(rows.toReversed()).toMatchObject([
      { action: 'EXECUTE', outcome: 'asked', approval, actor: 'key' },
      { action: 'DECIDE', outcome: 'approved', approval, actor: 'session' },
      { action: 'EXECUTE', outcome: 'ok', approval, actor: 'key', tool: 'ledger_post' },
    ]);
  });

  it('completes with DENIED and the words of the person when they say no', async () => {
    const { taskId, approval } = await begin();
    await stand.decide(approval, { decision: 'deny', reason: 'wrong account' });
    const task = await client.settle(taskId);
    expect(resultsIn(task)).toEqual([
      { error: 'DENIED', integration: 'ledger', message: expect.stringContaining('wrong account') },
    ]);
    expect(task.result?.isError).toBe(true);
    expect(stand.ran).toEqual([]);
  });

  it('completes with the error of a call that fails', async () => {
    const { taskId, approval } = await begin([{ tool: 'ledger_fail', args: {} }]);
    await stand.approve(approval);
    expect(await client.resultsOf(taskId)).toEqual([
      { error: 'the ledger is closed', integration: 'ledger' },
    ]);
    expect((await stand.row(approval)).state).toBe('failed');
  });

  it('completes without having run when nobody answers in time', async () => {
    const { taskId, approval } = await begin();
    await clock.pass(3_600_000);
    expect(await client.resultsOf(taskId)).toEqual([
      {
        error: 'APPROVAL_REQUIRED',
        integration: 'ledger',
        message: expect.stringContaining('Send the call again'),
      },
    ]);
    expect(await stand.decide(approval, { decision: 'approve' })).toBe(409);
    expect(stand.ran).toEqual([]);
  });

  it('keeps select and maxChars of the call', async () => {
    const { taskId, approval } = await begin([{ ...POST, select: 'done' }]);
    await stand.approve(approval);
    expect(await client.resultsOf(taskId)).toEqual([{ result: 'ledger_post' }]);
  });

  it('is the same task when the same request comes again before the yes', async () => {
    const { taskId, approval } = await begin();
    const again = await begin();
    expect(again.approval).toBe(approval);
    await stand.approve(approval);
    expect(await client.resultsOf(taskId)).toEqual([DONE]);
    expect(await client.resultsOf(again.taskId)).toEqual([DONE]);
    expect(stand.ran).toHaveLength(1);
    expect(await stand.app.deps.store.tasks.list(stand.ana.id, 10)).toHaveLength(1);
  });

  it('is asked about anew when it comes again after it has run, and says so', async () => {
    const { taskId, approval } = await begin();
    await stand.approve(approval);
    await client.settle(taskId);
    const repeat = await stand.run(stand.key, POST.tool, POST.args);
    expect(repeat).toMatchObject({
      error: 'APPROVAL_REQUIRED',
      message: expect.stringContaining('has already run once with an approval'),
    });
    expect(repeat.approval.id).not.toBe(approval);
    expect(stand.ran).toHaveLength(1);
  });

  it('says so when an older client has used the yes before', async () => {
    stand.app.deps.store.tasks.ofApproval = async () => [];
    const { taskId, approval } = await begin();
    await stand.approve(approval);
    expect(await stand.run(stand.key, POST.tool, POST.args)).toEqual(DONE);
    expect(await client.resultsOf(taskId)).toEqual([
      {
        error: 'APPROVAL_REQUIRED',
        integration: 'ledger',
        message: expect.stringContaining('has run for another request already'),
      },
    ]);
    expect(stand.ran).toHaveLength(1);
  });

  it('uses a yes for an hour, and leaves it for the next call', async () => {
    const { taskId, approval } = await begin();
    await stand.approve(approval, 'hour');
    expect(await client.resultsOf(taskId)).toEqual([DONE]);
    expect(await stand.run(stand.key, POST.tool, POST.args)).toEqual(DONE);
    expect(stand.ran).toHaveLength(2);
  });

  it('answers as before to a client that does not declare the extension', async () => {
    const answer = await client.call('execute_tools', { executions: [POST] }, { capabilities: null });
    expect(answer.body.result).toMatchObject({ resultType: 'complete' });
    expect(await stand.app.deps.store.tasks.list(stand.ana.id, 10)).toEqual([]);
  });

  it.each([
    ['runs at once', [READ]],
    ['is blocked', [{ tool: 'ledger_nothing', args: {} }]],
  ])('is no task when it %s', async (_name, executions) => {
    const answer = await client.call('execute_tools', { executions });
    expect(answer.body.result).toMatchObject({ resultType: 'complete' });
  });
});

describe('a batch', () => {
  const ERASE = { tool: 'ledger_erase', args: { id: 'a' } };

  it('completes when all parts have ended, with the results in their order', async () => {
    const { taskId } = await client.begin([READ, POST, ERASE]);
    expect(stand.ran.map(({ tool }) => tool)).toEqual(['ledger_read']);
    const rows = await approvals();
    const idOf = (tool: string) => rows.find((row) => row.tool === tool)?.id ?? '';
    await stand.approve(idOf('ledger_erase'));
    await stand.app.deps.executions.none();
    expect(await client.get(taskId)).toMatchObject({
      status: 'working',
      statusMessage: expect.stringContaining('A person has to approve ledger_post'),
    });
    expect(stand.ran.map(({ tool }) => tool)).toEqual(['ledger_read', 'ledger_erase']);
    await stand.decide(idOf('ledger_post'), { decision: 'deny' });
    expect(await client.resultsOf(taskId)).toEqual([
      { result: { done: 'ledger_read' } },
      expect.objectContaining({ error: 'DENIED' }),
      { result: { done: 'ledger_erase' } },
    ]);
    expect(stand.ran).toHaveLength(2);
  });

  it('runs what is approved together each once', async () => {
    const { taskId } = await client.begin([POST, ERASE]);
    const ids = (await approvals()).map(({ id }) => id);
    expect(
      (await stand.send(stand.ana.sessionHeader, 'POST', '/api/approvals', { ids, decision: 'approve' }))
        .status,
    ).toBe(200);
    expect(await client.resultsOf(taskId)).toEqual([DONE, { result: { done: 'ledger_erase' } }]);
    expect(stand.ran).toHaveLength(2);
  });

  it('runs the same call twice in one batch only once, as one approval allows', async () => {
    const { taskId } = await client.begin([POST, POST]);
    const rows = await approvals();
    expect(rows).toHaveLength(1);
    await stand.approve(rows[0]?.id ?? '');
    const results = await client.resultsOf(taskId);
    expect(results.filter(({ error }) => error === undefined)).toEqual([DONE]);
    expect(stand.ran).toHaveLength(1);
  });
});

describe('what changes between the question and the run', () => {
  /** The person says yes, and nobody notices until `change` is over. */
  async function approveUnnoticed(change: () => Promise<unknown>) {
    const { tasks } = stand.app.deps.store;
    const { ofApproval } = tasks;
    tasks.ofApproval = async () => [];
    const { taskId, approval } = await begin();
    await stand.approve(approval);
    tasks.ofApproval = ofApproval;
    await change();
    return { taskId, approval };
  }

  it('runs nothing under a rule that blocks', async () => {
    const { taskId, approval } = await approveUnnoticed(() =>
      stand.putRules([rule('block', { tool: 'ledger_post' })]),
    );
    expect(await client.resultsOf(taskId)).toEqual([
      {
        error: 'APPROVAL_REQUIRED',
        integration: 'ledger',
        message: expect.stringContaining('ended before it ran'),
      },
    ]);
    expect((await stand.row(approval)).state).toBe('expired');
    expect(stand.ran).toEqual([]);
  });

  it('runs nothing under rules that no longer ask, because the question ended with the rules', async () => {
    const { taskId } = await approveUnnoticed(() => stand.putRules([]));
    expect(await client.resultsOf(taskId)).toMatchObject([{ error: 'APPROVAL_REQUIRED' }]);
    expect(stand.ran).toEqual([]);
  });

  it('runs nothing when the definition of the tool is another one', async () => {
    const { taskId, approval } = await approveUnnoticed(async () => {
      const found = stand.app.deps.registry.tool('ledger_post');
      Object.assign(found?.tool ?? {}, { description: 'Posts an entry, and mails it to everybody' });
    });
    expect(await client.resultsOf(taskId)).toEqual([
      {
        error: 'APPROVAL_REQUIRED',
        integration: 'ledger',
        message: expect.stringContaining('have changed since the person was asked'),
      },
    ]);
    expect((await stand.row(approval)).state).toBe('expired');
    expect(stand.ran).toEqual([]);
  });

  it('runs nothing once the personal key is gone', async () => {
    const { taskId } = await approveUnnoticed(() => stand.app.deps.apiKeys.remove(stand.ana.id));
    const [row] = await stand.app.deps.store.tasks.list(stand.ana.id, 1);
    if (row === undefined) throw new Error('there is no task');
    await stand.app.deps.runTasks.start(row);
    // The key that could look is gone too. A new one is the same caller.
    const apiKey = await stand.app.deps.apiKeys.mint(stand.ana.id);
    const to = { headers: { 'x-service-api-key': apiKey } };
    expect(await client.resultsOf(taskId, to)).toEqual([
      { error: 'ACCESS_ENDED', integration: 'ledger', message: expect.any(String) },
    ]);
    expect(stand.ran).toEqual([]);
  });

  it('runs nothing for a named key that is deleted', async () => {
    const robot = await stand.mintKey();
    const own = createTaskClient(stand.app, robot.headers);
    await own.begin([POST]);
    const [row] = await approvals();
    await stand.app.deps.agentKeys.remove(stand.ana.id, robot.id);
    expect(await stand.decide(row?.id ?? '', { decision: 'approve' })).toBe(409);
    await stand.app.deps.executions.none();
    await stand.app.deps.runTasks.takeUp();
    await stand.app.deps.executions.none();
    expect(stand.ran).toEqual([]);
  });

  it('runs nothing for a named key that has expired', async () => {
    const wanted = { name: 'robot', limits: {}, expiresAt: clock.now() + 100 };
    const minted = await stand.app.deps.agentKeys.mint(stand.ana.id, wanted);
    await createTaskClient(stand.app, { 'x-service-api-key': minted?.key ?? '' }).begin([POST]);
    const [row] = await approvals();
    await clock.pass(101_000);
    await stand.approve(row?.id ?? '');
    await stand.app.deps.executions.none();
    expect(stand.ran).toEqual([]);
    const [task] = await stand.app.deps.store.tasks.list(stand.ana.id, 1);
    expect(task?.state).toBe('ended');
  });

  it('runs nothing for a person who is disabled', async () => {
    const { approval } = await approveUnnoticed(async () => {
      await stand.app.deps.store.people.disable(stand.ana.id, {
        person: stand.app.deps.digest.sha256(stand.ana.id),
        before: clock.now(),
        expires_at: clock.now() + 90_000,
      });
    });
    await stand.app.deps.runTasks.takeUp();
    await stand.app.deps.executions.none();
    expect((await stand.row(approval)).state).toBe('expired');
    expect(stand.ran).toEqual([]);
  });

  it('runs nothing for a client that the person has revoked', async () => {
    const headers = stand.token('mcp');
    await createTaskClient(stand.app, headers).begin([POST]);
    const [row] = await approvals();
    await stand.app.deps.store.refreshTokens.revokeClient(stand.ana.id, 'client-1', clock.now());
    expect(await stand.decide(row?.id ?? '', { decision: 'approve' })).toBe(409);
    await stand.app.deps.runTasks.takeUp();
    await stand.app.deps.executions.none();
    expect(stand.ran).toEqual([]);
  });
});
