// Somebody at the gateway: what they do in the portal, and the tools their agent runs over /mcp.
import { call, rpc } from './mcp.ts';
import type { TestApp } from './test-app.ts';

export interface Person {
  keyHeader: { 'x-service-api-key': string };
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
  get(path: string): Promise<{ status: number; body: unknown }>;
  /** Runs tools at once; an error is what `error` says. */
  runAll(executions: readonly { tool: string; args: object }[]): Promise<unknown[]>;
  /** Runs one tool; an error throws. */
  run(tool: string, args?: object): Promise<unknown>;
  /** Runs one tool; what an agent is shown of it. */
  show(tool: string, args: object): Promise<unknown>;
  /** Reads on in a result that was cut. */
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
