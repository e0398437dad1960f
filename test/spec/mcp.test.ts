// Tests MCP in the legacy eras. reference: MCP endpoint
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, post, rpc, NINE } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterAll(() => app.close());

function listed(body: Answer['body']): { name: string; inputSchema: object }[] {
  const tools = body.result?.['tools'];
  if (!Array.isArray(tools)) throw new Error('no tools');
  return tools;
}

describe('MCP: initialize', () => {
  it('echoes the version that the client asks for', async () => {
    for (const protocolVersion of ['2025-06-18', '2025-11-25', '2024-11-05', 'anything']) {
      const { status, body } = await rpc(app, ana.keyHeader, 'initialize', { protocolVersion });
      expect(status).toBe(200);
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: 7,
        result: {
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'service', version: '0.1.0' },
          instructions: expect.stringMatching(/search_tools.*execute_tools.*connect/s),
        },
      });
    }
  });

  it('answers 2025-06-18 to a missing version, or one that is not text', async () => {
    for (const params of [undefined, {}, { protocolVersion: 5 }, { protocolVersion: null }]) {
      const { body } = await rpc(app, ana.keyHeader, 'initialize', params);
      expect(body.result?.['protocolVersion']).toBe('2025-06-18');
    }
  });

  it('neither reads nor sends a session id', async () => {
    const { headers } = await rpc(app, { ...ana.keyHeader, 'mcp-session-id': 'x' }, 'initialize');
    expect(headers.get('mcp-session-id')).toBeNull();
  });
});

describe('MCP: messages that get no result', () => {
  it.each(['notifications/initialized', 'initialized', 'notifications/cancelled', 'anything/else'])(
    'answers 202 with an empty body to %s without an id',
    async (method) => {
      const response = await app.request('/mcp', {
        method: 'POST',
        headers: ana.keyHeader,
        body: JSON.stringify({ jsonrpc: '2.0', method }),
      });
      expect(response.status).toBe(202);
      expect(await response.text()).toBe('');
    },
  );

  it.each(['notifications/initialized', 'initialized'])(
    'answers 202 with an empty body to %s with an id',
    async (method) => {
      const { status, body } = await rpc(app, ana.keyHeader, method);
      expect([status, body]).toEqual([202, null]);
    },
  );

  it.each(['"result":{}', '"error":{"code":-32601,"message":"Method not found"}'])(
    'answers 202 to a response of the client: %s',
    async (outcome) => {
      const { status } = await post(app, ana.keyHeader, `{"jsonrpc":"2.0","id":1,${outcome}}`);
      expect(status).toBe(202);
    },
  );
});

