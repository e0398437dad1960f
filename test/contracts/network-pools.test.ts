// Tests that connections to one address are reused and limited. decision: 030
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createPinnedPools } from '../../drivers/network/pinned-pools.ts';
import { startHttpServer } from '../support/http-server.ts';

it('serves every request without opening more connections than the limit', async () => {
  const sockets = new Set<unknown>();
  const held: (() => void)[] = [];
  const server = await startHttpServer((incoming, outgoing) => {
    sockets.add(incoming.socket);
    held.push(() => outgoing.end('ok'));
  });
  const pools = createPinnedPools({ connections: 2 });
  const origin = `http://127.0.0.1:${server.port}`;
  const calls = Array.from({ length: 6 }, async () => {
    const { body } = await pools.poolFor(origin, ['127.0.0.1']).request({ path: '/', method: 'GET' });
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

it('dials the next address when one refuses, and sends the body once', async () => {
  const received: string[] = [];
  const server = await startHttpServer((incoming, outgoing) => {
    void text(incoming).then((upload) => {
      received.push(upload);
      outgoing.end('ok');
    });
  });
  const pools = createPinnedPools();
  const pool = pools.poolFor(`http://two.invalid:${server.port}`, ['::1', '127.0.0.2', '127.0.0.1']);
  const { body } = await pool.request({ path: '/', method: 'POST', body: Readable.from(['up', 'load']) });
  expect([await body.text(), received]).toEqual(['ok', ['upload']]);
  await pools.close();
  await server.close();
});

it('rejects with the error of the last address', async () => {
  const server = await startHttpServer(() => {});
  await server.close();
  const pools = createPinnedPools();
  const pool = pools.poolFor(`http://none.invalid:${server.port}`, ['127.0.0.2', '127.0.0.1']);
  await expect(pool.request({ path: '/', method: 'GET' })).rejects.toMatchObject({ address: '127.0.0.1' });
  await pools.close();
});

it('tries at most three addresses', async () => {
  const server = await startHttpServer();
  const pools = createPinnedPools();
  const addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.1'] as const;
  const pool = pools.poolFor(`http://many.invalid:${server.port}`, addresses);
  await expect(pool.request({ path: '/', method: 'GET' })).rejects.toMatchObject({ address: '127.0.0.4' });
  await pools.close();
  await server.close();
});
