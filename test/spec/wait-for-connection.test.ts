// Tests wait_for_connection. reference: Pending connections; Waiting for a connection; decision: 031
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMemoryPending } from '../../drivers/pending/unstorage.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { keepAlive } from '../../src/mcp/keep-alive.ts';
import { waitForConnection } from '../../src/mcp/meta-tools/wait-for-connection.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { UNSEEN } from '../../src/connections/model/state.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { call, rpc } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterAll(() => app.close());

async function pending(lifetime = 600): Promise<string> {
  const connection_id = app.deps.random.uuid();
  await app.deps.pending.put({
    connection_id,
    user_id: ana.id,
    integration: 'vaulted',
    expires_at: app.clock.now() + lifetime,
  });
  return connection_id;
}

const wait = (connectionId: string, timeoutSec?: number, user = ana) =>
  call(
    app,
    user.keyHeader,
    'wait_for_connection',
    timeoutSec === undefined ? { connectionId } : { connectionId, timeoutSec },
  );

describe('wait_for_connection', () => {
  it('answers CONNECTED once the person has finished', async () => {
    const connectionId = await pending();
    await app.deps.pending.connect(ana.id, 'vaulted');
    expect(await wait(connectionId)).toEqual({ status: 'CONNECTED' });
  });

  it.each(['TIMEOUT', 'EXPIRED'])(
    'says that the integration is connected by now, beside %s',
    async (status) => {
      const bea = await app.user(`${status}@example.com`);
      const connection_id = app.deps.random.uuid();
      const { clock, store, vault } = app.deps;
      const now = clock.now();
      const expires_at = now + (status === 'EXPIRED' ? 0 : 600);
      await app.deps.pending.put({ connection_id, user_id: bea.id, integration: 'vaulted', expires_at });
      expect(await wait(connection_id, 1, bea)).toEqual({ status });
      const uses = { is_default: false, is_write_default: false, team_use: null };
      const unnamed = { account: '', label: null, ...uses };
      const row = { ...unnamed, user_id: bea.id, integration: 'vaulted', created_at: now, updated_at: now };
      const access_token = await vault.seal('token', row, 'access_token');
      const empty = { refresh_token: null, expires_at: null, scopes: null, cookies: null, config: null };
      await store.connections.put({ ...empty, ...row, access_token, way: null, ...UNSEEN });
      expect(await wait(connection_id, 1, bea)).toEqual({
        status: 'EXPIRED',
        connected: true,
        message: 'Vaulted is connected. Run the tool again',
      });
      const again = app.deps.random.uuid();
      const later = clock.now() + expires_at - now;
      await app.deps.pending.put({
        connection_id: again,
        user_id: bea.id,
        integration: 'vaulted',
        expires_at: later,
      });
      expect(await wait(again, 1, bea)).toMatchObject({ status, connected: true });
    },
  );

  it('answers TIMEOUT after the given time, and EXPIRED afterwards', async () => {
    const connectionId = await pending();
    const begun = app.clock.now();
    expect(await wait(connectionId, 45)).toEqual({ status: 'TIMEOUT' });
    expect(app.clock.now() - begun).toBeGreaterThanOrEqual(45);
    expect(await wait(connectionId)).toEqual({ status: 'EXPIRED' });
    expect(await app.deps.pending.connect(ana.id, 'vaulted')).toBe(false);
  });

  it.each([
    [{ timeoutSec: 5 }, 5],
    [{}, 300],
  ])('with %j polls once a second, %i times, and once more at the end', async (args, seconds) => {
    const { pending: records, clock } = app.deps;
    const looks: number[] = [];
    const get: typeof records.get = (id) => {
      looks.push(clock.millis());
      return records.get(id);
    };
    const tool = waitForConnection({ ...app.deps, clock, pending: { ...records, get } });
    const parsed = tool.parse({ connectionId: await pending(), ...args });
    const answer = await tool.run(parsed.ok ? parsed.value : null, {
      userId: ana.id,
      actor: PERSONAL_KEY,
      clock,
    });
    expect(answer).toEqual({ status: 'TIMEOUT' });
    const [first = 0, ...later] = looks.map((at) => at / 1000);
    const eachSecond = Array.from({ length: seconds }, (_, index) => index + 1);
    expect(later.map((at) => at - first)).toEqual([...eachSecond, seconds]);
  });

  it('answers CONNECTED when the person finishes between the last poll and the end', async () => {
    const connectionId = await pending();
    const { pending: records, clock } = app.deps;
    const tool = waitForConnection({
      ...app.deps,
      clock,
      pending: {
        ...records,
        async expire(id) {
          await records.connect(ana.id, 'vaulted');
          await records.expire(id);
        },
      },
    });
    const args = { connectionId, timeoutSec: 5 };
    expect(await tool.run(args, { userId: ana.id, actor: PERSONAL_KEY, clock })).toEqual({
      status: 'CONNECTED',
    });
  });

  it('answers EXPIRED when the record expires while it waits', async () => {
    expect(await wait(await pending(10), 300)).toEqual({ status: 'EXPIRED' });
  });

  it("answers the same for an unknown record and for another person's", async () => {
    const bea = await app.user('bea@example.com');
    expect(await wait('nope')).toEqual({ error: 'Unknown connectionId' });
    expect(await wait(await pending(), 5, bea)).toEqual({ error: 'Unknown connectionId' });
  });

  it.each([
    [new Unavailable('[redis] no answer'), expect.stringContaining('Try again shortly')],
    [new Error('a slip'), 'Internal error'],
  ])('says for %s whether to retry, although the status is already sent', async (reason, message) => {
    const get = () => Promise.reject(reason);
    const away = await createTestApp({ ports: { pending: { ...app.deps.pending, get } } });
    const user = await away.user();
    const params = { name: 'wait_for_connection', arguments: { connectionId: 'x' } };
    const { status, body } = await rpc(away, user.keyHeader, 'tools/call', params);
    await away.close();
    expect({ status, error: body.error }).toEqual({ status: 200, error: { code: -32603, message } });
  });

  it('sends its headers at once, and only white space before its body', async () => {
    const connectionId = await pending();
    const body = {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'wait_for_connection', arguments: { connectionId, timeoutSec: 60 } },
    };
    const response = await app.request('/mcp', {
      method: 'POST',
      headers: ana.keyHeader,
      body: JSON.stringify(body),
    });
    expect(response.headers.get('content-type')).toBe('application/json');
    const text = await response.text();
    expect(text).toMatch(/^\s+\{/);
    expect(JSON.parse(text).id).toBe(7);
  });

  it.each([
    [{}, 'connectionId'],
    [{ connectionId: 'x', timeoutSec: 0 }, 'timeoutSec'],
    [{ connectionId: 'x', timeoutSec: 1.5 }, 'timeoutSec'],
    [{ connectionId: 'x', timeoutSec: 901 }, 'timeoutSec'],
  ])('refuses %j with a plain error that names what is wrong', async (wrong, name) => {
    const params = { name: 'wait_for_connection', arguments: wrong };
    const { status, body } = await rpc(app, ana.keyHeader, 'tools/call', params);
    expect(status).toBe(200);
    expect(body.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`^Invalid arguments: ${name}: `)),
    });
  });
});

