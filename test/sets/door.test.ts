// Tests the MCP server of a set: what it lists, and what calls answer. reference: Sets
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallWorld } from '../support/fixtures.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { modernMeta } from '../support/mcp.ts';
import { send, setRules } from '../support/policy.ts';
import { callSet, listSet, makeSet, modernSetRpc, setRpc } from '../support/sets.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';
import { waitUntil } from '../support/wait.ts';

let app: TestApp;
let ana: TestUser;
let ben: TestUser;
const TOOLS = ['shout', 'keyed_whoami', 'echo_image', 'echo_items', 'echo_fail', 'time_now', 'echo_text'];
const values = { region: 'eu', apiKey: 'k' };
const textOf = ({ content }: Record<string, unknown>) => (content as { text: string }[])[0]?.text;

beforeAll(async () => {
  app = await createTestApp({ ports: { integrations: smallWorld } });
  ana = await app.user();
  ben = await app.user('ben@example.com');
  await makeSet(app, ana, 'work', TOOLS, { title: 'Work', description: 'For the morning.' });
});
afterAll(() => app.close());

describe('the list of a set', () => {
  it('has its tools in its order, then read_result, and connect while something is not connected', async () => {
    const tools = await listSet(app, ana.keyHeader, 'work');
    expect(tools.map(({ name }) => name)).toEqual([...TOOLS, 'read_result', 'connect']);
    expect(tools.at(-1)?.inputSchema.properties['integration']?.['enum']).toEqual(['keyed']);
    await makeSet(app, ana, 'open', ['time_now']);
    expect((await listSet(app, ana.keyHeader, 'open')).map(({ name }) => name)).toEqual([
      'time_now',
      'read_result',
    ]);
  });

  it('describes a tool with a title, its schema, hints and an icon', async () => {
    const [shout] = await listSet(app, ana.keyHeader, 'work');
    expect(shout).toStrictEqual({
      name: 'shout',
      title: 'Echo: shout',
      description: 'Built in, without a prefix',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, openWorldHint: true },
      icons: [
        {
          src: 'http://localhost:3000/api/integrations/echo/logo',
          mimeType: 'image/svg+xml',
          sizes: ['any'],
        },
      ],
    });
  });

  it('says of a tool that reaches nothing outside that it does not', async () => {
    const tools = await listSet(app, ana.keyHeader, 'work');
    expect(tools.find(({ name }) => name === 'time_now')?.annotations).toEqual({
      readOnlyHint: true,
      openWorldHint: false,
    });
  });

  it('says of a modern server how long it may be kept, by its person only', async () => {
    const { status, body } = await modernSetRpc(app, ana.keyHeader, 'work', 'tools/list');
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      ttlMs: 60_000,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'work', title: 'Work' } },
    });
    const legacy = await setRpc(app, ana.keyHeader, 'work', 'tools/list');
    expect(body.result?.['tools']).toEqual(legacy.body.result?.['tools']);
  });

  it('leaves out what a rule blocks, and calls answer with the rule', async () => {
    const eva = await app.user('eva@example.com');
    await makeSet(app, eva, 'work', TOOLS);
    await setRules(app, eva, [{ tool: 'shout', decision: 'block' }]);
    const names = (await listSet(app, eva.keyHeader, 'work')).map(({ name }) => name);
    expect(names).not.toContain('shout');
    expect(names).toContain('time_now');
    const blocked = await callSet(app, eva.keyHeader, 'work', 'shout', { text: 'x' });
    expect(blocked['isError']).toBe(true);
    expect(textOf(blocked)).toMatch(/^BLOCKED: The person does not allow shout/);
  });

  it('offers several accounts in an argument that never hides one of the tool', async () => {
    const eva = await app.user('several@example.com');
    await makeSet(app, eva, 'work', TOOLS);
    await send(app, eva.keyHeader, 'POST', '/api/auth/apikey/keyed', { values });
    const one = await listSet(app, eva.keyHeader, 'work');
    expect(one.find(({ name }) => name === 'keyed_whoami')?.inputSchema.properties).not.toHaveProperty(
      'account',
    );
    expect(one.map(({ name }) => name)).not.toContain('connect');
    await send(app, eva.keyHeader, 'POST', '/api/auth/apikey/keyed', { values, account: 'second' });
    const two = await listSet(app, eva.keyHeader, 'work');
    expect(two.find(({ name }) => name === 'keyed_whoami')?.inputSchema.properties['account']).toMatchObject({
      type: 'string',
      enum: expect.arrayContaining(['second']),
    });
    const called = await callSet(app, eva.keyHeader, 'work', 'keyed_whoami', { account: 'second' });
    expect(called).toEqual({ content: [{ type: 'text', text: 'me at keyed' }] });
    const wrong = await callSet(app, eva.keyHeader, 'work', 'keyed_whoami', { account: 'nobody' });
    expect(textOf(wrong)).toMatch(/^UNKNOWN_ACCOUNT: .*"second"/);
  });
});

