// Connections to one address are kept and limited. design: C5
import { expect, it } from 'vitest';
import { createPinnedPools } from '../../drivers/network/pinned-pools.ts';
import { startHttpServer } from '../support/http-server.ts';

it('opens no more connections than its limit, and everybody gets a turn', async () => {
  const sockets = new Set<unknown>();
  const held: (() => void)[] = [];
  const server = await startHttpServer((incoming, outgoing) => {
    sockets.add(incoming.socket);
    held.push(() => outgoing.end('ok'));
  });
  const pools = createPinnedPools({ connections: 2 });
  const origin = `http://127.0.0.1:${server.port}`;
  const calls = Array.from({ length: 6 }, async () => {
    const { body } = await pools.poolFor(origin, '127.0.0.1').request({ path: '/', method: 'GET' });
    return body.text();
  });
  for (let answered = 0; answered < calls.length; answered++) {
    await expect.poll(() => held.length).toBeGreaterThan(0);
    held.shift()?.();
  }
  expect(await Promise.all(calls)).toEqual(calls.map(() => 'ok'));
  expect(sockets.size).toBe(2);
  await pools.close();
  await server.close();
});
