// Runs the contract of pending connections on a real Redis, and tests a Redis that fails.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { openRedisPending } from '../../drivers/pending/redis.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { describeService, redisUrl } from '../support/services.ts';
import { listen } from '../support/listen.ts';
import { pendingContract } from './pending-contract.ts';

const clock = createFakeClock();
const ask = () => ({
  connection_id: randomUUID(),
  user_id: randomUUID(),
  integration: 'github',
  expires_at: clock.now() + 600,
});

/** Opens a TCP bridge to Redis that a test can cut and restore. */
async function openBridge(url: URL) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const far = connect(Number(url.port || 6379), url.hostname);
    for (const end of [socket, far]) {
      sockets.add(end);
      end.on('error', () => {}).on('close', () => sockets.delete(end));
    }
    socket.pipe(far).pipe(socket);
  });
  const port = await listen(server);
  return {
    url: `redis://127.0.0.1:${port}`,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    mend: () => listen(server, port),
  };
}

describe('pending connections without a Redis', () => {
  it('rejects every call as unavailable when Redis never responds', async () => {
    const server = createServer();
    const port = await listen(server);
    const pending = openRedisPending(`redis://127.0.0.1:${port}`, clock);
    const calls = [pending.put(ask()), pending.get('x'), pending.connect('x', 'y'), pending.expire('x')];
    for (const call of calls) await expect(call).rejects.toThrow(Unavailable);
    await pending.close();
    server.close();
  });

  it('reports once why Redis is unreachable and gives each call that cause', async () => {
    const reasons: string[] = [];
    const pending = openRedisPending(
      'redis://127.0.0.1:1',
      clock,
      ({ message }) => void reasons.push(message),
    );
    for (const call of [pending.get('x'), pending.get('y')])
      await expect(call).rejects.toMatchObject({
        message: '[redis] no answer',
        cause: { message: expect.stringContaining('ECONNREFUSED') },
      });
    await pending.close();
    expect(reasons).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });

  it('prints nothing and keeps the process alive when Redis refuses connections', async () => {
    const url = new URL('../../drivers/pending/redis.ts', import.meta.url).href;
    const program = `import { openRedisPending } from ${JSON.stringify(url)};
      const pending = openRedisPending('redis://127.0.0.1:1', { now: () => 1 });
      const error = await pending.get('x').catch((caught) => caught);
      await pending.close();
      console.log(error.message);`;
    const run = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    expect(run).toEqual({ stdout: '[redis] no answer\n', stderr: '' });
  });
});

await describeService('pending connections in Redis', redisUrl(), () => {
  pendingContract('redis', async (contractClock) => {
    const pending = openRedisPending(redisUrl(), contractClock);
    return { pending, close: () => pending.close() };
  });

  it('shares records between two processes and lets only one of them connect a record', async () => {
    const [one, other] = [openRedisPending(redisUrl(), clock), openRedisPending(redisUrl(), clock)];
    for (let round = 0; round < 20; round++) {
      const record = ask();
      await one.put(record);
      expect(await other.get(record.connection_id)).toEqual({ ...record, status: 'PENDING' });
      const answers = await Promise.all(
        [one, other, one, other].map((pending) => pending.connect(record.user_id, record.integration)),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect((await one.get(record.connection_id))?.status).toBe('CONNECTED');
    }
    await Promise.all([one.close(), other.close()]);
  });

  it('rejects calls while the connection is lost and reconnects by itself', async () => {
    const bridge = await openBridge(new URL(redisUrl()));
    const pending = openRedisPending(bridge.url, clock);
    const record = ask();
    await pending.put(record);
    bridge.cut();
    await expect(pending.get(record.connection_id)).rejects.toThrow(Unavailable);
    await bridge.mend();
    await vi.waitFor(
      async () => expect(await pending.get(record.connection_id)).toEqual({ ...record, status: 'PENDING' }),
      { timeout: 10_000 },
    );
    await pending.close();
    bridge.cut();
  });
});
