// Pending connections over unstorage. A record is written once; its outcome is a second value beside it, and
// the first outcome wins. So a record is never both connected and expired, and never revived.
import { createStorage, type Storage } from 'unstorage';
import memoryDriver from 'unstorage/drivers/memory';
import * as z from 'zod';
import type { Clock } from '../../src/ports/clock.ts';
import type { PendingConnections, PendingStatus } from '../../src/ports/pending.ts';

const RETENTION_SECONDS = 3600;
/** How many records of one user and integration `connect` searches for one that is still PENDING. */
const MAX_RECORDS_SEARCHED = 100;

/** Every value is an object with its own expiry, because unstorage rewrites bare strings and numbers. */
const Expiring = z.object({ expires_at: z.number() });
const Newest = Expiring.extend({ connection_id: z.string() });
const Settled = Expiring.extend({ status: z.enum(['CONNECTED', 'EXPIRED']) });
const PendingRecord = Newest.extend({
  user_id: z.string(),
  integration: z.string(),
  /** The id of the record that was the newest of this user and integration before this one. */
  previous: z.string().nullable(),
});
type Expiring = z.infer<typeof Expiring>;
type Newest = z.infer<typeof Newest>;
type Settled = z.infer<typeof Settled>;
type PendingRecord = z.infer<typeof PendingRecord>;

/** The operations that unstorage itself lacks. */
export interface StorageExtras {
  /** Sets a value atomically if the key has none; returns false otherwise. */
  setOnce: (key: string, value: Expiring, ttl: number) => Promise<boolean>;
  /** Deletes expired values, where the storage does not do so itself. */
  forget: (isOver: (value: Expiring) => boolean) => void;
}

export function createUnstoragePending(
  storage: Storage,
  clock: Clock,
  { setOnce, forget }: StorageExtras,
): PendingConnections {
  const isOver = (value: Expiring) => value.expires_at < clock.now() - RETENTION_SECONDS;
  const ttlOf = (value: Expiring) => Math.max(1, value.expires_at - clock.now() + 2 * RETENTION_SECONDS);
  const write = (key: string, value: Expiring) => storage.setItem(key, value, { ttl: ttlOf(value) });

  /** A value of another shape counts as missing. */
  async function load<T>(schema: z.ZodType<T>, key: string): Promise<T | null> {
    return schema.safeParse(await storage.getItem(key)).data ?? null;
  }

  const settle = ({ connection_id, expires_at }: PendingRecord, status: Settled['status']) => {
    const outcome: Settled = { status, expires_at };
    return setOnce(keyOf('outcome', connection_id), outcome, ttlOf(outcome));
  };

  const read = async (id: string): Promise<{ record: PendingRecord; status: PendingStatus } | null> => {
    const [record, outcome] = await Promise.all([
      load(PendingRecord, keyOf('record', id)),
      load(Settled, keyOf('outcome', id)),
    ]);
    if (record === null || isOver(record)) return null;
    return { record, status: outcome?.status ?? (clock.now() < record.expires_at ? 'PENDING' : 'EXPIRED') };
  };

  const newestOf = async (userId: string, integration: string) =>
    (await load(Newest, keyOf('newest', userId, integration)))?.connection_id ?? null;

  return {
    async put({ connection_id, user_id, integration, expires_at }) {
      const previous = await newestOf(user_id, integration);
      const record: PendingRecord = { connection_id, user_id, integration, expires_at, previous };
      await storage.removeItem(keyOf('outcome', connection_id));
      await write(keyOf('record', connection_id), record);
      const newest: Newest = { connection_id, expires_at };
      await write(keyOf('newest', user_id, integration), newest);
    },
    async get(connectionId) {
      const found = await read(connectionId);
      if (!found) return null;
      const { connection_id, user_id, integration, expires_at } = found.record;
      return { connection_id, user_id, integration, status: found.status, expires_at };
    },
    async connect(userId, integration) {
      const seen = new Set<string>();
      let id = await newestOf(userId, integration);
      while (id !== null && !seen.has(id) && seen.size < MAX_RECORDS_SEARCHED) {
        seen.add(id);
        const found = await read(id);
        if (found?.status === 'PENDING' && (await settle(found.record, 'CONNECTED'))) return true;
        id = found?.record.previous ?? null;
      }
      return false;
    },
    async expire(connectionId) {
      const found = await read(connectionId);
      if (found?.status === 'PENDING') await settle(found.record, 'EXPIRED');
    },
    async sweep() {
      forget(isOver);
      return false;
    },
    close: () => storage.dispose(),
  };
}

export function openMemoryPending(clock: Clock): PendingConnections {
  const driver = memoryDriver();
  const values: Map<string, string> = driver.getInstance?.() ?? new Map();
  return createUnstoragePending(createStorage({ driver }), clock, {
    async setOnce(key, value) {
      if (values.has(key)) return false;
      values.set(key, JSON.stringify(value));
      return true;
    },
    forget(isOver) {
      for (const [key, value] of values) if (isOver(Expiring.parse(JSON.parse(value)))) values.delete(key);
    },
  });
}

/** Encodes each part as one segment: unstorage rewrites separators, dots and question marks. */
function keyOf(kind: string, ...parts: string[]): string {
  return [kind, ...parts.map((part) => `+${encodeURIComponent(part.toWellFormed())}`)].join(':');
}
