// Tests token refreshes. reference: Token refresh; decision: 024
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTokenSource } from '../../src/connections/oauth/tokens.ts';
import type { Connection } from '../../src/ports/records.ts';
import { createRoutes } from '../../src/connections/calls/route.ts';
import { parseCredential } from '../../src/connections/model/credential.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { type FakeProvider, startProvider } from '../support/fake-provider.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let provider: FakeProvider;
let app: TestApp;
let ana: TestUser;

beforeEach(async () => {
  provider = await startProvider();
  app = await createTestApp({
    env: {
      VAULTED_CLIENT_ID: 'id',
      VAULTED_CLIENT_SECRET: 'secret',
      UPSTREAM_MAP: `https://vaulted.example=${provider.url}`,
    },
  });
  ana = await app.user();
});
afterEach(async () => {
  await app.close();
  await provider.close();
});

/** Creates a connection whose token has this many seconds left. */
async function connect(
  left: number | null,
  refreshToken: string | null = provider.current.refresh,
): Promise<void> {
  const expiresAt = left === null ? null : app.clock.now() + left;
  await app.deps.vault.save(ana.id, 'vaulted', {
    accessToken: provider.current.access,
    refreshToken,
    expiresAt,
  });
}

async function use(times = 1): Promise<unknown[]> {
  const executions = Array.from({ length: times }, () => ({ tool: 'vaulted_get', args: { path: '/x' } }));
  return (await call(app, ana.keyHeader, 'execute_tools', { executions })).results;
}

async function row(): Promise<Connection | null> {
  return app.deps.store.connections.get(ana.id, 'vaulted', '');
}

const storedAccess = async () => {
  const current = await row();
  return current === null ? null : app.deps.vault.open(current, 'access_token');
};

const HELLO = { result: { status: 200, body: 'hello from /api/x' } };

/** The text beside each error that only a new sign-in mends. */
const HOW_TO_RECONNECT: unknown = expect.stringMatching(
  /^Vaulted did not accept .* connect .*\/integrations\/vaulted\.$/,
);

