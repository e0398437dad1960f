// Pending connections in Redis, for several processes. It is a file of its own because it loads the Redis
// client.
import { createStorage } from 'unstorage';
import redisDriver from 'unstorage/drivers/redis';
import type { Clock } from '../../src/ports/clock.ts';
import type { PendingConnections } from '../../src/ports/pending.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { createUnstoragePending } from './unstorage.ts';

const PREFIX = 'service';

/**
 * Connects in the background. While Redis cannot be reached, calls fail within seconds; later calls work
 * again. `onAway` is called once per outage, with the reason.
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
  // Without a listener the client prints every lost connection. The error that calls get says only that the
  // client has retried.
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
    async keepNewest(key, id, { ttl, most }) {
      const list = `${PREFIX}:${key}`;
      // One transaction, so that of puts at the same time each id is dropped by exactly one.
      const replies = await client
        .multi()
        .lrem(list, 0, id)
        .rpush(list, id)
        .lrange(list, 0, -(most + 1))
        .ltrim(list, -most, -1)
        .expire(list, ttl)
        .exec();
      const [error, dropped] = replies?.[2] ?? [new TypeError('[redis] the transaction was discarded'), null];
      if (error !== null) throw error;
      return Array.isArray(dropped) ? dropped.map(String) : [];
    },
    async leaveOut(key, id) {
      await client.lrem(`${PREFIX}:${key}`, 0, id);
    },
    idsOf: (key) => client.lrange(`${PREFIX}:${key}`, 0, -1),
    // Redis deletes expired values itself.
    forgetExpired: () => {},
  });

  async function orUnavailable<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (cause) {
      throw new Unavailable('[redis] no answer', { cause: away ?? cause, part: 'redis' });
    }
  }

  return {
    put: (record, most) => orUnavailable(pending.put(record, most)),
    get: (id) => orUnavailable(pending.get(id)),
    count: (userId) => orUnavailable(pending.count(userId)),
    connect: (userId, integration) => orUnavailable(pending.connect(userId, integration)),
    expire: (id) => orUnavailable(pending.expire(id)),
    forget: (userId) => orUnavailable(pending.forget(userId)),
    sweep: () => pending.sweep(),
    close: () => pending.close(),
  };
}