describe('a call', () => {
  it('answers a text as the text', async () => {
    expect(await callSet(app, ana.keyHeader, 'work', 'shout', { text: 'hello' })).toEqual({
      content: [{ type: 'text', text: 'HELLO' }],
    });
  });

  it('answers a picture as a picture, and a value as JSON', async () => {
    const picture = await callSet(app, ana.keyHeader, 'work', 'echo_image');
    expect(picture['content']).toEqual([{ type: 'image', data: expect.any(String), mimeType: 'image/png' }]);
    const items = await callSet(app, ana.keyHeader, 'work', 'echo_items', { count: 2 });
    expect(JSON.parse(textOf(items) ?? '')).toHaveLength(2);
  });

  it('cuts a long result, and read_result reads the rest', async () => {
    const long = await callSet(app, ana.keyHeader, 'work', 'echo_items', { count: 2_000 });
    const handle = /"handle":"([^"]+)"/.exec(textOf(long) ?? '')?.[1];
    const rest = await callSet(app, ana.keyHeader, 'work', 'read_result', { handle, path: '/1999/name' });
    expect(JSON.parse(textOf(rest) ?? '')).toEqual({ value: 'item 1999', total: 9 });
  });

  it('answers a failure and wrong arguments as errors with a sentence', async () => {
    const failed = await callSet(app, ana.keyHeader, 'work', 'echo_fail');
    expect(failed).toEqual({ content: [{ type: 'text', text: 'upstream said no' }], isError: true });
    const wrong = await callSet(app, ana.keyHeader, 'work', 'shout', {});
    expect(wrong['isError']).toBe(true);
    expect(textOf(wrong)).toMatch(/^Invalid arguments. text: /);
  });

  it('answers with the link where the tool is not connected', async () => {
    const answer = await callSet(app, ana.keyHeader, 'work', 'keyed_whoami');
    expect(answer['isError']).toBe(true);
    expect(textOf(answer)).toMatch(
      /^NOT_CONNECTED: Show the person this address, .*: http:\/\/\S+\/integrations\/keyed\?connect=apikey/,
    );
    const connect = await callSet(app, ana.keyHeader, 'work', 'connect', { integration: 'keyed' });
    expect(JSON.parse(textOf(connect) ?? '')).toMatchObject({ type: 'apikey', url: expect.any(String) });
    const other = await modernSetRpc(app, ana.keyHeader, 'work', 'tools/call', {
      name: 'connect',
      arguments: { integration: 'vaulted' },
    });
    expect(other.body.result).toMatchObject({ isError: true });
  });

  it.each(['echo_wait', 'execute_tools', 'search_tools', 'curl_session', 'nothing', '__proto__'])(
    'does not know %s',
    async (name) => {
      const { body } = await setRpc(app, ana.keyHeader, 'work', 'tools/call', { name, arguments: {} });
      expect(body.error).toEqual({ code: -32_602, message: `Tool not found: ${name}` });
    },
  );

  it('has one audit row, and notes who uses the set', async () => {
    const eva = await app.user('audited@example.com');
    await makeSet(app, eva, 'mine', ['shout']);
    await callSet(app, eva.keyHeader, 'mine', 'shout', { text: 'x' });
    const { body } = await send(app, eva.sessionHeader, 'GET', '/api/audit');
    expect(body.entries).toMatchObject([{ tool: 'shout', action: 'EXECUTE', actor: 'key' }]);
    const shown = await send(app, eva.sessionHeader, 'GET', '/api/sets/mine');
    expect(shown.body.uses).toEqual([{ caller: 'key', name: null, lastUsedAt: app.clock.now() }]);
  });

  it('that needs an approval answers with the address, and runs once after the yes', async () => {
    const eva = await app.user('asked@example.com');
    await makeSet(app, eva, 'mine', ['shout']);
    await setRules(app, eva, [{ tool: 'shout', decision: 'ask' }]);
    const asked = await callSet(app, eva.keyHeader, 'mine', 'shout', { text: 'x' });
    expect(asked['isError']).toBe(true);
    expect(textOf(asked)).toMatch(/^APPROVAL_REQUIRED: .*\/approvals\//s);
    const id = /\/approvals\/([0-9a-f-]+)/.exec(textOf(asked) ?? '')?.[1];
    await send(app, eva.sessionHeader, 'POST', `/api/approvals/${id}`, { decision: 'approve' });
    expect(textOf(await callSet(app, eva.keyHeader, 'mine', 'shout', { text: 'x' }))).toBe('X');
    expect(textOf(await callSet(app, eva.keyHeader, 'mine', 'shout', { text: 'x' }))).toMatch(/^APPROVAL/);
  });

  it('that needs an approval is a task for a client that knows tasks, and ends as the call itself', async () => {
    // The beat of a task that runs follows the clock.
    const still = await createTestApp({
      ports: { integrations: smallWorld, clock: createManualClock() },
      env: { CALL_DETAILS: 'off' },
    });
    const eva = await still.user('tasks@example.com');
    await makeSet(still, eva, 'mine', ['shout']);
    await setRules(still, eva, [{ tool: 'shout', decision: 'ask' }]);
    const _meta = {
      ...modernMeta,
      'io.modelcontextprotocol/clientCapabilities': {
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
    };
    const ask = async (method: string, params: Record<string, unknown>) =>
      (await modernSetRpc(still, eva.keyHeader, 'mine', method, { _meta, ...params })).body.result ?? {};
    const begun = await ask('tools/call', { name: 'shout', arguments: { text: 'x' } });
    expect(begun).toMatchObject({ resultType: 'task', status: 'working' });
    const id = /\/approvals\/([0-9a-f-]+)/.exec(String(begun['statusMessage']))?.[1];
    await send(still, eva.sessionHeader, 'POST', `/api/approvals/${id}`, { decision: 'approve' });
    let task: Record<string, unknown> = {};
    await waitUntil(
      'the end of the task',
      async () => {
        task = await ask('tasks/get', { taskId: begun['taskId'] });
        return task['status'] === 'completed';
      },
      () => task,
    );
    expect(task['result']).toMatchObject({ content: [{ type: 'text', text: 'X' }] });
    await still.close();
  });

  it('that needs an approval asks a modern client that opens addresses, and ends after a no to look', async () => {
    // A stream waits, and its clock must not run ahead.
    const slow = await createTestApp({
      ports: { integrations: smallWorld, clock: createManualClock() },
      env: { CALL_DETAILS: 'off' },
    });
    const eva = await slow.user('elicited@example.com');
    await makeSet(slow, eva, 'mine', ['shout']);
    await setRules(slow, eva, [{ tool: 'shout', decision: 'ask' }]);
    const params = {
      _meta: {
        ...modernMeta,
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
      },
      name: 'shout',
      arguments: { text: 'x' },
    };
    const asked = await modernSetRpc(slow, eva.keyHeader, 'mine', 'tools/call', params);
    expect(asked.body.result).toMatchObject({ resultType: 'input_required' });
    const { inputRequests = {}, requestState } = asked.body.result ?? {};
    const [id = ''] = Object.keys(inputRequests as object);
    const declined = await modernSetRpc(slow, eva.keyHeader, 'mine', 'tools/call', {
      ...params,
      requestState,
      inputResponses: { [id]: { action: 'decline' } },
    });
    expect(declined.body.result).toMatchObject({ isError: true, resultType: 'complete' });
    await send(slow, eva.sessionHeader, 'POST', `/api/approvals/${id}`, { decision: 'approve' });
    const ran = await modernSetRpc(slow, eva.keyHeader, 'mine', 'tools/call', {
      ...params,
      requestState,
      inputResponses: { [id]: { action: 'accept' } },
    });
    expect(ran.body.result).toMatchObject({ content: [{ type: 'text', text: 'X' }] });
    await slow.close();
  });
});

