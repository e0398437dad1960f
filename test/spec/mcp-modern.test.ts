// Tests the MCP era without a handshake. decision: 031, the era without a handshake
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modernHeaders, modernMeta, rpc } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterAll(() => app.close());

const SERVER = { 'io.modelcontextprotocol/serverInfo': { name: 'service', version: '0.1.0' } };
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

function modern(
  method: string,
  params: object = {},
  headers: Record<string, string> = modernHeaders(method),
) {
  return rpc(app, { ...ana.keyHeader, ...headers }, method, { _meta: modernMeta, ...params });
}

describe('MCP 2026-07-28', () => {
  it('answers discovery with versions and capabilities', async () => {
    const { status, body } = await modern('server/discover');
    expect(status).toBe(200);
    expect(body.result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {
        tools: {},
        resources: {},
        prompts: {},
        extensions: { 'io.modelcontextprotocol/skills': {}, 'io.modelcontextprotocol/tasks': {} },
      },
      instructions: expect.stringContaining('search_tools'),
      ttlMs: expect.any(Number),
      cacheScope: 'public',
      _meta: SERVER,
    });
  });

  it.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    'marks %s complete and cacheable',
    async (method) => {
      const { status, body } = await modern(method);
      expect(status).toBe(200);
      expect(body.result).toMatchObject({
        resultType: 'complete',
        ttlMs: expect.any(Number),
        cacheScope: 'public',
        _meta: SERVER,
      });
    },
  );

  it('lists the same nine tools as the legacy era', async () => {
    const { body } = await modern('tools/list');
    const legacy = await rpc(app, ana.keyHeader, 'tools/list');
    expect(body.result?.['tools']).toEqual(legacy.body.result?.['tools']);
  });

  it('calls a tool', async () => {
    const params = { name: 'list_integrations', arguments: {} };
    const { status, body } = await modern(
      'tools/call',
      params,
      modernHeaders('tools/call', 'list_integrations'),
    );
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }], _meta: SERVER });
    expect(body.result).not.toHaveProperty('ttlMs');
  });

  it('accepts a header value in its base64 form, and one with white space around it', async () => {
    const params = { name: 'list_integrations', arguments: {} };
    for (const name of [`=?base64?${btoa('list_integrations')}?=`, '  list_integrations  ']) {
      const { status } = await modern('tools/call', params, modernHeaders('tools/call', name));
      expect(status).toBe(200);
    }
  });

  it.each([
    ['resources/read', { uri: 'file:///x' }],
    ['prompts/get', { name: 'x' }],
  ])('answers %s with 400 and -32602, and names what was asked for', async (method, asked) => {
    const { status, body } = await modern(method, asked, modernHeaders(method, Object.values(asked)[0]));
    expect(status).toBe(400);
    expect(body.error).toEqual({ code: -32602, message: expect.stringMatching(/not found$/), data: asked });
  });

  it('recognizes the era by the body, never by the header alone', async () => {
    const { status, body } = await rpc(
      app,
      { ...ana.keyHeader, 'MCP-Protocol-Version': '2026-07-28' },
      'initialize',
    );
    expect(status).toBe(200);
    expect(body.result).not.toHaveProperty('resultType');
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'nope', '__proto__'])(
    'answers 404 and -32601 to %s',
    async (method) => {
      const { status, body } = await modern(method);
      expect(status).toBe(404);
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32601, message: `Method not found: ${method}` },
      });
    },
  );

  it.each([
    ['a call of an unknown tool', { name: 'nope', arguments: {} }, 'nope'],
    ['arguments that are no object', { name: 'search_tools', arguments: [] }, 'search_tools'],
    ['a call of no tool', {}, undefined],
    ['a call of what is no name', { name: 5 }, undefined],
  ])('answers 400 and -32602 to %s', async (_, params, name) => {
    const { status, body } = await modern('tools/call', params, modernHeaders('tools/call', name));
    expect([status, body.error?.code]).toEqual([400, -32602]);
  });
});

describe('MCP 2026-07-28: checks of a request, in order', () => {
  const discover = (meta: object, headers: Record<string, string> = {}) =>
    rpc(app, { ...ana.keyHeader, ...headers }, 'server/discover', { _meta: meta });

  it.each([
    [{}],
    [{ [VERSION_KEY]: '2026-07-28' }],
    [{ [CAPABILITIES_KEY]: {} }],
    [{ [VERSION_KEY]: 5, [CAPABILITIES_KEY]: {} }],
    [{ [VERSION_KEY]: '2026-07-28', [CAPABILITIES_KEY]: 'x' }],
  ])('answers -32602 to a _meta without its fields: %j', async (meta) => {
    const { status, body } = await discover(meta, { 'MCP-Protocol-Version': 'other' });
    expect([status, body.error?.code]).toEqual([400, -32602]);
  });

  it('answers -32602 to a missing _meta', async () => {
    for (const params of [undefined, {}, { _meta: null }, { _meta: 5 }, { _meta: [] }]) {
      const headers = { ...ana.keyHeader, ...modernHeaders('server/discover') };
      const { status, body } = await rpc(app, headers, 'server/discover', params);
      expect([status, body.error?.code]).toEqual([400, -32602]);
    }
  });

  it.each([[{}], [{ 'MCP-Protocol-Version': '2025-06-18' }]])(
    'answers -32020 when the version header differs: %j',
    async (headers) => {
      const { status, body } = await discover({ ...modernMeta, [VERSION_KEY]: '1999-01-01' }, headers);
      expect([status, body.error?.code]).toEqual([400, -32020]);
    },
  );

  it('answers -32022 with the supported versions to an unsupported one', async () => {
    const { status, body } = await discover(
      { ...modernMeta, [VERSION_KEY]: '2099-01-01' },
      { 'MCP-Protocol-Version': '2099-01-01' },
    );
    expect([status, body.error?.code]).toEqual([400, -32022]);
    expect(body.error?.data).toEqual({ supported: ['2026-07-28'], requested: '2099-01-01' });
  });

  it.each([undefined, 'prompts/list', 'TOOLS/LIST'])(
    'answers -32020 when Mcp-Method differs from the method: %s',
    async (value) => {
      const headers: Record<string, string> = { 'MCP-Protocol-Version': '2026-07-28' };
      if (value !== undefined) headers['Mcp-Method'] = value;
      const { status, body } = await modern('tools/list', {}, headers);
      expect([status, body.error?.code]).toEqual([400, -32020]);
    },
  );

  it.each([
    ['resources/read', { uri: 'file:///x' }],
    ['prompts/get', { name: 'x' }],
  ])('answers -32020 when Mcp-Name is missing or another for %s', async (method, asked) => {
    for (const name of [undefined, 'other']) {
      const { status, body } = await modern(method, asked, modernHeaders(method, name));
      expect([status, body.error?.code]).toEqual([400, -32020]);
    }
  });

  it.each([undefined, 'other_tool', '=?base64?%%%?='])(
    'answers -32020 when Mcp-Name differs from the tool: %s',
    async (name) => {
      const { status, body } = await modern(
        'tools/call',
        { name: 'list_integrations' },
        modernHeaders('tools/call', name),
      );
      expect([status, body.error?.code]).toEqual([400, -32020]);
    },
  );
});
