// Wakes by publish and subscribe of Redis: one connection that listens, opened when somebody waits for the first time, and one
// that tells. It is a file of its own because it loads the Redis client.
import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Wakes } from '../../src/ports/wakes.ts';
import { createMessages } from './messages.ts';

const CHANNEL = 'service:wakes';
const OPTIONS = {
  connectTimeout: 2_000,
  lazyConnect: true,
  retryStrategy: (attempts: number) => Math.min(attempts * 50, 1_000),
};

export function createRedisWakes(url: string): Wakes {
  // A message is not worth waiting for.
  const teller = new Redis(url, { ...OPTIONS, commandTimeout: 2_000, maxRetriesPerRequest: 1 });
  // Without a listener the client prints every lost connection. The store of pending connections tells of them.
  teller.on('error', () => {});
  const messages = createMessages({ origin: randomUUID(), send: (text) => teller.publish(CHANNEL, text) });
  let listener: Redis | null = null;
  return {
    tell: messages.tell,
    isHeard: messages.isHeard,
    hear(wake) {
      messages.hear(wake);
      listener = new Redis(url, { ...OPTIONS, maxRetriesPerRequest: null });
      listener.on('error', () => {});
      listener.on('message', (_, text: string) => messages.take(text));
      // It subscribes again by itself after a lost connection.
      listener.subscribe(CHANNEL).then(messages.greet, () => {});
    },
    async close() {
      listener?.disconnect();
      teller.disconnect();
    },
  };
}
