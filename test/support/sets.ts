// Makes sets, and asks their addresses as clients of both eras do.
import { type Answer, modernHeaders, modernMeta } from './mcp.ts';
import { type Headers, send } from './policy.ts';
import type { TestApp } from './test-app.ts';

type Target = Pick<TestApp, 'request'>;

export async function makeSet(
  app: Target,
  { sessionHeader }: { sessionHeader: Headers },
  name: string,
  tools: readonly string[],
  more: object = {},
): Promise<void> {
  const answer = await send(app, sessionHeader, 'POST', '/api/sets', { name, tools, ...more });
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Sends one message of the era of 2025 to the address of a set. */
export async function setRpc(
  app: Target,
  headers: Headers,
  set: string,
  method: string,
  params?: object,
): Promise<Answer> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, ...(params === undefined ? {} : { params }) });
  const response = await app.request(`/mcp/sets/${set}`, { method: 'POST', headers, body });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** The same in the era of 2026. */
export function modernSetRpc(
  app: Target,
  headers: Headers,
  set: string,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Answer> {
  const named = params['name'] ?? params['uri'];
  const name = typeof named === 'string' ? named : undefined;
  return setRpc(app, { ...headers, ...modernHeaders(method, name) }, set, method, {
    _meta: modernMeta,
    ...params,
  });
}

export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: string; properties: Record<string, Record<string, unknown>>; required?: string[] };
  outputSchema?: object;
  annotations: Record<string, boolean>;
  icons?: object[];
}

export async function listSet(app: Target, headers: Headers, set: string): Promise<ListedTool[]> {
  const { body } = await setRpc(app, headers, set, 'tools/list');
  // The tests look at what is listed.
  return body.result?.['tools'] as ListedTool[];
}

export async function callSet(
  app: Target,
  headers: Headers,
  set: string,
  name: string,
  args: object = {},
): Promise<Record<string, unknown>> {
  const { body } = await setRpc(app, headers, set, 'tools/call', { name, arguments: args });
  if (body.result === undefined) throw new Error(JSON.stringify(body));
  return body.result;
}
