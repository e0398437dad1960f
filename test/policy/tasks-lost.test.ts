// Tests what becomes of a task whose process dies, hangs or loses its store. reference: Tasks; decision: 055
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRunTasks, type RunTasks } from '../../src/mcp/tasks/run-tasks.ts';
import { APPROVAL_RUN_SECONDS } from '../../src/policy/model/limits.ts';
import type { Tasks } from '../../src/ports/tasks.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { ask, openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';
import { createTaskClient, type TaskClient } from '../support/task-client.ts';
import { waitUntil } from '../support/wait.ts';

let clock: ManualClock;
let stand: PolicyStand;
let client: TaskClient;
beforeEach(async () => {
  clock = createManualClock();
  stand = await openPolicyStand({
    rules: [ask('ledger_post')],
    ports: { clock },
    env: { CALL_DETAILS: 'off' },
  });
  client = createTaskClient(stand.app, stand.key);
});
afterEach(() => stand.close());

const POST = { tool: 'ledger_post', args: { amount: 5 } };
const DONE = { result: { done: 'ledger_post' } };
const UNKNOWN = { error: 'UNKNOWN_OUTCOME', integration: 'ledger' };

/** Begins a task, and says yes while no process notices. */
async function approved(covers: 'once' | 'hour' = 'once') {
  const { tasks, approvals } = stand.app.deps.store;
  const { ofApproval } = tasks;
  const { taskId } = await client.begin([POST]);
  const [row] = await approvals.list({ user_id: stand.ana.id, limit: 1 });
  tasks.ofApproval = async () => [];
  await stand.approve(row?.id ?? '', covers);
  tasks.ofApproval = ofApproval;
  return { taskId, approval: row?.id ?? '' };
}

async function taskRow() {
  const [row] = await stand.app.deps.store.tasks.list(stand.ana.id, 1);
  if (row === undefined) throw new Error('there is no task');
  return row;
}

/** A process that keeps nothing alive, with parts of its own. */
function otherProcess(
  parts: Partial<Parameters<typeof createRunTasks>[0]>,
  tasks: Partial<Tasks> = {},
): RunTasks {
  const { deps } = stand.app;
  const store = { ...deps.store, tasks: { ...deps.store.tasks, keep: async () => {}, ...tasks } };
  return createRunTasks({ ...deps, store, ...parts });
}

const claimed = () =>
  waitUntil(
    'the claim',
    async () => (await taskRow()).running_until !== null,
    () => 'no claim',
  );

const pass = () => clock.pass((APPROVAL_RUN_SECONDS + 1) * 1_000);

describe('a process that dies before it runs the call', () => {
  it('holds the task for a while, and then the next one runs the call once', async () => {
    const { taskId } = await approved();
    void otherProcess({ execute: () => new Promise(() => {}) }).start(await taskRow());
    await claimed();
    expect(await client.get(taskId)).toMatchObject({ status: 'working' });
    await stand.app.deps.runTasks.takeUp();
    expect(stand.ran).toEqual([]);
    await pass();
    await stand.app.deps.runTasks.takeUp();
    expect(await client.resultsOf(taskId)).toEqual([DONE]);
    expect(stand.ran).toHaveLength(1);
  });

  it('leaves the call unknown under a yes for an hour, which does not say whether it ran', async () => {
    const { taskId } = await approved('hour');
    void otherProcess({ execute: () => new Promise(() => {}) }).start(await taskRow());
    await claimed();
    await pass();
    expect(await client.resultsOf(taskId)).toMatchObject([UNKNOWN]);
    expect(stand.ran).toEqual([]);
  });
});

describe('a process that dies after the call has run', () => {
  it.each([
    [POST, 'has run, but'],
    [{ tool: 'ledger_fail', args: {} }, 'has run and failed, but'],
  ])('says so, and repeats nothing: %j', async (call, text) => {
    await stand.putRules([ask('ledger_post'), ask('ledger_fail')]);
    const { taskId } = await client.begin([call]);
    const [question] = await stand.app.deps.store.approvals.list({ user_id: stand.ana.id, limit: 1 });
    const { tasks } = stand.app.deps.store;
    const { ofApproval } = tasks;
    tasks.ofApproval = async () => [];
    await stand.approve(question?.id ?? '');
    tasks.ofApproval = ofApproval;
    void otherProcess({}, { release: () => new Promise(() => {}) }).start(await taskRow());
    await waitUntil(
      'the run',
      async () => ['done', 'failed'].includes((await stand.row(question?.id ?? '')).state),
      () => stand.ran,
    );
    await pass();
    expect(await client.resultsOf(taskId)).toEqual([{ ...UNKNOWN, message: expect.stringContaining(text) }]);
    expect(stand.ran).toHaveLength(1);
  });
});

describe('a process that was only stopped for long', () => {
  it('still notes what the call gave, where another one has written that nobody knows', async () => {
    const { taskId } = await approved('hour');
    const goOn = Promise.withResolvers<void>();
    const { execute } = stand.app.deps;
    const stopped = otherProcess({
      execute: async (caller, execution) => {
        const outcome = await execute(caller, execution);
        await goOn.promise;
        return outcome;
      },
    }).start(await taskRow());
    await claimed();
    await pass();
    expect(await client.resultsOf(taskId)).toMatchObject([UNKNOWN]);
    goOn.resolve();
    await stopped;
    expect(await client.resultsOf(taskId)).toEqual([DONE]);
    expect(stand.ran).toHaveLength(1);
  });
});

describe('a store that is away', () => {
  it('loses no result of a call that has run', async () => {
    const { taskId } = await approved();
    const { release } = stand.app.deps.store.tasks;
    let fails = 3;
    const running = otherProcess(
      {},
      {
        release: async (...write) => {
          if (fails-- <= 0) return release(...write);
          setImmediate(() => void clock.pass(1_000));
          throw new Error('the store is away');
        },
      },
    ).start(await taskRow());
    await running;
    expect(fails).toBeLessThan(0);
    expect(await client.resultsOf(taskId)).toEqual([DONE]);
    expect(stand.ran).toHaveLength(1);
  });

  it('leaves a task that nobody could look at to the next look', async () => {
    const { tasks } = stand.app.deps.store;
    const { ofApproval } = tasks;
    const { taskId } = await client.begin([POST]);
    const [row] = await stand.app.deps.store.approvals.list({ user_id: stand.ana.id, limit: 1 });
    tasks.ofApproval = async () => {
      throw new Error('the store is away');
    };
    await stand.approve(row?.id ?? '');
    await stand.app.deps.executions.none();
    tasks.ofApproval = ofApproval;
    expect(stand.ran).toEqual([]);
    expect(await client.resultsOf(taskId)).toEqual([DONE]);
  });
});

describe('a call over a limit', () => {
  it('waits until it may run, with the same yes', async () => {
    const { taskId, approval } = await approved();
    const { calls } = stand.app.deps;
    const { begin } = calls;
    calls.begin = () => ({ message: 'too many calls', retryAfterSeconds: 1 });
    expect(await client.get(taskId)).toMatchObject({ status: 'working' });
    await stand.app.deps.executions.none();
    expect((await stand.row(approval)).state).toBe('approved');
    calls.begin = begin;
    expect(await client.resultsOf(taskId)).toEqual([DONE]);
    expect(stand.ran).toHaveLength(1);
  });
});
