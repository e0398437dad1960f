// Runs the official requester of the Tasks extension against real sockets: an approval and a sign-in answered as tasks, and
// completed without a second call. reference: Tasks
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type RawClientDispatch,
  resultFromTaskOutcome,
  type TaskEnabledSession,
  type WithTasksOptions,
} from '@modelcontextprotocol/ext-tasks/client';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { type RunningServer, serve } from '../../adapters/node/server.ts';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createApp } from '../../src/app.ts';
import { describeWith } from '../support/describe-with.ts';
import { runProgram } from '../support/gateway-process.ts';
import { modernHeaders } from '../support/mcp.ts';
import { openPolicyStand, type PolicyStand, rule } from '../support/policy-stand.ts';
import { waitUntil } from '../support/wait.ts';

const MODERN = '2026-07-28';
const CLIENT = { name: 'test', version: '1.0.0' };
const POST = { executions: [{ tool: 'ledger_post', args: { amount: 5 } }] };

let stand: PolicyStand;
let server: RunningServer;
let clients: Client[];

beforeEach(async () => {
  clients = [];
  stand = await openPolicyStand({
    rules: [rule('ask', { tool: 'ledger_post' })],
    ports: { clock: createSystemClock(setImmediate) },
  });
  const { deps } = stand.app;
  const beside = { proxy: createCurlProxy(deps), jotFiles: createJotFiles(deps), clock: deps.clock };
  server = await serve(createApp(deps).fetch, beside, 0);
});
afterEach(async () => {
  for (const client of clients) await client.close();
  await server.stop();
  await stand.close();
});

const address = () => new URL(`http://127.0.0.1:${server.port}/mcp`);

/** How a host sends what the SDK's client has no types for. */
const rawDispatch: RawClientDispatch = async (request) => {
  // The requester frames its requests itself.
  const { method, params } = request as { method: string; params: Record<string, unknown> };
  const name = String(params['name'] ?? params['taskId']);
  const response = await fetch(address(), {
    method: 'POST',
    headers: { ...stand.key, ...modernHeaders(method, name), 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = await response.json();
  return error === undefined ? { kind: 'result', result } : { kind: 'error', error };
};

async function open(options: WithTasksOptions = {}, capabilities = {}): Promise<TaskEnabledSession> {
  const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: MODERN } } });
  clients.push(client);
  await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: { headers: stand.key } }));
  return createTaskSessionFromClient(client, {
    endpointId: 'gateway',
    rawDispatch,
    v2RequestFraming: { protocolVersion: MODERN, clientInfo: CLIENT, clientCapabilities: capabilities },
    ...options,
  });
}

async function question(): Promise<string> {
  const [row] = await stand.app.deps.store.approvals.list({ user_id: stand.ana.id, limit: 1 });
  return row?.id ?? '';
}

const textOf = (result: unknown) => {
  // What a completed call carries.
  const { content } = result as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? '');
};

const DONE = { results: [{ result: { done: 'ledger_post' } }] };

it('gets the result of a call that its person approves in the portal, without a second call', async () => {
  const session = await open();
  const execution = await session.callTool('execute_tools', POST);
  expect(execution.kind).toBe('task');
  await stand.approve(await question());
  const seen: string[] = [];
  const { outcome } = await execution.settle({
    onEvent: (event) => void seen.push(event.type === 'task' ? event.task.status : event.type),
  });
  expect(textOf(resultFromTaskOutcome(outcome))).toEqual(DONE);
  expect(seen).toContain('completed');
  expect(stand.ran).toHaveLength(1);
  await session.close();
});

it('goes on in another session with the reference of a client that has gone', async () => {
  const first = await open();
  const execution = await first.callTool('execute_tools', POST);
  if (execution.kind !== 'task') throw new Error('the call is no task');
  let kept = '';
  await execution.handoff((reference) => void (kept = JSON.stringify(reference)));
  await stand.approve(await question());
  await stand.app.deps.executions.none();
  const second = await open();
  const resumed = await second.resumeTask(JSON.parse(kept));
  expect(textOf(resultFromTaskOutcome((await resumed.settle()).outcome))).toEqual(DONE);
  expect(stand.ran).toHaveLength(1);
  await second.close();
});

it('shows the person the address, and its answer decides nothing', async () => {
  const shown: unknown[] = [];
  const session = await open(
    {
      onInputRequest: async ({ params }) => {
        shown.push(params?.['url']);
        // The person decides while the client waits for them.
        await stand.approve(await question());
        return { action: 'accept' } as never;
      },
    },
    { elicitation: { url: {} } },
  );
  const { outcome } = await (await session.callTool('execute_tools', POST)).settle();
  expect(textOf(resultFromTaskOutcome(outcome))).toEqual(DONE);
  expect(shown).toEqual([`${stand.app.deps.config.PORTAL_URL}/approvals/${await question()}`]);
  await session.close();
});

it('reads that the person has said no', async () => {
  const session = await open();
  const execution = await session.callTool('execute_tools', POST);
  await stand.decide(await question(), { decision: 'deny' });
  const { outcome } = await execution.settle();
  expect(textOf(resultFromTaskOutcome(outcome))).toMatchObject({ results: [{ error: 'DENIED' }] });
  await session.close();
});

it('cancels a call that nobody has decided', async () => {
  const session = await open();
  const execution = await session.callTool('execute_tools', POST);
  await execution.cancel();
  expect((await execution.settle()).outcome.status).toBe('cancelled');
  expect(await stand.decide(await question(), { decision: 'approve' })).toBe(409);
  expect(stand.ran).toEqual([]);
  await session.close();
});

it('waits for a sign-in', async () => {
  const { pending, clock, random } = stand.app.deps;
  const connection_id = random.uuid();
  await pending.put({
    connection_id,
    user_id: stand.ana.id,
    integration: 'vaulted',
    expires_at: clock.now() + 600,
  });
  const session = await open();
  const execution = await session.callTool('wait_for_connection', { connectionId: connection_id });
  expect(execution.kind).toBe('task');
  await pending.connect(stand.ana.id, 'vaulted');
  expect(textOf(resultFromTaskOutcome((await execution.settle()).outcome))).toEqual({ status: 'CONNECTED' });
  await session.close();
});

it('gets the result of a call that waits for nobody at once', async () => {
  const session = await open();
  const execution = await session.callTool('search_tools', { query: 'ledger' });
  expect(execution.kind).toBe('immediate');
  expect(textOf(resultFromTaskOutcome(await execution.result())).tools).not.toEqual([]);
  await session.close();
});

const PYTHON = join(import.meta.dirname, 'python');
const python = join(PYTHON, 'mcp-2/.venv/bin/python');
const missing = existsSync(python) ? undefined : 'mcp-2/.venv is missing; npm run clients:python';

describeWith(
  'the SDK for Python with an extension of its client',
  missing,
  () => {
    it('gets the result of a call that its person approves, without a second call', async () => {
      const { exited, output } = runProgram([python, join(PYTHON, 'mcp_2_tasks.py')], {
        GATEWAY_URL: address().origin,
        GATEWAY_KEY: stand.key['x-service-api-key'] ?? '',
      });
      await waitUntil(
        'the task',
        () => output.stdout.includes('"task"'),
        () => output,
      );
      await stand.approve(await question());
      expect((await exited).code, output.stderr).toBe(0);
      const last = output.stdout.trim().split('\n').at(-1) ?? '';
      expect(JSON.parse(JSON.parse(last).text)).toEqual(DONE);
      expect(stand.ran).toHaveLength(1);
    }, 60_000);
  },
  { excuse: process.env['WITHOUT_PYTHON_CLIENTS'] },
);
