// Tests whose a task is, what the methods of tasks answer, and that no answer of a client decides. reference: Tasks
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import { modernHeaders, modernMeta, rpc } from '../support/mcp.ts';
import { ask, openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';
import { createTaskClient, resultsIn, type TaskClient, TASKS } from '../support/task-client.ts';

let stand: PolicyStand;
let client: TaskClient;
beforeEach(async () => {
  const ports = { clock: createManualClock() };
  stand = await openPolicyStand({ rules: [ask('ledger_post')], ports, env: { CALL_DETAILS: 'off' } });
  client = createTaskClient(stand.app, stand.key);
});
afterEach(() => stand.close());

const POST = { tool: 'ledger_post', args: { amount: 5 } };
const DONE = { result: { done: 'ledger_post' } };
const METHODS = ['get', 'update', 'cancel'] as const;

const UNKNOWN = {
  status: 400,
  body: { error: { code: -32602, message: expect.stringMatching(/^Task not found/) } },
};

async function begin() {
  const { taskId } = await client.begin([POST]);
  const [row] = await stand.app.deps.store.approvals.list({ user_id: stand.ana.id, limit: 1 });
  return { taskId, approval: row?.id ?? '' };
}

const paramsOf = (method: string, taskId: unknown) =>
  method === 'update' ? { taskId, inputResponses: {} } : { taskId };

describe('server/discover', () => {
  it('declares the extension', async () => {
    const headers = { ...stand.key, ...modernHeaders('server/discover') };
    const { body } = await rpc(stand.app, headers, 'server/discover', { _meta: modernMeta });
    expect(body.result).toMatchObject({ capabilities: { extensions: { [TASKS]: {} } } });
  });

  it('leaves the older era as it was', async () => {
    const { body } = await rpc(stand.app, stand.key, 'initialize', { protocolVersion: '2025-11-25' });
    expect(body.result?.['capabilities']).toEqual({ tools: {} });
    for (const method of METHODS) {
      const answer = await rpc(stand.app, stand.key, `tasks/${method}`, { taskId: 'x' });
      expect(answer).toMatchObject({ status: 200, body: { error: { code: -32601 } } });
    }
  });
});

describe.each(METHODS)('tasks/%s', (method) => {
  it('wants a client that declares the extension', async () => {
    const { taskId } = await begin();
    expect(await client.send(method, paramsOf(method, taskId), { capabilities: null })).toMatchObject({
      status: 400,
      body: { error: { code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } } },
    });
  });

  it('answers every id alike that names no task of the caller', async () => {
    const { taskId, approval } = await begin();
    const [row] = await stand.app.deps.store.tasks.list(stand.ana.id, 1);
    const ben = await stand.app.user('ben@example.com');
    const robot = await stand.mintKey();
    const cut = `${taskId.slice(0, -3)}AAA`;
    for (const id of ['', 'x', 'v1.x.y', cut, approval, row?.id, `${taskId}x`, 'v1.'.repeat(2_000)])
      expect(await client.send(method, paramsOf(method, id)), String(id)).toMatchObject(UNKNOWN);
    for (const headers of [ben.keyHeader, robot.headers, stand.ana.sessionHeader, stand.token('mcp')]) {
      const foreign = await client.send(method, paramsOf(method, taskId), { headers });
      expect(foreign).toMatchObject(UNKNOWN);
      expect(foreign.body.error).toEqual((await client.send(method, paramsOf(method, 'x'))).body.error);
    }
    expect(await client.get(taskId)).toMatchObject({ status: 'working' });
  });

  it('refuses a header Mcp-Name that names another task, and needs none', async () => {
    const { taskId } = await begin();
    const send = (name: string | undefined) => {
      const _meta = {
        ...modernMeta,
        'io.modelcontextprotocol/clientCapabilities': { extensions: { [TASKS]: {} } },
      };
      const headers = { ...stand.key, ...modernHeaders(`tasks/${method}`, name) };
      return rpc(stand.app, headers, `tasks/${method}`, { _meta, ...paramsOf(method, taskId) });
    };
    expect(await send('v1.other')).toMatchObject({ status: 400, body: { error: { code: -32020 } } });
    expect((await send(undefined)).status).toBe(200);
  });
});

describe('a task that is over', () => {
  it('is unknown', async () => {
    const { taskId } = await begin();
    const { tasks } = stand.app.deps.store;
    const { get } = tasks;
    tasks.get = async (user, id) => {
      const row = await get(user, id);
      return row === null ? null : { ...row, expires_at: stand.app.deps.clock.now() };
    };
    expect(await client.send('get', { taskId })).toMatchObject(UNKNOWN);
  });
});

