// Does what an agent does, through any client: finds a tool, reads its schema, runs it.
import { expect } from 'vitest';
import { NINE } from '../support/mcp.ts';

/** The methods that the clients of both SDK generations share. */
interface ToolClient {
  listTools(): Promise<{ tools: { name: string; description?: string | undefined; inputSchema: unknown }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

export async function useTools(client: ToolClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(NINE);

  const call = async (name: string, args: Record<string, unknown> = {}) =>
    textOf(await client.callTool({ name, arguments: args }));
  expect(await call('list_integrations')).toMatchObject({
    integrations: expect.arrayContaining([{ name: 'time', version: '1.0.0', connected: true }]),
  });
  expect(await call('search_tools', { query: 'time zone' })).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ name: 'time_now', integration: 'time' })]),
  });
  expect(await call('get_tool_schema', { tool: 'time_now' })).toMatchObject({
    schema: { type: 'object', properties: { timeZone: { default: 'UTC' } }, additionalProperties: false },
  });
  const executions = [
    { tool: 'time_now', args: { timeZone: 'Europe/Berlin' } },
    { tool: 'no_such_tool', args: {} },
  ];
  expect(await call('execute_tools', { executions })).toMatchObject({
    results: [{ result: { timeZone: 'Europe/Berlin' } }, { error: 'Tool not found' }],
  });
  // This response begins with white space long before its content.
  const connectionId = 'f3b7c1de-0000-4000-8000-000000000000';
  expect(await call('wait_for_connection', { connectionId })).toEqual({ error: 'Unknown connectionId' });
}

function textOf({ content }: Record<string, unknown>): unknown {
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }]);
  return Array.isArray(content) ? JSON.parse(content[0].text) : null;
}