describe('the time of a token refresh', () => {
  it.each([
    [null, 0],
    [31, 0],
    [30, 1],
    [0, 1],
    [-100, 1],
  ])('with %s seconds left causes %i refreshes', async (left, refreshes) => {
    await connect(left);
    expect(await use()).toEqual([HELLO]);
    expect(provider.tokenRequests).toHaveLength(refreshes);
  });

  it('stores the new pair and its new expiry', async () => {
    await connect(10);
    await use();
    expect(await storedAccess()).toBe(provider.current.access);
    expect((await row())?.expires_at).toBe(app.clock.now() + 3600);
    expect(await use()).toEqual([HELLO]);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('keeps the old refresh token when the provider returns none', async () => {
    provider.shape = ({ refresh_token: _, ...tokens }) => ({ body: JSON.stringify(tokens) });
    const old = provider.current.refresh;
    await connect(10);
    await use();
    const current = await row();
    expect(current === null ? null : await app.deps.vault.open(current, 'refresh_token')).toBe(old);
  });

  it.each([-1, 30])('fails with the documented words when there is no refresh token: %i', async (left) => {
    await connect(left, null);
    expect(await use()).toEqual([
      {
        error: 'Token expired and no refresh_token stored',
        integration: 'vaulted',
        message: HOW_TO_RECONNECT,
      },
    ]);
    expect(provider.tokenRequests).toEqual([]);
    const response = await app.request('/api/connections', { headers: ana.sessionHeader });
    expect((await response.json()).connections).toContainEqual(
      expect.objectContaining({
        name: 'vaulted',
        connected: true,
        health: 'needs_reconnect',
        status: 'reconnect',
        cause: expect.any(String),
      }),
    );
  });

  it('uses a token without a refresh token until it expires', async () => {
    await connect(31, null);
    expect(await use()).toEqual([HELLO]);
  });

  it('refreshes and tries once more when the provider refuses a token', async () => {
    await connect(3000);
    provider.revokeAccess();
    expect(await use()).toEqual([HELLO]);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('passes the 401 on when a fresh token is refused too', async () => {
    await connect(3000);
    provider.revokeAccess();
    provider.script.push((_, response) => {
      response
        .setHeader('content-type', 'application/json')
        .end('{"access_token":"useless","refresh_token":"r"}');
    });
    expect(await use()).toEqual([{ result: { status: 401, body: 'who are you' } }]);
    expect(provider.tokenRequests).toHaveLength(1);
  });
});

describe('concurrent calls on an expired token', () => {
  it('make one refresh for 100 calls, and none fails', async () => {
    await connect(-1);
    const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
    const body = JSON.stringify({ tool: 'get', args: { path: '/x' } });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => app.request('/rest/vaulted', { method: 'POST', headers, body })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(bodies.every(({ result }) => result.status === 200)).toBe(true);
    expect(provider.tokenRequests).toHaveLength(1);
    expect(await storedAccess()).toBe(provider.current.access);
  });

  it('make one refresh for a batch of 50', async () => {
    await connect(-1);
    expect(await use(50)).toEqual(Array.from({ length: 50 }, () => HELLO));
    expect(provider.tokenRequests).toHaveLength(1);
  });
});

describe('events during a refresh', () => {
  it('keep a disconnect a disconnect', async () => {
    await connect(-1);
    provider.script.push(async (_, response) => {
      await app.deps.store.connections.delete(ana.id, 'vaulted', '');
      response
        .setHeader('content-type', 'application/json')
        .end('{"access_token":"late","refresh_token":"late"}');
    });
    expect(await use()).toEqual([{ error: 'Vaulted is not connected', integration: 'vaulted' }]);
    expect(await row()).toBeNull();
  });

  it('never overwrite a reconnect, whose token serves the call', async () => {
    await connect(-1);
    provider.script.push(async (_, response) => {
      await connect(3000);
      response
        .setHeader('content-type', 'application/json')
        .end('{"access_token":"late","refresh_token":"late"}');
    });
    expect(await use()).toEqual([HELLO]);
    expect(await storedAccess()).toBe(provider.current.access);
  });

  it('do not let a late refusal undo a reconnect', async () => {
    await connect(-1);
    provider.script.push(async (_, response) => {
      await connect(3000);
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
    });
    expect(await use()).toEqual([HELLO]);
    expect((await row())?.refresh_token).not.toBeNull();
  });

  it('block nobody longer than the lease when its holder is gone', async () => {
    await connect(-1);
    const begun = app.clock.now();
    await app.deps.store.leases.acquire(
      `refresh ${ana.id} vaulted`,
      'a process that was killed',
      begun,
      begun + 20,
    );
    expect(await use()).toEqual([HELLO]);
    expect(app.clock.now() - begun).toBeLessThanOrEqual(30);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("let callers that wait use the token of the lease's holder", async () => {
    await connect(-1);
    const now = app.clock.now();
    const leases = {
      ...app.deps.store.leases,
      // The other process finishes while this one asks.
      async acquire() {
        await connect(3000);
        return false;
      },
    };
    const store = { ...app.deps.store, leases, close: async () => {} };
    const other = await createTestApp({
      env: {
        VAULTED_CLIENT_ID: 'id',
        VAULTED_CLIENT_SECRET: 'secret',
        UPSTREAM_MAP: `https://vaulted.example=${provider.url}`,
      },
      ports: { store },
    });
    const { results } = await call(other, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'vaulted_get', args: { path: '/x' } }],
    });
    expect(results).toEqual([HELLO]);
    expect(provider.tokenRequests).toEqual([]);
    expect(other.clock.now() - now).toBeLessThan(30);
    await other.close();
  });
});

describe('a store that fails at the wrong moment', () => {
  /**
   * Returns what a call gets, and how often the store was asked to keep the new pair, where `fail` may throw.
   */
  async function useOver(fail: (time: number) => void): Promise<{ results: unknown[]; asked: number }> {
    await connect(-1);
    let asked = 0;
    const connections = {
      ...app.deps.store.connections,
      async swap(seen: Connection, next: Connection) {
        fail(++asked);
        return app.deps.store.connections.swap(seen, next);
      },
    };
    const store = { ...app.deps.store, connections, close: async () => {} };
    const env = {
      VAULTED_CLIENT_ID: 'id',
      VAULTED_CLIENT_SECRET: 'secret',
      UPSTREAM_MAP: `https://vaulted.example=${provider.url}`,
    };
    const other = await createTestApp({ env, ports: { store } });
    const { results } = await call(other, ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'vaulted_get', args: { path: '/x' } }],
    });
    await other.close();
    return { results, asked };
  }

  it('still ends up with the rotated pair', async () => {
    const { results } = await useOver((time) => {
      if (time <= 3) throw new Unavailable('[postgres] gone');
    });
    expect(results).toEqual([HELLO]);
    expect(await storedAccess()).toBe(provider.current.access);
  });

  it.each([
    ['away', new Unavailable('[postgres] gone'), 20],
    ['broken', new Error('[postgres] broken'), 1],
  ])('is not asked forever when it is %s', async (_, error, times) => {
    const { results, asked } = await useOver(() => {
      throw error;
    });
    expect(asked).toBe(times);
    expect(results).toEqual([{ error: expect.any(String), integration: 'vaulted' }]);
  });
});