describe('a question to a client that shows addresses', () => {
  const URLS = { capabilities: { elicitation: { url: {} } } };

  it('is in the task until it is answered, and never comes back', async () => {
    expect((await client.begin([POST], URLS)).status).toBe('input_required');
    const { taskId, approval } = await begin();
    const asked = await client.get(taskId, URLS);
    expect(asked).toMatchObject({ status: 'input_required', statusMessage: expect.any(String) });
    expect(asked.inputRequests).toEqual({
      [approval]: {
        method: 'elicitation/create',
        params: {
          mode: 'url',
          url: `${stand.app.deps.config.PORTAL_URL}/approvals/${approval}`,
          message: expect.stringContaining('ledger_post'),
          elicitationId: approval,
        },
      },
    });
    expect((await client.get(taskId)).status).toBe('working');
    const answer = await client.update(taskId, { [approval]: { action: 'accept' } }, URLS);
    expect(answer).toMatchObject({ status: 200, body: { result: { resultType: 'complete' } } });
    expect(await client.get(taskId, URLS)).toMatchObject({ status: 'working' });
    expect((await client.get(taskId, URLS)).inputRequests).toBeUndefined();
  });

  it.each([
    { action: 'accept' },
    { action: 'accept', content: { decision: 'approve', answer: 'done' } },
    { action: 'decline' },
    { action: 'cancel' },
  ])('is decided by no answer: %j', async (response) => {
    const { taskId, approval } = await begin();
    await client.update(taskId, { [approval]: response, another: response }, URLS);
    expect((await stand.row(approval)).state).toBe('pending');
    expect(await client.get(taskId, URLS)).toMatchObject({ status: 'working' });
    expect(stand.ran).toEqual([]);
    await stand.approve(approval);
    expect(await client.resultsOf(taskId, URLS)).toEqual([DONE]);
  });

  it('is a form for a client that shows forms', async () => {
    const { taskId, approval } = await begin();
    const forms = { capabilities: { elicitation: { form: {} } } };
    const { inputRequests } = await client.get(taskId, forms);
    expect(inputRequests?.[approval]?.params).toMatchObject({
      mode: 'form',
      message: expect.stringContaining(`/approvals/${approval}`),
    });
  });

  it.each([undefined, 'yes', [], { a: 'accept' }, { a: { action: 'approve' } }])(
    'refuses inputResponses like %j',
    async (inputResponses) => {
      const { taskId } = await begin();
      expect(await client.send('update', { taskId, inputResponses })).toMatchObject({
        status: 400,
        body: { error: { code: -32602 } },
      });
    },
  );
});

describe('tasks/cancel', () => {
  it('ends what waits, and withdraws the question', async () => {
    const { taskId, approval } = await begin();
    expect(await client.cancel(taskId)).toMatchObject({
      status: 200,
      body: { result: { resultType: 'complete' } },
    });
    expect(await client.get(taskId)).toMatchObject({ status: 'cancelled', statusMessage: 'Cancelled' });
    expect((await stand.row(approval)).state).toBe('expired');
    expect(await stand.decide(approval, { decision: 'approve' })).toBe(409);
    await stand.app.deps.executions.none();
    expect(stand.ran).toEqual([]);
    expect((await client.cancel(taskId)).status).toBe(200);
    await stand.app.deps.audit.flush();
    const [row] = await stand.app.deps.store.audit.list({ user_id: stand.ana.id, limit: 1 });
    expect(row).toMatchObject({ outcome: 'expired', approval, error: 'The caller has cancelled the call' });
  });

  it('changes nothing about a task that has completed', async () => {
    const { taskId, approval } = await begin();
    await stand.approve(approval);
    await client.settle(taskId);
    expect((await client.cancel(taskId)).status).toBe(200);
    expect(await client.resultsOf(taskId)).toEqual([DONE]);
  });

  it('lets a call that runs go on to its end', async () => {
    const { taskId, approval } = await begin();
    const running = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const found = stand.app.deps.registry.tool('ledger_post');
    Object.assign(found?.tool ?? {}, {
      run: async () => {
        running.resolve();
        await end.promise;
        return { done: 'ledger_post' };
      },
    });
    await stand.approve(approval);
    await running.promise;
    expect((await client.cancel(taskId)).status).toBe(200);
    expect(await client.get(taskId)).toMatchObject({ status: 'working' });
    end.resolve();
    expect(await client.resultsOf(taskId)).toEqual([DONE]);
    expect((await stand.row(approval)).state).toBe('done');
  });
});

describe('a result that was kept', () => {
  it('is not shown once the tool is blocked for the caller', async () => {
    const { taskId, approval } = await begin();
    await stand.approve(approval);
    await client.settle(taskId);
    await stand.putRules([rule('block', { tool: 'ledger_post' })]);
    expect(await client.resultsOf(taskId)).toEqual([
      { error: 'BLOCKED', integration: 'ledger', message: expect.any(String) },
    ]);
  });

  it('is sealed in the store, as the call is', async () => {
    const { taskId, approval } = await begin();
    const secret = 'the amount is nobody’s business';
    Object.assign(stand.app.deps.registry.tool('ledger_post')?.tool ?? {}, { run: () => secret });
    await stand.approve(approval);
    expect(await client.resultsOf(taskId)).toEqual([{ result: secret }]);
    const stored = JSON.stringify(await stand.app.deps.store.tasks.list(stand.ana.id, 10));
    for (const word of ['amount', 'nobody', 'ledger', taskId]) expect(stored).not.toContain(word);
  });

  it('is cut at whole items when it is long, and read_result has the rest', async () => {
    const { taskId, approval } = await begin();
    const rows = Array.from({ length: 60_000 }, (_, n) => ({ n, name: `entry ${n}` }));
    Object.assign(stand.app.deps.registry.tool('ledger_post')?.tool ?? {}, { run: () => rows });
    await stand.approve(approval);
    const task = await client.settle(taskId);
    const text = task.result?.content[0]?.text ?? '';
    const [, handle = ''] = /"handle":"(r-[\w-]+)"/.exec(text) ?? [];
    const { body } = await client.call('read_result', { handle, path: '/results/0/result/59999' });
    expect(JSON.stringify(body.result)).toContain('entry 59999');
    expect(() => resultsIn(task)).not.toThrow();
  });
});
