// Tests calls that take long as tasks: the process that runs one holds it, and nothing of it is lost or repeated.
// reference: Tasks
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ToolContext } from '../../src/kit/integration.ts';
import { APPROVAL_RUN_SECONDS } from '../../src/policy/model/limits.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { ask, openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';
import { createTaskClient, type ShownTask, type TaskClient } from '../support/task-client.ts';
import { waitUntil } from '../support/wait.ts';

let clock: ManualClock;
let stand: PolicyStand;
let client: TaskClient;
let begun: ToolContext[];
let end: PromiseWithResolvers<unknown>;
beforeEach(async () => {
  clock = createManualClock();
  begun = [];
  end = Promise.withResolvers<unknown>();
  stand = await openPolicyStand({ ports: { clock }, env: { CALL_DETAILS: 'off' } });
  client = createTaskClient(stand.app, stand.key);
  for (const name of ['ledger_post', 'ledger_read'])
    Object.assign(stand.app.deps.registry.tool(name)?.tool ?? {}, {
      run: (_: unknown, context: ToolContext) => {
        begun.push(context);
        return end.promise;
      },
    });
});
afterEach(async () => {
  end.resolve(null);
  await stand.app.deps.executions.none();
  await stand.close();
});

const POST = { tool: 'ledger_post', args: { amount: 5 } };
const READ = { tool: 'ledger_read', args: {} };

const running = () =>
  waitUntil(
    'the call',
    () => begun.length > 0,
    () => begun.length,
  );

/** Sends a batch, and lets the time pass after which it is a task. */
async function beginLong(executions: readonly object[] = [POST]): Promise<ShownTask> {
  const answer = client.begin(executions);
  await running();
  await clock.pass(5_000);
  return answer;
}

it('is a task after five seconds, and completes when the call has ended', async () => {
  const task = await beginLong();
  expect(task).toMatchObject({
    status: 'working',
    statusMessage: 'ledger_post is running',
    pollIntervalMs: 1_000,
  });
  expect(await client.get(task.taskId)).toMatchObject({ status: 'working' });
  end.resolve({ done: 'at last' });
  expect(await client.resultsOf(task.taskId)).toEqual([{ result: { done: 'at last' } }]);
  expect(begun).toHaveLength(1);
});

it('answers at once what ends before', async () => {
  const answer = client.call('execute_tools', { executions: [POST] });
  await running();
  await clock.pass(4_000);
  end.resolve('soon');
  expect((await answer).body.result).toMatchObject({ resultType: 'complete' });
  expect(await stand.app.deps.store.tasks.list(stand.ana.id, 10)).toEqual([]);
});

it('keeps a client waiting that does not declare the extension', async () => {
  const answer = client.call('execute_tools', { executions: [POST] }, { capabilities: null });
  await running();
  await clock.pass(60_000);
  end.resolve('late');
  expect((await answer).body.result).toMatchObject({ resultType: 'complete' });
});

it('completes with the error of a call that fails', async () => {
  const { taskId } = await beginLong();
  end.reject(new Error('the ledger is closed'));
  expect(await client.resultsOf(taskId)).toEqual([{ error: 'the ledger is closed', integration: 'ledger' }]);
});

it('is kept alive for as long as it runs', async () => {
  const { taskId } = await beginLong();
  for (let beats = 0; beats < 10; beats++) {
    await clock.pass(15_000);
    await stand.app.deps.store.leases.release('nothing', 'nobody');
  }
  await stand.app.deps.runTasks.takeUp();
  expect(await client.get(taskId)).toMatchObject({ status: 'working' });
  end.resolve('late');
  expect(await client.resultsOf(taskId)).toEqual([{ result: 'late' }]);
});

it('is unknown when its process is lost, until the process says more', async () => {
  stand.app.deps.store.tasks.keep = async () => {};
  const { taskId } = await beginLong();
  await clock.pass((APPROVAL_RUN_SECONDS + 1) * 1_000);
  expect(await client.resultsOf(taskId)).toEqual([
    { error: 'UNKNOWN_OUTCOME', integration: null, message: expect.stringContaining('Check first') },
  ]);
  end.resolve('it was only asleep');
  await stand.app.deps.executions.none();
  expect(await client.resultsOf(taskId)).toEqual([{ result: 'it was only asleep' }]);
  expect(begun).toHaveLength(1);
});

it('is not cancelled by the end of its request, and ends with the access of its person', async () => {
  const { taskId } = await beginLong([READ]);
  expect(begun[0]?.signal?.aborted).toBe(false);
  const { runningWork, digest } = stand.app.deps;
  runningWork.stop(stand.ana.id, { person: digest.sha256(stand.ana.id), before: clock.now() });
  await stand.app.deps.executions.none();
  expect(begun[0]?.signal?.aborted).toBe(true);
  expect(await client.resultsOf(taskId)).toMatchObject([{ error: 'ACCESS_ENDED' }]);
});

it('is cancelled by a client that goes before it is a task', async () => {
  const gone = new AbortController();
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'execute_tools',
      arguments: { executions: [READ] },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {
          extensions: { 'io.modelcontextprotocol/tasks': {} },
        },
      },
    },
  };
  const answer = stand.app.request('/mcp', {
    method: 'POST',
    headers: {
      ...stand.key,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'execute_tools',
    },
    body: JSON.stringify(body),
    signal: gone.signal,
  });
  await running();
  gone.abort();
  expect(begun[0]?.signal?.aborted).toBe(true);
  end.reject(new Error('aborted'));
  await answer;
});

it('waits for its person where a part of the batch has to be approved', async () => {
  await stand.putRules([ask('ledger_erase')]);
  const { taskId } = await beginLong([POST, { tool: 'ledger_erase', args: { id: 'a' } }]);
  end.resolve('posted');
  await stand.app.deps.executions.none();
  expect(await client.get(taskId)).toMatchObject({
    status: 'working',
    statusMessage: expect.stringContaining('A person has to approve ledger_erase'),
  });
  const [row] = await stand.app.deps.store.approvals.list({ user_id: stand.ana.id, limit: 1 });
  await stand.approve(row?.id ?? '');
  expect(await client.resultsOf(taskId)).toEqual([
    { result: 'posted' },
    { result: { done: 'ledger_erase' } },
  ]);
  expect(stand.ran).toHaveLength(1);
});