describe("the provider's response to a refresh", () => {
  const answering = (status: number, body: string, type = 'application/json') =>
    provider.script.push(
      (_, response) => void response.writeHead(status, { 'content-type': type }).end(body),
    );

  it.each([
    [400, '{"error":"invalid_grant","error_description":"expired"}'],
    [401, '{"error":"invalid_grant"}'],
    [200, '{"error":"bad_refresh_token"}'],
    [200, '{"ok":false,"error":"invalid_refresh_token"}'],
    [400, 'error=invalid_grant'],
    // Atlassian (despite its documentation) and Bitbucket
    [403, '{"error":"unauthorized_client","error_description":"refresh_token is invalid"}'],
    [400, '{"error":"invalid_request","error_description":"Invalid refresh_token"}'],
  ])('asks the person to reconnect after %i %s, and stops refreshing', async (status, body) => {
    await connect(-1);
    answering(status, body);
    const [first] = await use();
    expect(first).toMatchObject({ error: expect.stringMatching(/Vaulted refused: .*Reconnect Vaulted/) });
    expect(await use()).toEqual([
      {
        error: 'Token expired and no refresh_token stored',
        integration: 'vaulted',
        message: HOW_TO_RECONNECT,
      },
    ]);
    expect(provider.tokenRequests).toHaveLength(1);
    const response = await app.request('/api/connections', { headers: ana.sessionHeader });
    expect((await response.json()).connections).toContainEqual(
      expect.objectContaining({
        name: 'vaulted',
        connected: true,
        health: 'needs_reconnect',
        status: 'reconnect',
        cause: expect.any(String),
      }),
    );
  });

  it.each([null, 3000])('is recognized as a withdrawn grant with %s seconds left', async (left) => {
    await connect(left);
    provider.revokeAccess();
    answering(400, '{"error":"invalid_grant"}');
    expect(await use()).toEqual([{ result: { status: 401, body: 'who are you' } }]);
    const { calls } = provider;
    const before = calls.length;
    expect(await use()).toEqual([
      {
        error: 'Token expired and no refresh_token stored',
        integration: 'vaulted',
        message: HOW_TO_RECONNECT,
      },
    ]);
    expect([calls.length, provider.tokenRequests.length]).toEqual([before, 1]);
    const response = await app.request('/api/connections', { headers: ana.sessionHeader });
    expect((await response.json()).connections).toContainEqual(
      expect.objectContaining({
        name: 'vaulted',
        connected: true,
        health: 'needs_reconnect',
        status: 'reconnect',
        cause: expect.any(String),
      }),
    );
  });

  it.each([
    [500, 'oops'],
    [503, '{"error":"temporarily_unavailable"}'],
    [429, '{"error":"slow_down"}'],
    [401, '{"error":"invalid_client"}'],
    [403, '{"error":"unauthorized_client","error_description":"The client may not do that"}'],
    [
      500,
      '{"error":"server_error","error_description":"Invalid state while a refresh token was looked for"}',
    ],
    [200, 'not a token'],
    [200, '{"token_type":"bearer"}'],
    [200, '{"access_token":"a\\nb"}'],
    [302, ''],
    [200, '['.repeat(100)],
  ])('keeps the token and is retried later after %i %s', async (status, body) => {
    await connect(-1);
    answering(status, body);
    const [first] = await use();
    expect(first).toMatchObject({ error: expect.any(String), integration: 'vaulted' });
    expect((await row())?.refresh_token).not.toBeNull();
    expect(await use()).toEqual([HELLO]);
  });

  it('does not matter while the token is still valid and the provider fails', async () => {
    await connect(20);
    answering(500, 'oops');
    expect(await use()).toEqual([HELLO]);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('leaves everything stored while the operator has not set the provider up', async () => {
    await app.close();
    app = await createTestApp({ env: { UPSTREAM_MAP: `https://vaulted.example=${provider.url}` } });
    ana = await app.user();
    await connect(20);
    expect(await use()).toEqual([HELLO]);
    await connect(-1);
    expect(await use()).toEqual([
      { error: expect.stringContaining('is not set up on this gateway'), integration: 'vaulted' },
    ]);
    expect((await row())?.refresh_token).not.toBeNull();
    expect(provider.tokenRequests).toEqual([]);
  });

  it('says so when the provider cannot be reached', async () => {
    await connect(-1);
    await provider.close();
    expect(await use()).toEqual([{ error: 'vaulted.example could not be reached', integration: 'vaulted' }]);
  });
});

describe('secrets of a token refresh', () => {
  it('appear in no log, error, metric or audit row', async () => {
    await connect(-1);
    const first = provider.current;
    await use();
    provider.script.push((request, response) => void response.writeHead(400).end(request.body));
    app.clock.advance(4000);
    await use();
    const metrics = (await app.deps.metrics.expose()).text;
    const audit = await app.deps.store.audit.list({ user_id: ana.id, limit: 10 });
    const seen = JSON.stringify([app.lines, metrics, audit]);
    for (const secret of [
      first.access,
      first.refresh,
      provider.current.access,
      provider.current.refresh,
      'Bearer',
      ana.apiKey,
    ]) {
      expect(seen).not.toContain(secret);
    }
  });

  it('ask for a reconnect when no key opens them', async () => {
    await connect(3000);
    const current = await row();
    if (current === null) throw new Error('no row');
    await app.deps.store.connections.put({ ...current, access_token: 'v1.00000000.AAAA' });
    expect(await use()).toEqual([
      {
        error: 'The stored credential of Vaulted can no longer be opened. Reconnect it.',
        message: HOW_TO_RECONNECT,
        integration: 'vaulted',
      },
    ]);
  });
});

describe('credentials cached in the open', () => {
  beforeEach(async () => {
    for (const id of ['user-0', 'user-1', 'user-2', 'a', 'b', 'c'])
      await app.deps.store.users.create({ id, email: `${id}@example.com`, created_at: app.clock.now() });
  });

  /**
   * Returns how often each of these credentials was opened when it was used twice, one user after the other.
   */
  async function openings(secrets: readonly string[]): Promise<number> {
    const { vault, registry } = app.deps;
    const jar = registry.integration('jar');
    if (jar === null) throw new Error('no jar');
    let opened = 0;
    const counting: typeof vault = { ...vault, open: (...asked) => (opened++, vault.open(...asked)) };
    const tokens = createTokenSource({ ...app.deps, vault: counting });
    for (const [at, cookies] of secrets.entries())
      await vault.save(`user-${at}`, 'jar', { accessToken: 'cookie-auth', cookies });
    for (const at of [...secrets.keys(), ...secrets.keys()])
      expect(
        (await tokens.prepare({ user_id: `user-${at}`, integration: 'jar', account: '' }, jar)).kind,
      ).toBe('ready');
    return opened;
  }

  it('are small, and each is opened once', async () => {
    expect(await openings(['a', 'b', 'c'])).toBe(3);
  });

  it('take at most a few megabytes: large ones are opened again', async () => {
    expect(await openings(['a', 'b', 'c'].map((letter) => letter.repeat(1_000_000)))).toBe(6);
  });

  it.each([
    ['small', 1_000, 3],
    ['large', 2_000_000, 6],
  ])('take the same limited memory in the proxy for %s sessions', async (_, size, made) => {
    const { store, vault, registry } = app.deps;
    const jar = registry.integration('jar');
    if (jar === null) throw new Error('no jar');
    const routes = createRoutes(app.clock);
    const credentials = new Map(
      ['a', 'b', 'c'].map((user) => [user, parseCredential(jar, user.repeat(size))]),
    );
    const different = new Set();
    const config = { instanceUrl: 'https://jar.example' };
    for (const user of ['a', 'b', 'c', 'a', 'b', 'c']) {
      const cookies = user.repeat(size);
      await vault.save(user, 'jar', { accessToken: 'cookie-auth', cookies, config });
      const connection = await store.connections.get(user, 'jar', '');
      const credential = credentials.get(user);
      if (connection === null || credential === undefined) throw new Error('no row');
      different.add(routes.find({ connection, credential }, jar));
    }
    expect(different.size).toBe(made);
  });
});
