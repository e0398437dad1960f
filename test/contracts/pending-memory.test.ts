// Runs the contract of pending connections on memory, and tests unusual ids and forgetting.
import { expect, it } from 'vitest';
import { createStorage } from 'unstorage';
import { createUnstoragePending, openMemoryPending } from '../../drivers/pending/unstorage.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { pendingContract } from './pending-contract.ts';

pendingContract('memory', async (clock) => {
  const pending = openMemoryPending(clock);
  return { pending, close: () => pending.close() };
});

it('keeps pending connections with ids and names of any shape apart in memory', async () => {
  const clock = createFakeClock();
  const pending = openMemoryPending(clock);
  const odd = ['', '.', '..', 'a', 'a:b', 'a/b', 'a?b', 'a$', 'A', '123', 'true', 'ä', '__proto__', '\ud800'];
  for (const id of odd) {
    await pending.put({ connection_id: id, user_id: id, integration: 'x', expires_at: clock.now() + 60 });
  }
  expect(await pending.connect('a', 'x')).toBe(true);
  expect(await pending.connect('', 'a:x')).toBe(false);
  for (const id of odd) {
    expect(await pending.get(id)).toMatchObject({
      user_id: id,
      status: id === 'a' ? 'CONNECTED' : 'PENDING',
    });
  }
  await pending.close();
});

it('forgets swept pending connections in memory even if the clock goes back', async () => {
  const clock = createFakeClock();
  const pending = openMemoryPending(clock);
  await pending.put({ connection_id: 'a', user_id: 'u', integration: 'x', expires_at: clock.now() + 60 });
  clock.advance(60 + 3_601);
  await pending.sweep();
  clock.advance(-60 - 3_601);
  expect(await pending.get('a')).toBeNull();
  expect(await pending.connect('u', 'x')).toBe(false);
  await pending.close();
});

it.each(['not JSON', '[]', '{"expires_at":"soon"}'])(
  'treats a stored value of another shape as missing: %s',
  async (damaged) => {
    const clock = createFakeClock();
    const storage = createStorage();
    const pending = createUnstoragePending(storage, clock, {
      setOnce: async () => true,
      keepNewest: async () => [],
      idsOf: async () => [],
      leaveOut: async () => {},
      forgetExpired: () => {},
    });
    await pending.put({ connection_id: 'a', user_id: 'u', integration: 'x', expires_at: clock.now() + 60 });
    expect(await pending.get('a')).toMatchObject({ user_id: 'u', status: 'PENDING' });
    for (const key of await storage.getKeys()) await storage.setItemRaw(key, damaged);
    expect(await pending.get('a')).toBeNull();
    expect(await pending.connect('u', 'x')).toBe(false);
    await pending.close();
  },
);
