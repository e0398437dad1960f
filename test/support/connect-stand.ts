// A gateway with one person, and the provider, the API and the site that its fixtures connect to.
import type { GatewayPorts } from '../../src/deps.ts';
import { type FakeProvider, startProvider } from './fake-provider.ts';
import { call } from './mcp.ts';
import { createTestApp, type TestApp, type TestUser } from './test-app.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** The parsed body when it is a JSON object, the text otherwise. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface ConnectStand {
  app: TestApp;
  ana: TestUser;
  provider: FakeProvider;
  /** Opens another gateway that uses the same provider. */
  open(env?: Record<string, string>, ports?: Partial<GatewayPorts>): Promise<TestApp>;
  /** Replaces `app` and `ana` with a new gateway and a new person. */
  reopen(env?: Record<string, string>, ports?: Partial<GatewayPorts>): Promise<void>;
  /** Calls the portal's API as ana, unless other headers are given. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Starts to connect and returns the provider's address. */
  start(query?: string): Promise<URL>;
  /** Consents at the provider, and returns to the callback with the code. */
  comeBack(
    url: URL,
    changes?: Record<string, string>,
    headers?: Record<string, string>,
    integration?: string,
  ): Promise<Answer>;
  connected(name: string, headers?: Record<string, string>): Promise<boolean>;
  close(): Promise<void>;
}

export async function openConnectStand(): Promise<ConnectStand> {
  const provider = await startProvider();
  const open: ConnectStand['open'] = (env = {}, ports = {}) => {
    const registered = {
      VAULTED_CLIENT_ID: 'vaulted-id',
      VAULTED_CLIENT_SECRET: 'vaulted-secret',
      UPSTREAM_MAP: `https://vaulted.example=${provider.url},https://eu.keyed.example=${provider.url}`,
    };
    return createTestApp({ env: { ...registered, ...env }, ports });
  };
  const app = await open();

  const stand: ConnectStand = {
    app,
    ana: await app.user(),
    provider,
    open,
    async reopen(env, ports) {
      await stand.app.close();
      stand.app = await open(env, ports);
      stand.ana = await stand.app.user();
    },
    async api(method, path, body, headers = stand.ana.sessionHeader) {
      const init: RequestInit = { method, headers: { ...headers, 'content-type': 'application/json' } };
      if (body !== undefined) init.body = JSON.stringify(body);
      const response = await stand.app.request(path, init);
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text.startsWith('{') ? JSON.parse(text) : text,
      };
    },
    start: async (query = '') => new URL((await stand.api('GET', `/api/auth/vaulted${query}`)).body.url),
    async comeBack(url, changes = {}, headers = {}, integration = 'vaulted') {
      provider.expect('code-1', url.searchParams.get('code_challenge') ?? '');
      const query = new URLSearchParams({
        code: 'code-1',
        state: url.searchParams.get('state') ?? '',
        ...changes,
      });
      return stand.api('GET', `/api/auth/plugin/${integration}/callback?${query}`, undefined, headers);
    },
    async connected(name, headers = stand.ana.keyHeader) {
      const { integrations } = await call(stand.app, headers, 'list_integrations');
      return integrations.find((one: { name: string }) => one.name === name).connected;
    },
    async close() {
      await stand.app.close();
      await provider.close();
    },
  };
  return stand;
}
