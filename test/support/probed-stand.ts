// A gateway with one person and the `probed` integration, and its provider.
import { fixtures, probed } from './fixtures.ts';
import { type FakeProbed, startProbed } from './fake-probed.ts';
import { call } from './mcp.ts';
import { createTestApp, type Options, type TestApp, type TestUser } from './test-app.ts';

export interface ProbedStand {
  app: TestApp;
  ana: TestUser;
  provider: FakeProbed;
  // oxlint-disable-next-line typescript/no-explicit-any
  api(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
  /** Enters a personal token in the portal. */
  // oxlint-disable-next-line typescript/no-explicit-any
  enter(token: string, email?: string): Promise<{ status: number; body: any }>;
  /** Signs in at the provider, and returns the status of the callback. */
  signIn(): Promise<number>;
  // oxlint-disable-next-line typescript/no-explicit-any
  state(name?: string): Promise<any>;
  /** Runs `probed_get`. */
  // oxlint-disable-next-line typescript/no-explicit-any
  use(path?: string): Promise<any>;
  close(): Promise<void>;
}

export async function openProbedStand(options: Options = {}): Promise<ProbedStand> {
  const provider = await startProbed();
  const env = { ...provider.env, ...options.env };
  const app = await createTestApp({
    ...options,
    env,
    ports: { integrations: [probed, ...fixtures], ...options.ports },
  });
  const ana = await app.user();
  const stand: ProbedStand = {
    app,
    ana,
    provider,
    async api(method, path, body) {
      const init: RequestInit = {
        method,
        headers: { ...ana.keyHeader, 'content-type': 'application/json' },
      };
      if (body !== undefined) init.body = JSON.stringify(body);
      const response = await app.request(path, init);
      const text = await response.text();
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
    },
    enter: (token, email = 'ana@corp.example') =>
      stand.api('POST', '/api/auth/apikey/probed', { values: { token, email } }),
    async signIn() {
      const url = new URL((await stand.api('GET', '/api/auth/probed')).body.url);
      provider.expect('code-1', url.searchParams.get('code_challenge') ?? '');
      const query = new URLSearchParams({ code: 'code-1', state: url.searchParams.get('state') ?? '' });
      return (await stand.api('GET', `/api/auth/plugin/probed/callback?${query}`)).status;
    },
    async state(name = 'probed') {
      const { connections } = (await stand.api('GET', '/api/connections')).body;
      return connections.find((each: { name: string }) => each.name === name);
    },
    async use(path = '/x') {
      const executions = [{ tool: 'probed_get', args: { path } }];
      return (await call(app, ana.keyHeader, 'execute_tools', { executions })).results[0];
    },
    async close() {
      await app.close();
      await provider.close();
    },
  };
  return stand;
}
