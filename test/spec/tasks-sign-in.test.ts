// Tests the waiting for a connection as a task: the pending connection is the task. reference: Tasks; Waiting for a connection
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fixtures } from '../support/fixtures.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { rpc, textOf } from '../support/mcp.ts';
import { openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';
import { createTaskClient, type ShownTask, type TaskClient } from '../support/task-client.ts';

let clock: ManualClock;
let stand: PolicyStand;
let client: TaskClient;
let connectionId: string;
beforeEach(async () => {
  clock = createManualClock();
  stand = await openPolicyStand({
    integrations: fixtures,
    ports: { clock },
    env: { CALL_DETAILS: 'off', VAULTED_CLIENT_ID: 'id', VAULTED_CLIENT_SECRET: 'secret' },
  });
  client = createTaskClient(stand.app, stand.key);
  connectionId = stand.app.deps.random.uuid();
  await stand.app.deps.pending.put({
    connection_id: connectionId,
    user_id: stand.ana.id,
    integration: 'vaulted',
    expires_at: clock.now() + 600,
  });
});
afterEach(() => stand.close());

async function wait(args: object = {}, to = {}): Promise<ShownTask> {
  const { body } = await client.call('wait_for_connection', { connectionId, ...args }, to);
  if (body.result?.['resultType'] !== 'task') throw new Error(`no task: ${JSON.stringify(body)}`);
  // The tests compare what is in it.
  return body.result as unknown as ShownTask;
}

async function endOf(taskId: string) {
  const task = await client.get(taskId);
  expect(task.status).toBe('completed');
  return JSON.parse(task.result?.content[0]?.text ?? '');
}

it('is a task at once, which says what the person has to do', async () => {
  const { PORTAL_URL } = stand.app.deps.config;
  const shown = {
    status: 'working',
    statusMessage: `Vaulted is not connected yet. The person opens the url that connect gave, or ${PORTAL_URL}/integrations/vaulted`,
    createdAt: '2027-01-15T08:00:00.000Z',
    ttlMs: 3_900_000,
    pollIntervalMs: 2_000,
  };
  const task = await wait();
  expect(task).toMatchObject(shown);
  expect(await client.get(task.taskId)).toMatchObject(shown);
});

it('completes when the person has connected, on any process, and stays so', async () => {
  const { taskId } = await wait();
  await stand.app.deps.pending.connect(stand.ana.id, 'vaulted');
  expect(await endOf(taskId)).toEqual({ status: 'CONNECTED' });
  await clock.pass(600_000);
  expect(await endOf(taskId)).toEqual({ status: 'CONNECTED' });
});

it('completes as TIMEOUT after timeoutSec, and the link is over then', async () => {
  const { taskId } = await wait({ timeoutSec: 60 });
  await clock.pass(59_000);
  expect((await client.get(taskId)).status).toBe('working');
  await clock.pass(1_000);
  expect(await endOf(taskId)).toEqual({ status: 'TIMEOUT' });
  expect(await endOf(taskId)).toEqual({ status: 'TIMEOUT' });
  expect((await stand.app.deps.pending.get(connectionId))?.status).toBe('EXPIRED');
});

it('completes as EXPIRED when the link ends before', async () => {
  const { taskId } = await wait({ timeoutSec: 900 });
  await clock.pass(600_000);
  expect(await endOf(taskId)).toEqual({ status: 'EXPIRED' });
});

it('is unknown an hour after its end, and to everybody else', async () => {
  const { taskId } = await wait();
  const ben = await stand.app.user('ben@example.com');
  const robot = await stand.mintKey();
  const unknown = { status: 400, body: { error: { code: -32602 } } };
  for (const headers of [ben.keyHeader, robot.headers])
    for (const method of ['get', 'cancel'])
      expect(await client.send(method, { taskId }, { headers })).toMatchObject(unknown);
  await clock.pass(3_900_000);
  expect(await client.send('get', { taskId })).toMatchObject(unknown);
});

it('keeps the link when its client cancels, as when a client leaves', async () => {
  const { taskId } = await wait();
  expect((await client.cancel(taskId)).status).toBe(200);
  expect((await stand.app.deps.pending.get(connectionId))?.status).toBe('PENDING');
});

it.each([
  ['there is no such connectionId', 'x', { error: 'Unknown connectionId' }],
  ['the person has connected already', undefined, { status: 'CONNECTED' }],
])('answers as before when %s', async (_name, id, answer) => {
  if (id === undefined) await stand.app.deps.pending.connect(stand.ana.id, 'vaulted');
  const { body } = await client.call('wait_for_connection', { connectionId: id ?? connectionId });
  expect(body.result?.['resultType']).toBe('complete');
  expect(JSON.parse(textOf(body.result))).toEqual(answer);
});

it('answers as before when the integration is blocked for the caller', async () => {
  await stand.putRules([rule('block', { integration: 'vaulted' })]);
  const { body } = await client.call('wait_for_connection', { connectionId });
  expect(JSON.parse(textOf(body.result))).toMatchObject({ error: 'BLOCKED' });
});

it('waits in the request for a client without the extension', async () => {
  const params = { name: 'wait_for_connection', arguments: { connectionId } };
  const waiting = rpc(stand.app, stand.key, 'tools/call', params);
  await stand.app.deps.pending.connect(stand.ana.id, 'vaulted');
  await clock.pass(2_000);
  expect(JSON.parse(textOf((await waiting).body.result))).toEqual({ status: 'CONNECTED' });
});
