// Subscribes to events and sends deliveries in tests.
import type { TestApp, TestUser } from './test-app.ts';

type Headers = Record<string, string>;

/** Runs one tool by /rest and returns its status and body. */
export async function runTool(
  app: Pick<TestApp, 'request'>,
  user: Pick<TestUser, 'keyHeader'>,
  tool: string,
  args: object = {},
) {
  const response = await app.request('/rest/events', {
    method: 'POST',
    headers: { ...user.keyHeader, 'content-type': 'application/json' },
    body: JSON.stringify({ tool, args }),
  });
  return { status: response.status, body: await response.json() };
}

export async function subscribe(app: TestApp, user: TestUser, wanted: object) {
  const { status, body } = await runTool(app, user, 'events_subscribe', wanted);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.result;
}

export async function readAll(app: TestApp, user: TestUser, args: object = {}) {
  return (await runTool(app, user, 'events_read', args)).body.result;
}

export const pathOf = ({ address }: { address: string }): string => new URL(address).pathname;

export const deliver = (app: TestApp, to: { address: string }, body: string, headers: Headers = {}) =>
  app.request(pathOf(to), { method: 'POST', body, headers });
