// Tests stopping: requests in flight finish, nothing new begins, nothing is left behind. decision: 010
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve } from '../../adapters/node/server.ts';
import { createSqlPending } from '../../drivers/pending/sql.ts';
import { openSqlite } from '../../drivers/sql/sqlite.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { POOL_SIZE } from '../../src/calls/limits.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { listen } from '../support/listen.ts';
import { startHttpServer } from '../support/http-server.ts';
import { beginUpload, openConnection, untilRefused } from './connections.ts';
import { callText } from '../support/mcp.ts';
import { waitFor } from '../support/wait.ts';

const PEACEFUL = { code: 0, signal: null };

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('lets a request in flight finish, and accepts no new connections', async () => {
    const gateway = await site.start();
    const upload = await beginUpload(gateway);
    gateway.signal(signal);
    await untilRefused(gateway);
    expect(await upload.finish()).toMatchObject({ status: 200, id: 1, result: { tools: expect.any(Array) } });
    expect(await gateway.exited).toEqual(PEACEFUL);
    expect(gateway.hasProcesses()).toBe(false);
    expect(gateway.output.stdout).toContain('"event":"stopped"');
  });

  it('ends peacefully before the first line, while the gateway waits for its database', async () => {
    const reached = Promise.withResolvers<void>();
    const database = createServer(() => reached.resolve());
    const port = await listen(database);
    const gateway = await site.spawn({
      env: { DATABASE_URL: `postgres://gateway@127.0.0.1:${port}/gateway` },
    });
    await waitFor('a connection to the database', reached.promise, () => gateway.output);
    gateway.signal(signal);
    expect(await gateway.exited).toEqual(PEACEFUL);
    expect(gateway.output).toEqual({ stdout: '', stderr: '' });
    database.close();
  });

  it('handles the signal as soon as the first line is printed', async () => {
    // The warnings come after the first line, and take some time.
    const stray = Array.from({ length: 2_000 }, (_, n) => [`STRAY${n}_CLIENT_ID`, 'id']);
    const gateway = await site.spawn({ env: Object.fromEntries(stray) });
    await gateway.says('Tool gateway');
    gateway.signal(signal, 'group');
    expect(await gateway.exited).toEqual(PEACEFUL);
  });
});

describe('SIGTERM', () => {
  it.each([
    ['that has had its answer', 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['that a browser opened in advance', ''],
  ])('does not wait for a connection %s', async (_kind, firstWords) => {
    const gateway = await site.start();
    const upload = await beginUpload(gateway);
    const idle = await openConnection(gateway, firstWords);
    const closed = once(idle.resume(), 'close');
    gateway.signal('SIGTERM');
    // The request in flight still keeps the gateway running.
    await closed;
    expect(await upload.finish()).toMatchObject({ status: 200 });
    expect(await gateway.exited).toEqual(PEACEFUL);
  });

  it('cuts off what has not finished after ten seconds', async () => {
    const gateway = await site.start({ env: { PENDING_STORE: 'database' } });
    await putPending(gateway, 'f3b7c1de-0000-4000-8000-000000000001');
    const waiting = callText(gateway, { 'x-service-api-key': gateway.apiKey }, 'wait_for_connection', {
      connectionId: 'f3b7c1de-0000-4000-8000-000000000001',
      timeoutSec: 60,
    });
    const cut = expect(waiting).rejects.toThrow();
    await gateway.says('"route":"/mcp"');
    gateway.signal('SIGTERM');
    await cut;
    expect(await gateway.exited).toEqual(PEACEFUL);
    expect(gateway.hasProcesses()).toBe(false);
  });

  it('writes audit rows for what it cuts off, and begins no further items', async () => {
    const reached = Promise.withResolvers<void>();
    let asked = 0;
    const upstream = await startHttpServer(() => {
      if (++asked === POOL_SIZE) reached.resolve();
    });
    const env = { UPSTREAM_MAP: `https://api.resend.com=http://127.0.0.1:${upstream.port}` };
    const gateway = await site.start({ env });
    const headers = { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' };
    const post = (path: string, body: string) => gateway.request(path, { method: 'POST', headers, body });
    await post('/api/auth/apikey/resend', '{"values":{"apiKey":"k"}}');
    const cancel = { tool: 'resend_cancel_email', args: { emailId: '7' } };
    const executions = Array.from({ length: POOL_SIZE + 1 }, () => cancel);
    const cut = expect(
      callText(gateway, { 'x-service-api-key': gateway.apiKey }, 'execute_tools', { executions }),
    ).rejects.toThrow();
    await reached.promise;
    expect(await gateway.stop()).toEqual(PEACEFUL);
    await cut;
    await upstream.close();
    const { rows } = await openSqlite(join(site.dataDir, 'service.db')).run(
      CompiledQuery.raw('select tool, success, error from audit'),
    );
    const row = { tool: 'resend_cancel_email', success: 0, error: expect.stringContaining('api.resend.com') };
    // The last item may have a row as well, for a call that was never made.
    expect(rows.slice(0, POOL_SIZE)).toStrictEqual(Array.from({ length: POOL_SIZE }, () => row));
    expect(asked).toBe(POOL_SIZE);
  });
});

describe('a stopping server', () => {
  it('answers a request that was on its way on a kept connection, and then closes the connection', async () => {
    const server = await serve(() => new Response('answered'), NO_HANDLERS, 0, { lastWordMs: 60_000 });
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
    const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
    socket.write(request);
    const [kept] = await once(socket, 'data');
    expect(kept).toContain('Connection: keep-alive');
    const stopped = server.stop();
    socket.write(request);
    const answers: string[] = await socket.toArray();
    expect(answers.join('')).toMatch(/^HTTP\/1\.1 200 OK[^]*Connection: close[^]*answered$/);
    await stopped;
  });

  it.each([true, false])(
    'answers a request that came while the process was busy, with the fast path: %s',
    async (fastPath) => {
      const options = { lastWordMs: 0, fastPath };
      const server = await serve(() => new Response('answered'), NO_HANDLERS, 0, options);
      const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
      const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
      socket.write(request);
      await once(socket, 'data');
      const stopped = server.stop();
      keepBusy(10);
      // The first turn ends before timers run. After the second the server closes idle connections in intervals.
      await turn();
      await turn();
      socket.write(request);
      keepBusy(100);
      expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 200 OK[^]*answered$/);
      await stopped;
    },
  );
});

/** Nothing else runs in this process meanwhile. */
const keepBusy = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

async function putPending(gateway: Gateway & Banner, id: string): Promise<void> {
  const me = await gateway.request('/api/auth/me', { headers: { 'x-service-api-key': gateway.apiKey } });
  const { id: user_id } = await me.json();
  const engine = openSqlite(join(site.dataDir, 'service.db'));
  const clock = createSystemClock(setImmediate);
  const expires_at = clock.now() + 600;
  await createSqlPending(engine, clock).put({
    connection_id: id,
    user_id,
    integration: 'github',
    expires_at,
  });
  await engine.close();
}