describe('MCP: methods', () => {
  it("lists the nine meta-tools in order, and no integration's tool", async () => {
    const { body } = await rpc(app, ana.keyHeader, 'tools/list');
    const tools = listed(body);
    expect(tools.map(({ name }) => name)).toEqual(NINE);
    for (const tool of tools)
      expect(Object.keys(tool)).toEqual(['name', 'title', 'annotations', 'description', 'inputSchema']);
  });

  it('keeps the listed surface as it is reviewed', async () => {
    const { body } = await rpc(app, ana.keyHeader, 'tools/list');
    expect(body.result).toMatchSnapshot();
  });

  it('gives every meta-tool a portable schema', async () => {
    const { body } = await rpc(app, ana.keyHeader, 'tools/list');
    for (const { inputSchema } of listed(body)) {
      expect(inputSchema).toMatchObject({
        type: 'object',
        properties: {},
        required: expect.any(Array),
        additionalProperties: false,
      });
      expect(JSON.stringify(inputSchema)).not.toMatch(/\$schema|anyOf|"format"|9007199254740991/);
    }
  });

  it('lists no resources and no prompts, and answers a ping', async () => {
    expect((await rpc(app, ana.keyHeader, 'resources/list')).body.result).toEqual({ resources: [] });
    expect((await rpc(app, ana.keyHeader, 'prompts/list')).body.result).toEqual({ prompts: [] });
    expect((await rpc(app, ana.keyHeader, 'ping')).body.result).toEqual({});
  });

  it.each(['nope', 'tools/cal', '__proto__', 'constructor', 'toString', ''])(
    'answers -32601 to the method "%s"',
    async (method) => {
      const { status, body } = await rpc(app, ana.keyHeader, method);
      expect(status).toBe(200);
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32601, message: `Method not found: ${method}` },
      });
    },
  );

  it.each(['nope', 'time_now', '__proto__', 'constructor'])(
    'answers -32602 to a call of the tool "%s"',
    async (name) => {
      const { status, body } = await rpc(app, ana.keyHeader, 'tools/call', { name, arguments: {} });
      expect(status).toBe(200);
      expect(body.error).toEqual({ code: -32602, message: `Tool not found: ${name}` });
    },
  );

  it.each([
    [{ name: 'search_tools', arguments: {} }, 'query'],
    [{ name: 'search_tools', arguments: { query: 5 } }, 'query'],
    [{ name: 'search_tools', arguments: { query: 'x', more: 1 } }, 'more'],
    [{ name: 'search_tools', arguments: [] }, 'arguments'],
    [{ name: 'wait_for_connection', arguments: { connectionId: 'x', timeoutSec: 901 } }, 'timeoutSec'],
    [{ name: 'wait_for_connection', arguments: { connectionId: 'x', timeoutSec: 0 } }, 'timeoutSec'],
    [{ name: 'execute_tools' }, 'executions'],
    [{ name: 'execute_tools', arguments: { executions: 'x' } }, 'executions'],
    [{ name: 'execute_tools', arguments: { executions: { length: 10_001 } } }, 'expected array'],
    [{ name: 'execute_tools', arguments: { executions: [{ args: {} }] } }, 'executions.0.tool'],
    [{ name: 5 }, 'name'],
    [{}, 'name'],
  ])('names the wrong argument of %j', async (params, argument) => {
    const { status, body } = await rpc(app, ana.keyHeader, 'tools/call', params);
    expect(status).toBe(200);
    expect(body.error?.code).toBe(-32602);
    expect(body.error?.message).toMatch(/^Invalid arguments: /);
    expect(body.error?.message).toContain(argument);
  });

  it.each([
    [{ name: 'list_integrations', arguments: { all: 1 } }, 'Unrecognized key: "all" (there are none)'],
    [
      { name: 'wait_for_connection', arguments: { connectionId: 'x', timeout: 5, seconds: 5 } },
      'Unrecognized keys: "timeout", "seconds" (known: connectionId, timeoutSec)',
    ],
    [
      { name: 'execute_tools', arguments: { executions: [{ tool: 'shout', input: {} }] } },
      'executions.0: Unrecognized key: "input" (known: tool, args, select, account, key)',
    ],
    [
      { name: 'execute_tools', arguments: { executions: [{ tool: 'shout', args: '[]' }] } },
      'executions.0.args: must be an object',
    ],
  ])('says what would be right instead of %j', async (params, message) => {
    const { body } = await rpc(app, ana.keyHeader, 'tools/call', params);
    expect(body.error).toEqual({ code: -32602, message: `Invalid arguments: ${message}` });
  });

  it.each([
    [10_000, /^Invalid arguments: executions\.0: /],
    [10_001, /^Invalid arguments: executions: at most 10000 at a time$/],
  ])('checks %i executions: %s', async (length, message) => {
    const executions = Array.from({ length }, () => 0);
    const { body } = await rpc(app, ana.keyHeader, 'tools/call', {
      name: 'execute_tools',
      arguments: { executions },
    });
    expect(body.error?.message).toMatch(message);
  });

  it('returns the id unchanged, text or number', async () => {
    for (const id of ['', 'abc', '1', 0, -1, 1.5]) {
      const { body } = await post(app, ana.keyHeader, JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
      expect(body).toEqual({ jsonrpc: '2.0', id, result: {} });
    }
  });
});

describe('MCP: transport', () => {
  it.each(['GET', 'DELETE', 'PUT'])('answers 405 to %s, before it checks the credential', async (method) => {
    const response = await app.request('/mcp', { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(response.headers.get('content-type')).toContain('application/json');
  });

  it('treats /mcp/ like /mcp', async () => {
    const response = await app.request('/mcp/', {
      method: 'POST',
      headers: ana.keyHeader,
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });

  it('answers whatever the client accepts', async () => {
    for (const accept of ['text/html', 'text/event-stream', 'application/json', '']) {
      expect((await rpc(app, { ...ana.keyHeader, accept }, 'ping')).status).toBe(200);
    }
  });

  it('allows pages from its own origin, the portal and, on loopback, loopback', async () => {
    for (const origin of ['http://localhost:3000', 'http://localhost:5173', 'http://127.0.0.1:9']) {
      const { status, headers } = await rpc(app, { ...ana.keyHeader, origin }, 'ping');
      expect([origin, status]).toEqual([origin, 200]);
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('access-control-expose-headers')).toBe(
        'WWW-Authenticate,X-Request-Id,Idempotent-Replayed',
      );
    }
  });

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example'])(
    'answers 403 to the origin %s',
    async (origin) => {
      const { status, headers, body } = await rpc(app, { ...ana.keyHeader, origin }, 'ping');
      expect(status).toBe(403);
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: expect.stringContaining('MCP_ALLOWED_ORIGINS') },
      });
    },
  );

  it('answers a preflight with 204 and echoes the requested headers', async () => {
    const response = await app.request('/mcp', {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:3000',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,mcp-protocol-version',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')).toBe('authorization,mcp-protocol-version');
  });

  it.each([
    'https://app.example',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    'vscode-webview://0a1b2c',
    'app://obsidian.md',
  ])('allows pages from origins that the operator names: %s', async (origin) => {
    const other = await createTestApp({ env: { MCP_ALLOWED_ORIGINS: `https://other.example, ${origin}` } });
    const answer = await rpc(other, { ...(await other.user()).keyHeader, origin }, 'ping');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    await other.close();
  });
});
