// Pending connections in Redis, for several processes. Its own file: it pulls in the client.
import { createStorage } from 'unstorage';
import redisDriver from 'unstorage/drivers/redis';
import type { Clock } from '../../src/ports/clock.ts';
import type { PendingConnections } from '../../src/ports/pending.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { createUnstoragePending } from './unstorage.ts';

const PREFIX = 'service';

/**
 * Connects in the background. While Redis is away calls reject within seconds; they work again when it is back.
 * `onAway` hears once of each time that it cannot be reached, and why.
 */
export function openRedisPending(
  url: string,
  clock: Clock,
  onAway: (reason: Error) => void = () => {},
): PendingConnections {
  const driver = redisDriver({
    url,
    base: PREFIX,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempts) => Math.min(attempts * 50, 1_000),
  });
  const client = driver.getInstance?.();
  if (!client) throw new TypeError('[redis] this unstorage does not tell its client');
  // Without a listener the client prints every lost connection. To calls it only tells that it has tried.
  let away: Error | null = null;
  client.on('error', (reason: Error) => {
    if (away === null) onAway(reason);
    away = reason;
  });
  client.on('ready', () => {
    away = null;
  });

  const pending = createUnstoragePending(createStorage({ driver }), clock, {
    setOnce: async (key, value, ttl) =>
      (await client.set(`${PREFIX}:${key}`, JSON.stringify(value), 'EX', ttl, 'NX')) === 'OK',
    // Redis drops what is over by itself.
    forget: () => {},
  });

  async function orUnavailable<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (cause) {
      throw new Unavailable('[redis] no answer', { cause: away ?? cause });
    }
  }

  return {
    put: (record) => orUnavailable(pending.put(record)),
    get: (id) => orUnavailable(pending.get(id)),
    connect: (userId, integration) => orUnavailable(pending.connect(userId, integration)),
    expire: (id) => orUnavailable(pending.expire(id)),
    sweep: () => pending.sweep(),
    close: () => pending.close(),
  };
}
