// Counts how often a call reads its connection from the store.
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import type { GatewayPorts } from '../../src/deps.ts';
import { tool, type ToolContext } from '../../src/kit/integration.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { type FakeProvider, startProvider } from '../support/fake-provider.ts';
import { fixtures } from '../support/fixtures.ts';
import { call } from '../support/mcp.ts';
import { bearer } from '../support/proxy-stage.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let provider: FakeProvider;
/** The database lies here. */
let base: TestApp;
/** The gateway over the same database whose reads are counted. */
let app: TestApp;
let ana: TestUser;
let reads: string[];
/** Runs between the two upstream calls of `vaulted_twice`, or before the first call of `vaulted_late`. */
let meanwhile: () => Promise<unknown>;

const get = async ({ upstream }: ToolContext) => (await upstream({ method: 'GET', path: '/x' })).status;

const steps = [
  tool(
    'vaulted_twice',
    'Calls twice',
    () => ({}),
    async (_args, context) => {
      const first = await get(context);
      await meanwhile();
      return [first, await get(context)];
    },
  ),
  tool(
    'vaulted_late',
    'Calls after a while',
    () => ({}),
    async (_args, context) => {
      await meanwhile();
      return get(context);
    },
  ),
];

const integrations = fixtures.map((integration) =>
  integration.name === 'vaulted' ? { ...integration, tools: [...integration.tools, ...steps] } : integration,
);

function countReads({ connections, ...store }: GatewayPorts['store']): GatewayPorts['store'] {
  return {
    ...store,
    close: async () => {},
    connections: {
      ...connections,
      get(userId, integration, account) {
        reads.push(`get ${integration}`);
        return connections.get(userId, integration, account);
      },
      of(userId, integration) {
        reads.push(`of ${integration}`);
        return connections.of(userId, integration);
      },
      list(userId) {
        reads.push('list');
        return connections.list(userId);
      },
    },
  };
}

beforeEach(async () => {
  provider = await startProvider();
  reads = [];
  meanwhile = async () => {};
  const env = {
    VAULTED_CLIENT_ID: 'id',
    VAULTED_CLIENT_SECRET: 'secret',
    UPSTREAM_MAP: `https://vaulted.example=${provider.url},https://eu.keyed.example=${provider.url}`,
  };
  base = await createTestApp({ env });
  ana = await base.user();
  app = await createTestApp({ env, ports: { integrations, store: countReads(base.deps.store) } });
  const { vault } = base.deps;
  await connect(3_000);
  await vault.save(ana.id, 'keyed', { accessToken: '{"apiKey":"k"}', config: { region: 'eu' } });
  const cookie = { name: 'sid', value: 'c', domain: '127.0.0.1', path: '/', secure: false, httpOnly: true };
  await vault.save(ana.id, 'jar', {
    cookies: JSON.stringify({ v: 1, cookies: [{ ...cookie, expires: -1 }], capturedAt: 1 }),
    config: { instanceUrl: provider.url },
  });
});
afterEach(async () => {
  await app.close();
  await base.close();
  await provider.close();
});

/** Stores a connection whose token has so many seconds left. */
async function connect(left: number): Promise<void> {
  await base.deps.vault.save(ana.id, 'vaulted', {
    accessToken: provider.current.access,
    refreshToken: provider.current.refresh,
    expiresAt: base.clock.now() + left,
  });
}

async function use(name: string, args: object = {}): Promise<unknown> {
  const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions: [{ tool: name, args }] });
  return results[0];
}

describe.each(['vaulted', 'keyed', 'jar'])('one call of %s reads its connection once', (name) => {
  const args = { path: '/open' };
  const whole = { result: { status: 200 } };

  it('through execute_tools', async () => {
    expect(await use(`${name}_get`, args)).toMatchObject(whole);
    expect(provider.calls).toHaveLength(1);
    expect(reads).toEqual([`of ${name}`]);
  });

  it('through REST', async () => {
    const response = await app.request(`/rest/${name}`, {
      method: 'POST',
      headers: { ...ana.keyHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'get', args }),
    });
    expect(await response.json()).toMatchObject(whole);
    expect(provider.calls).toHaveLength(1);
    expect(reads).toEqual([`of ${name}`]);
  });

  it('through the curl proxy', async () => {
    const proxy = createCurlProxy(app.deps);
    const server = await serve(app.fetch, { ...NO_HANDLERS, proxy }, 0);
    const token = await app.deps.curlTokens.issue(
      { userId: ana.id, actor: PERSONAL_KEY, integrations: [name] },
      900,
    );
    const response = await fetch(`http://127.0.0.1:${server.port}/c/${name}/open`, {
      headers: bearer(token),
    });
    expect(response.status).toBe(200);
    expect(provider.calls).toHaveLength(1);
    expect(reads).toEqual([`of ${name}`]);
    await server.stop();
    await proxy.close();
    await app.deps.audit.flush();
  });
});

describe('a tool run with more than one upstream call', () => {
  it('reads the row again for the second call', async () => {
    expect(await use('vaulted_twice')).toEqual({ result: [200, 200] });
    expect(reads).toEqual(['of vaulted', 'get vaulted']);
  });

  it('uses the credential of a reconnect that came between the calls', async () => {
    meanwhile = () => {
      provider.revokeAccess();
      return connect(3_000);
    };
    expect(await use('vaulted_twice')).toEqual({ result: [200, 200] });
    expect(provider.tokenRequests).toEqual([]);
  });

  it('refreshes a token that expires between the calls', async () => {
    meanwhile = async () => app.clock.advance(3_000);
    expect(await use('vaulted_twice')).toEqual({ result: [200, 200] });
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('fails the second call after a disconnect', async () => {
    meanwhile = () => base.deps.store.connections.delete(ana.id, 'vaulted', '');
    expect(await use('vaulted_twice')).toEqual({ error: 'Vaulted is not connected', integration: 'vaulted' });
    expect(provider.calls).toHaveLength(1);
  });
});

describe('a first upstream call that comes late', () => {
  it('refreshes a token that expired since the check', async () => {
    meanwhile = async () => app.clock.advance(3_000);
    expect(await use('vaulted_late')).toEqual({ result: 200 });
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('takes the newer token when another process has refreshed since the check', async () => {
    meanwhile = () => {
      provider.revokeAccess();
      return connect(3_000);
    };
    expect(await use('vaulted_late')).toEqual({ result: 200 });
    expect(provider.tokenRequests).toEqual([]);
    expect(reads).toEqual(['of vaulted', 'get vaulted']);
  });
});
