// A gateway, a small Redmine and a key of its own for each example; starts examples as a reader does.
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Exit, openSite, type Output, type Program, ROOT, runProgram } from './gateway-process.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';

/** The folder of the examples. */
export const EXAMPLES = join(ROOT, 'examples');
const SECRET = 'redmine-secret';
export const ISSUE = { id: 7, subject: 'The search finds nothing' };

export interface ExampleStand {
  base: string;
  session: string;
  /** The paths that Redmine was asked for with the right credential. */
  asked: string[];
  /** Lets Redmine answer its next requests with these statuses. */
  failNext(...statuses: readonly number[]): void;
  api(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  /** Makes a named key. */
  makeKey(name: string, limits?: object): Promise<string>;
  connectRedmine(): Promise<void>;
  disconnectRedmine(): Promise<void>;
  /** What the audit log has for the key with this name, oldest first. */
  auditOf(name: string): Promise<object[]>;
  /** Starts a command with the gateway's address, in the repository or another folder. */
  start(command: readonly string[], env?: Record<string, string>, cwd?: string): Program;
  run(command: readonly string[], env?: Record<string, string>, cwd?: string): Promise<Exit & Output>;
  close(): Promise<void>;
}

/** Starts a TypeScript example with the Node that runs the tests. */
export const example = (file: string, ...args: string[]): string[] => [
  process.execPath,
  join('examples', file),
  ...args,
];

export async function openExampleStand(): Promise<ExampleStand> {
  const asked: string[] = [];
  const failures: number[] = [];
  const redmine = await startRedmine(asked, failures);
  const site = await openSite();
  const programs: Program[] = [];
  const { base, session } = await site.start();

  const api: ExampleStand['api'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${session}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(new URL(path, base), init);
    return { status: response.status, body: await response.json() };
  };
  const start: ExampleStand['start'] = (command, env = {}, cwd = ROOT) => {
    const program = runProgram(command, { GATEWAY_URL: base, HOME: site.dataDir, ...env }, cwd);
    programs.push(program);
    return program;
  };

  return {
    base,
    session,
    asked,
    failNext: (...statuses) => failures.push(...statuses),
    api,
    async makeKey(name, limits = {}) {
      const { status, body } = await api('POST', '/api/agent-keys', { name, ...limits });
      expect(status).toBe(201);
      return String(body['key']);
    },
    async connectRedmine() {
      const values = { instanceUrl: `http://127.0.0.1:${redmine.port}`, apiKey: SECRET };
      expect(await api('POST', '/api/auth/apikey/redmine', { values })).toMatchObject({ status: 200 });
    },
    async disconnectRedmine() {
      expect(await api('DELETE', '/api/connections/redmine')).toMatchObject({ status: 200 });
    },
    async auditOf(name) {
      const { body } = await api('GET', '/api/audit');
      const entries = body['entries'] as { client_name: string | null }[];
      return entries.filter(({ client_name }) => client_name === name).toReversed();
    },
    start,
    async run(...args) {
      const { exited, output } = start(...args);
      return { ...(await exited), ...output };
    },
    async close() {
      for (const program of programs) program.signal('SIGKILL', 'group');
      await Promise.all(programs.map(({ exited }) => exited));
      await site.close();
      await redmine.close();
    },
  };
}

const ANSWERS: Record<string, object> = {
  'GET /users/current.json': { user: { id: 1, login: 'ana' } },
  'GET /issues.json': { issues: [ISSUE], total_count: 1 },
  'POST /issues.json': { issue: { id: 8 } },
  'GET /news.json': { news: [{ id: 3, title: 'Version 2 is out' }] },
};

async function startRedmine(asked: string[], failures: number[]): Promise<HttpServer> {
  return startHttpServer((request, response) => {
    request.resume();
    const path = `${request.method} ${request.url?.split('?')[0]}`;
    const isAllowed = request.headers['x-redmine-api-key'] === SECRET;
    if (isAllowed && path !== 'GET /users/current.json') asked.push(`${request.method} ${request.url}`);
    const status = isAllowed ? (failures.shift() ?? (path in ANSWERS ? 200 : 404)) : 401;
    // curl waits as long as this header says.
    if (status === 503 || status === 429) response.setHeader('retry-after', '1');
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? ANSWERS[path] : { errors: [`status ${status}`] }));
  });
}
