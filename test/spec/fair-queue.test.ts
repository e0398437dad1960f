// Tests the queue of slow hashes. reference: Limits per person; decision: 019
import { beforeEach, expect, it } from 'vitest';
import { createFairQueue, type FairQueue, QueueFull } from '../../src/memory/fair-queue.ts';

let queue: FairQueue;
/** The tasks that have begun, in order. */
let begun: string[];
let finish: Map<string, PromiseWithResolvers<void>>;
beforeEach(() => {
  queue = createFairQueue({ maxRunning: 2, maxWaitingPerOwner: 3 });
  begun = [];
  finish = new Map();
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

function start(owner: string, name: string): Promise<string> {
  const done = Promise.withResolvers<void>();
  finish.set(name, done);
  return queue.run(owner, async () => {
    begun.push(name);
    await done.promise;
    return name;
  });
}

async function end(name: string): Promise<void> {
  finish.get(name)?.resolve();
  await settled();
}

it('runs one task of an owner at a time, so that another owner starts at once', async () => {
  for (const name of ['a1', 'a2', 'a3']) void start('ana', name);
  await settled();
  expect(begun).toEqual(['a1']);
  void start('bea', 'b1');
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
});

it('lets owners take turns', async () => {
  for (const name of ['a1', 'a2', 'a3']) void start('ana', name);
  for (const owner of ['bea', 'cay']) for (const n of [1, 2]) void start(owner, `${owner}${n}`);
  await settled();
  for (const name of ['a1', 'bea1', 'cay1', 'a2', 'bea2', 'cay2', 'a3']) await end(name);
  expect(begun).toEqual(['a1', 'bea1', 'cay1', 'a2', 'bea2', 'cay2', 'a3']);
});

it('refuses an owner who has too many waiting, and nobody else', async () => {
  const running = ['a1', 'a2', 'a3', 'a4'].map((name) => start('ana', name));
  await expect(start('ana', 'a5')).rejects.toThrow(QueueFull);
  void start('bea', 'b1');
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  for (const name of ['a1', 'a2', 'a3', 'a4']) await end(name);
  expect(await Promise.all(running)).toEqual(['a1', 'a2', 'a3', 'a4']);
  void start('ana', 'a6');
  await settled();
  expect(begun.at(-1)).toBe('a6');
});

it('goes on after a task that fails', async () => {
  await expect(queue.run('ana', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await queue.run('ana', async () => 'yes')).toBe('yes');
});
