// Runs real clients against a call that a person has to approve: the modern era shows the question, by its address or
// as a form, older ones its link.
// reference: Approvals
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { type RunningServer, serve } from '../../adapters/node/server.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createApp } from '../../src/app.ts';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import type { ApprovalState } from '../../src/ports/policy.ts';
import { describeWith } from '../support/describe-with.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const MODERN = '2026-07-28';

let app: TestApp;
let ana: TestUser;
let server: RunningServer;

beforeEach(async () => {
  app = await createTestApp({ ports: { clock: createSystemClock(setImmediate) } });
  ana = await app.user();
  const rules = JSON.stringify([{ tool: 'shout', decision: 'ask' }]);
  await app.deps.store.policies.putRules({ owner: ana.id, rules, revision: 'r1', updated_at: 1 });
  const beside = {
    proxy: createCurlProxy(app.deps),
    jotFiles: createJotFiles(app.deps),
    clock: app.deps.clock,
  };
  server = await serve(createApp(app.deps).fetch, beside, 0);
});
afterEach(async () => {
  await server.stop();
  await app.close();
});

const address = () => new URL(`http://127.0.0.1:${server.port}/mcp`);
const requestInit = () => ({ headers: ana.keyHeader });
const shout = (text: string) => ({
  name: 'execute_tools',
  arguments: { executions: [{ tool: 'shout', args: { text } }] },
});

async function decide(url: string, state: ApprovalState): Promise<void> {
  const id = url.split('/').at(-1) ?? '';
  const row = await app.deps.store.approvals.get(ana.id, id);
  if (row === null) throw new Error(`there is no approval ${id}`);
  await app.deps.store.approvals.move(row, { state, covers: 'once' });
}

type Answer = 'accept' | 'decline' | 'cancel';

/** `look` is what the person does with the address before the client says that they have seen it. */
async function connect(look: (url: string) => Promise<Answer>): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: MODERN } }, capabilities: { elicitation: { url: {} } } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode !== 'url') throw new Error('the gateway only asks by URL');
    return { action: await look(params.url) };
  });
  await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: requestInit() }));
  return client;
}

const textOf = (result: unknown) => {
  const { content } = result as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? '');
};

describe('a client that opens URLs', () => {
  it('gets the result of the same call when the person approves it while the client waits', async () => {
    const client = await connect(async (url) => {
      setTimeout(() => void decide(url, 'approved'), 200);
      return 'accept';
    });
    expect(textOf(await client.callTool(shout('a')))).toEqual({ results: [{ result: 'A' }] });
    await client.close();
  });

  it('gets DENIED when the person says no', async () => {
    const client = await connect(async (url) => {
      await decide(url, 'denied');
      return 'accept';
    });
    expect(textOf(await client.callTool(shout('a')))).toMatchObject({ results: [{ error: 'DENIED' }] });
    await client.close();
  });

  it.each(['decline', 'cancel'] as const)(
    'gets the link when the person answers %s, and nothing runs',
    async (action) => {
      const client = await connect(async () => action);
      const { results } = textOf(await client.callTool(shout('a')));
      expect(results).toEqual([
        {
          error: 'APPROVAL_REQUIRED',
          integration: 'echo',
          message: expect.stringContaining('/approvals/'),
          approval: expect.objectContaining({ url: expect.stringContaining('/approvals/') }),
        },
      ]);
      await client.close();
    },
  );

  it('is not asked about a batch of which something has run', async () => {
    const client = await connect(async () => {
      throw new Error('nobody may be asked');
    });
    const executions = [
      { tool: 'shout', args: { text: 'a' } },
      { tool: 'echo_nothing', args: {} },
    ];
    const { results } = textOf(await client.callTool({ name: 'execute_tools', arguments: { executions } }));
    expect(results).toEqual([expect.objectContaining({ error: 'APPROVAL_REQUIRED' }), { result: null }]);
    await client.close();
  });
});

describe('a client that shows forms', () => {
  type Filled = { action: Answer; content?: { answer: string } };

  /** `fill` is what the person does with the text of the form before the client answers it. */
  async function connectWithForms(
    elicitation: { form?: Record<string, never> },
    fill: (message: string) => Promise<Filled>,
  ): Promise<Client> {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: MODERN } }, capabilities: { elicitation } },
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode === 'url') throw new Error('this client only shows forms');
      return fill(params.message);
    });
    await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: requestInit() }));
    return client;
  }
  const urlIn = (message: string) => message.split('\n').at(-1) ?? '';

  it.each([{}, { form: {} }])(
    'gets the result when the person approves in the portal and says "done": %j',
    async (elicitation) => {
      const client = await connectWithForms(elicitation, async (message) => {
        await decide(urlIn(message), 'approved');
        return { action: 'accept', content: { answer: 'done' } };
      });
      expect(textOf(await client.callTool(shout('a')))).toEqual({ results: [{ result: 'A' }] });
      await client.close();
    },
  );

  it.each<Filled>([{ action: 'accept', content: { answer: 'not now' } }, { action: 'decline' }])(
    'gets the link after the answer %j, and nothing runs',
    async (answer) => {
      const client = await connectWithForms({}, async () => answer);
      const { results } = textOf(await client.callTool(shout('a')));
      expect(results).toEqual([expect.objectContaining({ error: 'APPROVAL_REQUIRED' })]);
      await client.close();
    },
  );
});

const PYTHON = join(import.meta.dirname, 'python/mcp-2/.venv/bin/python');
const NO_PYTHON = existsSync(PYTHON) ? undefined : 'mcp-2/.venv is missing; npm run clients:python';
const askPython = () => {
  it.each([
    ['accept', { results: [{ result: 'A' }] }],
    ['decline', { results: [expect.objectContaining({ error: 'APPROVAL_REQUIRED' })] }],
  ])('gets the result after a yes, and the link when the person declines: %s', async (action, expected) => {
    const GATEWAY_URL = `http://127.0.0.1:${server.port}`;
    const env = { GATEWAY_URL, GATEWAY_KEY: JSON.stringify(ana.keyHeader) };
    const program = join(import.meta.dirname, 'python/mcp_2_ask.py');
    const child = spawn(PYTHON, [program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const read = async () => JSON.parse(String((await lines.next()).value));
    const question = await read();
    expect(question).toMatchObject({ mode: 'url', url: expect.stringContaining('/approvals/') });
    if (action === 'accept') await decide(question.url, 'approved');
    child.stdin.end(`${action}\n`);
    expect(await read()).toEqual(expected);
  });
};
describeWith('the SDK of Python', NO_PYTHON, askPython, { excuse: process.env['WITHOUT_PYTHON_CLIENTS'] });

describe('a client of an older era', () => {
  it.each([{ url: {} }, { form: {} }, {}])('gets the link as text: %j', async (elicitation) => {
    const client = new OldClient({ name: 'old', version: '1.0.0' }, { capabilities: { elicitation } });
    await client.connect(new OldTransport(address(), { requestInit: requestInit() }));
    const { results } = textOf(await client.callTool(shout('a')));
    expect(results[0]).toMatchObject({ error: 'APPROVAL_REQUIRED', integration: 'echo' });
    expect(results[0].message).toContain(results[0].approval.url);
    await client.close();
  });
});