describe('the address of a set', () => {
  it('introduces itself to both eras', async () => {
    const { body } = await setRpc(app, ana.keyHeader, 'work', 'initialize', {
      protocolVersion: '2025-11-25',
    });
    expect(body.result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'work', title: 'Work', version: '0.1.0' },
      instructions: expect.stringMatching(/^Tools that were chosen for "Work". For the morning./),
    });
    const discovered = await modernSetRpc(app, ana.keyHeader, 'work', 'server/discover');
    expect(discovered.body.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      cacheScope: 'private',
    });
    expect((await setRpc(app, ana.keyHeader, 'work', 'ping')).body.result).toEqual({});
    expect((await setRpc(app, ana.keyHeader, 'work', 'nope')).body.error?.code).toBe(-32_601);
  });

  it('answers 405 to other methods, and 404 alike to what is unknown, misspelled or of somebody else', async () => {
    expect((await app.request('/mcp/sets/work')).status).toBe(405);
    const answers = [];
    for (const [who, name] of [
      [ben, 'work'],
      [ben, 'unknown'],
      [ana, 'unknown'],
      [ana, 'WORK'],
      [ana, 'a%00b'],
      [ana, 'x'.repeat(60)],
    ] as const)
      for (const method of ['tools/list', 'tools/call', 'initialize', 'ping'])
        answers.push(await setRpc(app, who.keyHeader, name, method, { name: 'shout', arguments: {} }));
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32_600, message: 'There is no set of this name' },
      });
    }
  });

  it('challenges with metadata of its own, whether the set exists or not', async () => {
    for (const name of ['work', 'unknown']) {
      const { status, headers, body } = await setRpc(app, {}, name, 'tools/list');
      const metadata = `http://localhost:3000/.well-known/oauth-protected-resource/mcp/sets/${name}`;
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe(`Bearer realm="service", resource_metadata="${metadata}"`);
      expect(body.error?.data).toEqual({ resource_metadata: metadata });
      expect(await (await app.request(new URL(metadata).pathname)).json()).toEqual({
        resource: `http://localhost:3000/mcp/sets/${name}`,
        authorization_servers: ['http://localhost:3000'],
        bearer_methods_supported: ['header'],
        scopes_supported: ['mcp'],
      });
    }
    expect((await app.request('/.well-known/oauth-protected-resource/mcp/sets/A%00')).status).toBe(404);
  });

  it('narrows a caller further by its query', async () => {
    const response = await app.request('/mcp/sets/work?integrations=time', {
      method: 'POST',
      headers: ana.keyHeader,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = await response.json();
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['time_now', 'read_result']);
  });
});
