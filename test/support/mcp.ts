// Calls /mcp in tests with the protocol of each era.
import type { TestApp } from './test-app.ts';

/** The meta-tools in the order of tools/list. decision: 031 */
export const NINE = [
  'list_integrations',
  'search_tools',
  'get_tool_schema',
  'execute_tools',
  'connect',
  'get_auth_url',
  'wait_for_connection',
  'curl_session',
  'read_result',
];

export interface Answer {
  status: number;
  headers: Headers;
  body: {
    jsonrpc: string;
    id: unknown;
    result?: Record<string, unknown>;
    error?: { code: number; message: string; data?: Record<string, unknown> };
  };
}

type Target = Pick<TestApp, 'request'>;

export async function post(app: Target, headers: Record<string, string>, body: string): Promise<Answer> {
  const response = await app.request('/mcp', { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

export function rpc(
  app: Target,
  headers: Record<string, string>,
  method: string,
  params?: object,
): Promise<Answer> {
  return post(
    app,
    headers,
    JSON.stringify({ jsonrpc: '2.0', id: 7, method, ...(params === undefined ? {} : { params }) }),
  );
}

/** The first text of a result. */
export function textOf(result: Record<string, unknown> | undefined): string {
  const content = result?.['content'];
  return Array.isArray(content) ? String(content[0]?.text) : '';
}

/** Calls a meta-tool and returns the single text of its result. */
export async function callText(
  app: Target,
  headers: Record<string, string>,
  name: string,
  args: object = {},
): Promise<string> {
  const { body } = await rpc(app, headers, 'tools/call', { name, arguments: args });
  const content = body.result?.['content'];
  if (!Array.isArray(content) || content.length !== 1 || content[0].type !== 'text') {
    throw new Error(`not one text: ${JSON.stringify(body).slice(0, 500)}`);
  }
  return content[0].text;
}

/** Calls a meta-tool and parses the text of its result as JSON. */
export async function call(app: Target, headers: Record<string, string>, name: string, args: object = {}) {
  return JSON.parse(await callText(app, headers, name, args));
}

const VERSION = '2026-07-28';

export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export function modernHeaders(method: string, name?: string): Record<string, string> {
  const headers = { 'MCP-Protocol-Version': VERSION, 'Mcp-Method': method };
  return name === undefined ? headers : { ...headers, 'Mcp-Name': name };
}
