// A person who adds imports in the portal and calls their tools as an agent does.
import { call } from './mcp.ts';
import type { TestApp, TestUser } from './test-app.ts';

export type ImportUser = ReturnType<typeof createImportUser>;

type Target = Pick<TestApp, 'request'>;

/** `app` may be a gateway on a socket. */
export function createImportUser(
  app: Target,
  { keyHeader, sessionHeader }: Pick<TestUser, 'keyHeader' | 'sessionHeader'>,
) {
  async function send(method: string, path: string, body?: unknown) {
    // A session ends after a day, and tests move the clock further.
    const credential = method === 'GET' || path.endsWith('/check') ? keyHeader : sessionHeader;
    const response = await app.request(path, {
      method,
      headers: { ...credential, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  }

  async function done(method: string, path: string, body?: unknown) {
    const answer = await send(method, path, body);
    if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  return {
    keyHeader,
    send,
    preview: (form: object) => done('POST', '/api/imports/preview', form),
    /** Adds an import called acme. */
    add: (form: object) => done('POST', '/api/imports', { name: 'acme', ...form }),
    get: () => done('GET', '/api/imports/acme'),
    change: (form: object) => done('PATCH', '/api/imports/acme', form),
    /** Enters a credential. */
    connect: (values: object) => done('POST', '/api/auth/apikey/acme', { values }),
    /** Runs one tool over MCP, and returns its outcome. */
    async run(tool: string, args: object = {}, more: object = {}) {
      const executions = [{ tool, args, ...more }];
      return (await call(app, keyHeader, 'execute_tools', { executions })).results[0];
    },
    /** The names of the tools that are found. */
    async search(query: string): Promise<string[]> {
      const { tools } = await call(app, keyHeader, 'search_tools', { query, limit: 50 });
      return tools.map(({ name }: { name: string }) => name);
    },
  };
}
