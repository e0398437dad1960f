// Tests /mcp with the protocol of both eras.
// reference: MCP endpoint; Meta-tools
import { expect, it } from 'vitest';
import { guides } from '../../../integrations/guides.ts';
import { call, modernHeaders, modernMeta, NINE, post, rpc } from '../../support/mcp.ts';
import type { Subject } from '../app-contract.ts';

export function agentSentences(at: () => Subject): void {
  it('answers the handshake and lists the nine meta-tools', async () => {
    const { gateway, ana } = at();
    const hello = await rpc(gateway, ana.key, 'initialize', { protocolVersion: '2025-11-25' });
    expect(hello.body.result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'service', version: '0.1.0' },
      instructions: expect.stringContaining('search_tools'),
    });
    const { body } = await rpc(gateway, ana.session, 'tools/list');
    expect(body.result?.['tools']).toMatchObject(NINE.map((name) => ({ name })));
    const note = await post(gateway, ana.key, '{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect([note.status, note.body]).toEqual([202, null]);
  });

  it('lets a client of the modern era discover, list and call', async () => {
    const { gateway, ana } = at();
    const ask = (method: string, params: object = {}, name?: string) =>
      rpc(gateway, { ...ana.key, ...modernHeaders(method, name) }, method, { _meta: modernMeta, ...params });
    expect((await ask('server/discover')).body.result).toMatchObject({ resultType: 'complete' });
    const list = await ask('tools/list');
    expect(list.body.result).toMatchObject({ resultType: 'complete', tools: NINE.map((name) => ({ name })) });
    const params = { name: 'list_integrations', arguments: {} };
    const called = await ask('tools/call', params, params.name);
    expect(called.body.result).toMatchObject({ content: [{ type: 'text' }] });
    const mismatched = await rpc(
      gateway,
      { ...ana.key, 'MCP-Protocol-Version': '2025-06-18' },
      'tools/list',
      {
        _meta: modernMeta,
      },
    );
    expect([mismatched.status, mismatched.body.error?.code]).toEqual([400, -32020]);
  });

  it('answers the guides, as skills and beside an unknown tool', async () => {
    const { gateway, ana } = at();
    const uri = 'skill://integrations/github/SKILL.md';
    const headers = { ...ana.key, ...modernHeaders('resources/read', uri) };
    const { body } = await rpc(gateway, headers, 'resources/read', { _meta: modernMeta, uri });
    expect(body.result?.['contents']).toEqual([
      { uri, mimeType: 'text/markdown', text: expect.stringContaining(guides['github'] ?? '') },
    ]);
    expect(await call(gateway, ana.key, 'get_tool_schema', { tool: 'github' })).toEqual({
      error: 'Tool not found',
      guide: guides['github'],
    });
  });

  it('finds a tool, gives its schema, and runs several tools with each failure in its place', async () => {
    const { gateway, ana } = at();
    const { tools } = await call(gateway, ana.key, 'search_tools', { query: 'Current DATE' });
    expect(tools).toContainEqual(expect.objectContaining({ name: 'time_now', integration: 'time' }));
    const { schema } = await call(gateway, ana.key, 'get_tool_schema', { tool: 'time_now' });
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    const executions = [
      { tool: 'time_now', args: { timeZone: 'Europe/Berlin' } },
      { tool: 'no_such_tool', args: {} },
      { tool: 'time_now', args: { zone: 'x' } },
      { tool: 'sentry_list_projects', args: { organizationSlug: 'acme' } },
    ];
    const { results } = await call(gateway, ana.key, 'execute_tools', { executions });
    expect(results).toMatchObject([
      { result: { timeZone: 'Europe/Berlin' } },
      { error: 'Tool not found', integration: null },
      { error: 'Invalid arguments', integration: 'time' },
      { error: 'NOT_CONNECTED', integration: 'sentry', message: expect.stringContaining('Sentry') },
    ]);
  });

  it('challenges a caller without valid credentials and names the error in a bad message', async () => {
    const { gateway, ana } = at();
    const metadata = `${gateway.publicUrl}/.well-known/oauth-protected-resource`;
    for (const headers of [{}, { 'x-service-api-key': 'ff'.repeat(32) }, { authorization: 'Bearer x' }]) {
      const refused = await rpc(gateway, headers, 'tools/list');
      expect([refused.status, refused.body.error]).toEqual([
        401,
        { code: -32001, message: 'Unauthorized', data: { resource_metadata: metadata } },
      ]);
      expect(refused.headers.get('www-authenticate')).toContain(`resource_metadata="${metadata}"`);
    }
    expect((await post(gateway, ana.key, '{')).body.error?.code).toBe(-32700);
    expect((await post(gateway, ana.key, '[]')).body.error?.code).toBe(-32600);
    expect((await rpc(gateway, ana.key, 'no/such')).body.error).toMatchObject({
      code: -32601,
      message: 'Method not found: no/such',
    });
    expect((await rpc(gateway, ana.key, 'tools/call', { name: 'time_now' })).body.error).toMatchObject({
      code: -32602,
      message: 'Tool not found: time_now',
    });
    const got = await gateway.request('/mcp');
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    const large = await gateway.request('/mcp', {
      method: 'POST',
      headers: ana.key,
      body: 'x'.repeat(5 * 1024 * 1024),
    });
    expect(large.status).toBe(413);
  });

  it('refuses a foreign origin and answers a preflight', async () => {
    const { gateway, ana } = at();
    const foreign = await rpc(gateway, { ...ana.key, origin: 'https://evil.example' }, 'tools/list');
    expect(foreign.status).toBe(403);
    const preflight = await gateway.request('/mcp', {
      method: 'OPTIONS',
      headers: { origin: gateway.publicUrl, 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
      204,
      gateway.publicUrl,
    ]);
  });
}
