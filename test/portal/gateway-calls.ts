// Calls the gateway of a portal test as a program or a session does.
import type { Rule } from '../../portal/api/policy.ts';
import type { Subject } from './sections/subject.ts';

type Gateway = Pick<Subject, 'gateway'>;

/** Calls a tool with a key, and returns the status and the error code of a refusal. */
export async function callTool(
  { gateway }: Gateway,
  tool: string,
  {
    key = gateway().apiKey,
    args = {},
    integration = 'jots',
  }: { key?: string; args?: object; integration?: string } = {},
): Promise<{ status: number; error?: string }> {
  const response = await gateway().request(`/rest/${integration}`, {
    method: 'POST',
    headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ tool, args }),
  });
  const { error }: { error?: string } = await response.json();
  return { status: response.status, ...(error === undefined ? {} : { error }) };
}

export async function setRules(
  subject: Gateway,
  rules: readonly Rule[],
  path = '/api/policy',
): Promise<void> {
  const { status } = await ask(subject, path, { method: 'PUT', body: JSON.stringify({ rules }) });
  if (status !== 200) throw new Error(`the rules were not set: ${status}`);
}

export async function readRules(subject: Gateway, path = '/api/policy'): Promise<Rule[]> {
  const { rules }: { rules: Rule[] } = await (await ask(subject, path)).json();
  return rules;
}

/** Makes a named key of the owner. */
export async function makeKeyIn(subject: Gateway, form: object): Promise<void> {
  const { status } = await ask(subject, '/api/agent-keys', { method: 'POST', body: JSON.stringify(form) });
  if (status !== 201) throw new Error(`the key was not made: ${status}`);
}

/** Counts the owner's calls that wait for an answer. */
export async function countWaiting(subject: Gateway): Promise<number> {
  const { approvals }: { approvals: unknown[] } = await (
    await ask(subject, '/api/approvals?state=pending')
  ).json();
  return approvals.length;
}

function ask({ gateway }: Gateway, path: string, init: RequestInit = {}): Promise<Response> {
  return gateway().request(path, {
    ...init,
    headers: { authorization: `Bearer ${gateway().session}`, 'content-type': 'application/json' },
  });
}
