// A person at the gateway: calls the portal's API, and runs tools over /mcp as their agent.
import { call, rpc } from './mcp.ts';
import type { TestApp } from './test-app.ts';

export interface Person {
  keyHeader: { 'x-service-api-key': string };
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
  get(path: string): Promise<{ status: number; body: unknown }>;
  /** Runs tools in one batch and returns their outcomes, errors included. */
  runAll(executions: readonly { tool: string; args: object }[]): Promise<unknown[]>;
  /** Runs one tool, and throws on an error. */
  run(tool: string, args?: object): Promise<unknown>;
  /** Runs one tool and returns the content that an agent gets. */
  show(tool: string, args: object): Promise<unknown>;
  /** Reads more of a result that was truncated. */
  read(handle: string, path: string): Promise<unknown>;
}

export async function createPerson(app: TestApp): Promise<Person> {
  const user = await app.user();
  const headers = { ...user.sessionHeader, 'content-type': 'application/json' };
  const answered = async (response: Response) => ({ status: response.status, body: await response.json() });
  const person: Person = {
    keyHeader: user.keyHeader,
    async post(path, body) {
      return answered(await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) }));
    },
    async get(path) {
      return answered(await app.request(path, { headers }));
    },
    async runAll(executions) {
      return (await call(app, user.keyHeader, 'execute_tools', { executions })).results;
    },
    async run(tool, args = {}) {
      const [outcome] = await person.runAll([{ tool, args }]);
      if (typeof outcome === 'object' && outcome !== null && 'result' in outcome) return outcome.result;
      throw new Error(JSON.stringify(outcome));
    },
    async show(tool, args) {
      const executions = [{ tool, args }];
      const params = { name: 'execute_tools', arguments: { executions } };
      return (await rpc(app, user.keyHeader, 'tools/call', params)).body.result?.['content'];
    },
    read: (handle, path) => call(app, user.keyHeader, 'read_result', { handle, path }),
  };
  return person;
}
