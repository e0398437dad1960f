// Pending connections over unstorage. A record is written once; its outcome is a second value beside it, and
// the first outcome wins. So a record is never both connected and expired, and never revived.
import { createStorage, type Storage } from 'unstorage';
import memoryDriver from 'unstorage/drivers/memory';
import type { Clock } from '../../src/ports/clock.ts';
import type { PendingConnection, PendingConnections, PendingStatus } from '../../src/ports/pending.ts';

const KEPT_SECONDS = 3600;
/** How many records of one user and integration `connect` searches for one that is still PENDING. */
const MOST_STEPS = 100;

/** Every value is an object with its own expiry, because unstorage rewrites bare strings and numbers. */
interface Kept {
  expires_at: number;
}
interface Newest extends Kept {
  connection_id: string;
}
interface Outcome extends Kept {
  status: Exclude<PendingStatus, 'PENDING'>;
}
interface KeptRecord extends Newest, Omit<PendingConnection, 'status'> {
  /** The id of the record that was the newest of this user and integration before this one. */
  previous: string | null;
}

/** The operations that unstorage itself lacks. */
export interface StorageExtras {
  /** Sets a value atomically if the key has none; returns false otherwise. */
  setOnce: (key: string, value: Kept, ttl: number) => Promise<boolean>;
  /** Deletes expired values, where the storage does not do so itself. */
  forget: (isOver: (value: Kept) => boolean) => void;
}

export function createUnstoragePending(
  storage: Storage,
  clock: Clock,
  { setOnce, forget }: StorageExtras,
): PendingConnections {
  const isOver = (value: Kept) => value.expires_at < clock.now() - KEPT_SECONDS;
  const ttlOf = (value: Kept) => Math.max(1, value.expires_at - clock.now() + 2 * KEPT_SECONDS);
  const write = (key: string, value: Kept) => storage.setItem(key, value, { ttl: ttlOf(value) });

  const settle = ({ connection_id, expires_at }: KeptRecord, status: Outcome['status']) => {
    const outcome: Outcome = { status, expires_at };
    return setOnce(keyOf('outcome', connection_id), outcome, ttlOf(outcome));
  };

  const read = async (id: string): Promise<{ record: KeptRecord; status: PendingStatus } | null> => {
    const [record, outcome] = await Promise.all([
      storage.getItem<KeptRecord>(keyOf('record', id)),
      storage.getItem<Outcome>(keyOf('outcome', id)),
    ]);
    if (!record || isOver(record)) return null;
    return { record, status: outcome?.status ?? (clock.now() < record.expires_at ? 'PENDING' : 'EXPIRED') };
  };

  const newestOf = async (userId: string, integration: string) =>
    (await storage.getItem<Newest>(keyOf('newest', userId, integration)))?.connection_id ?? null;

  return {
    async put({ connection_id, user_id, integration, expires_at }) {
      const previous = await newestOf(user_id, integration);
      const record: KeptRecord = { connection_id, user_id, integration, expires_at, previous };
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
      while (id !== null && !seen.has(id) && seen.size < MOST_STEPS) {
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
    sweep: async () => forget(isOver),
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
      for (const [key, value] of values) if (isOver(JSON.parse(value))) values.delete(key);
    },
  });
}

/** Encodes each part as one segment: unstorage rewrites separators, dots and question marks. */
function keyOf(kind: string, ...parts: string[]): string {
  return [kind, ...parts.map((part) => `+${encodeURIComponent(part.toWellFormed())}`)].join(':');
}
