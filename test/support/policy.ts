// Asks the routes of keys, rules and approvals, and calls tools as an agent does.
import { call } from './mcp.ts';
import type { TestApp, TestUser } from './test-app.ts';

export type Headers = Record<string, string>;
type Target = Pick<TestApp, 'request'>;
type Owner = Pick<TestUser, 'sessionHeader'>;

/** Sends JSON and reads the JSON of the answer. */
export async function send(app: Target, headers: Headers, method: string, path: string, body?: unknown) {
  const response = await app.request(path, {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers: answered } = response;
  return { status, cacheControl: answered.get('cache-control'), body: await response.json() };
}

/** Makes a named key, and returns its row and the header that presents it. */
export async function makeKey(app: Target, { sessionHeader }: Owner, form: object = {}) {
  const body = { name: 'An agent', ...form };
  const answer = await send(app, sessionHeader, 'POST', '/api/agent-keys', body);
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  const { key, ...row } = answer.body;
  return { id: String(row.id), key: String(key), row, header: { 'x-service-api-key': String(key) } };
}

export async function setRules(app: Target, { sessionHeader }: Owner, rules: object[]): Promise<void> {
  const answer = await send(app, sessionHeader, 'PUT', '/api/policy', { rules });
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Runs one tool over MCP, and returns its outcome. */
export async function run(app: Target, headers: Headers, tool: string, args: object = {}) {
  return (await call(app, headers, 'execute_tools', { executions: [{ tool, args }] })).results[0];
}

/** Runs `shout`, which a rule asks about, and returns the id of the question. */
export async function askToShout(app: Target, headers: Headers, text: string): Promise<string> {
  const outcome = await run(app, headers, 'shout', { text });
  if (outcome.error !== 'APPROVAL_REQUIRED') throw new Error(JSON.stringify(outcome));
  return outcome.approval.id;
}

/** The header of an OAuth client's access token. */
export function tokenHeader(app: TestApp, { id }: TestUser, clientId = 'client'): Headers {
  const token = app.deps.accessTokens.issue({ userId: id, clientId, scope: 'mcp' });
  return { authorization: `Bearer ${token}` };
}