describe('the times of wait_for_connection', () => {
  /** Runs one wait on its own clock: returns its result, and after how many seconds it polled. */
  async function waited(args: { timeoutSec?: number }, lifetime = 10_000) {
    const clock = createFakeClock();
    const begun = clock.now();
    const records = openMemoryPending(clock);
    const record = { connection_id: 'c', user_id: 'u', integration: 'vaulted', expires_at: begun + lifetime };
    await records.put(record);
    const looks: number[] = [];
    const get: typeof records.get = (id) => {
      looks.push(clock.now() - begun);
      return records.get(id);
    };
    const tool = waitForConnection({ ...app.deps, clock, pending: { ...records, get } });
    const parsed = tool.parse({ connectionId: 'c', ...args });
    if (!parsed.ok) return parsed.message;
    return { answer: await tool.run(parsed.value, { userId: 'u', actor: PERSONAL_KEY, clock }), looks };
  }

  it('include a poll each second, and a last one at the end', async () => {
    expect(await waited({ timeoutSec: 3 })).toEqual({
      answer: { status: 'TIMEOUT' },
      looks: [0, 1, 2, 3, 3],
    });
  });

  it('end after 300 seconds by default', async () => {
    const seconds = Array.from({ length: 301 }, (_, second) => second);
    expect(await waited({})).toEqual({ answer: { status: 'TIMEOUT' }, looks: [...seconds, 300] });
  });

  it('end after at most 900 seconds, and never after the record expires', async () => {
    const seconds = Array.from({ length: 601 }, (_, second) => second);
    expect(await waited({ timeoutSec: 900 }, 600)).toEqual({ answer: { status: 'EXPIRED' }, looks: seconds });
    for (const timeoutSec of [901, 0, -1, 1.5]) expect(await waited({ timeoutSec })).toMatch(/^timeoutSec: /);
  });
});

describe('a slow response', () => {
  it('begins at once, before any time has passed', async () => {
    const clock = { ...createFakeClock(), sleep: () => new Promise<void>(() => {}) };
    const reader = keepAlive(clock, () => new Promise(() => {})).getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(' ');
  });

  it('sends white space every 15 seconds until the body is ready', async () => {
    const { promise: body, resolve } = Promise.withResolvers<string>();
    const sleeps: number[] = [];
    const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      sleeps.push(milliseconds);
      if (sleeps.length < 4) return Promise.resolve();
      resolve('{}');
      return new Promise((wake) => signal?.addEventListener('abort', () => wake()));
    };
    const stream = keepAlive({ ...createFakeClock(), sleep }, () => body);
    expect(await new Response(stream).text()).toBe('    {}');
    expect(sleeps).toEqual([15_000, 15_000, 15_000, 15_000]);
  });

  it('cancels the work when the reader has gone', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stream = keepAlive(createSystemClock(), async (signal) => {
      signal.addEventListener('abort', () => resolve());
      await promise;
      return 'never read';
    });
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    await promise;
  });

  it('leaves the record unchanged when the client leaves', async () => {
    const connectionId = await pending();
    const gone = AbortSignal.abort();
    const tool = waitForConnection(app.deps);
    const parsed = tool.parse({ connectionId });
    await tool.run(parsed.ok ? parsed.value : null, {
      userId: ana.id,
      actor: PERSONAL_KEY,
      clock: app.clock,
      signal: gone,
    });
    expect((await app.deps.pending.get(connectionId))?.status).toBe('PENDING');
  });
});
