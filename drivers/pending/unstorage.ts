// Pending connections over unstorage. A record is written once; its outcome is a second value beside it, and
// the first outcome wins. So a record is never both connected and expired, and never revived.
import { createStorage, type Storage } from 'unstorage';
import memoryDriver from 'unstorage/drivers/memory';
import * as z from 'zod';
import type { Clock } from '../../src/ports/clock.ts';
import { type PendingConnections, type PendingStatus, RECORDS_PER_PLACE } from '../../src/ports/pending.ts';

const RETENTION_SECONDS = 3600;
/** How many records of one user and integration `connect` searches for one that is still PENDING. */
const MAX_RECORDS_SEARCHED = 100;

/** Every value is an object with its own expiry, because unstorage rewrites bare strings and numbers. */
const Expiring = z.object({ expires_at: z.number() });
const Newest = Expiring.extend({ connection_id: z.string() });
const Ids = Expiring.extend({ ids: z.array(z.string()) });
const Settled = Expiring.extend({ status: z.enum(['CONNECTED', 'EXPIRED']) });
const PendingRecord = Newest.extend({
  user_id: z.string(),
  integration: z.string(),
  /** The id of the record that was the newest of this user and integration before this one. */
  previous: z.string().nullable(),
});
type Expiring = z.infer<typeof Expiring>;
type Newest = z.infer<typeof Newest>;
type Ids = z.infer<typeof Ids>;
type Settled = z.infer<typeof Settled>;
type PendingRecord = z.infer<typeof PendingRecord>;

/** The operations that unstorage itself lacks. */
export interface StorageExtras {
  /** Sets a value atomically if the key has none; returns false otherwise. */
  setOnce: (key: string, value: Expiring, ttl: number) => Promise<boolean>;
  /** Appends the id to the list of the key, keeps the newest `most` ids, and returns those that it dropped. */
  keepNewest: (
    key: string,
    id: string,
    bounds: { expires_at: number; ttl: number; most: number },
  ) => Promise<string[]>;
  /** Takes the id out of the list of the key. */
  leaveOut: (key: string, id: string) => Promise<void>;
  /** Lists the ids of the list of the key. */
  idsOf: (key: string) => Promise<string[]>;
  /** Deletes expired values, where the storage does not do so itself. */
  forgetExpired: (isOver: (value: Expiring) => boolean) => void;
}

export function createUnstoragePending(
  storage: Storage,
  clock: Clock,
  { setOnce, keepNewest, leaveOut, idsOf, forgetExpired }: StorageExtras,
): PendingConnections {
  const isOver = (value: Expiring) => value.expires_at < clock.now() - RETENTION_SECONDS;
  const ttlOf = (value: Expiring) => Math.max(1, value.expires_at - clock.now() + 2 * RETENTION_SECONDS);
  const write = (key: string, value: Expiring) => storage.setItem(key, value, { ttl: ttlOf(value) });

  /** A value of another shape counts as missing. */
  async function load<T>(schema: z.ZodType<T>, key: string): Promise<T | null> {
    return schema.safeParse(await storage.getItem(key)).data ?? null;
  }

  const settle = async (
    { connection_id, user_id, expires_at }: PendingRecord,
    status: Settled['status'],
  ): Promise<boolean> => {
    const outcome: Settled = { status, expires_at };
    const settled = await setOnce(keyOf('outcome', connection_id), outcome, ttlOf(outcome));
    if (settled) await leaveOut(keyOf('live', user_id), connection_id);
    return settled;
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

  const expire = async (id: string): Promise<void> => {
    const found = await read(id);
    if (found?.status === 'PENDING') await settle(found.record, 'EXPIRED');
  };

  const bound = async (
    { connection_id, user_id, expires_at }: PendingRecord,
    most: number,
  ): Promise<string[]> => {
    const bounds = { expires_at, ttl: ttlOf({ expires_at }), most };
    const kept = { ...bounds, most: most * RECORDS_PER_PLACE };
    const evicted = await keepNewest(keyOf('live', user_id), connection_id, bounds);
    for (const id of evicted) await expire(id);
    for (const id of await keepNewest(keyOf('all', user_id), connection_id, kept))
      for (const kind of ['record', 'outcome']) await storage.removeItem(keyOf(kind, id));
    return evicted;
  };

  return {
    async put({ connection_id, user_id, integration, expires_at }, most) {
      const previous = await newestOf(user_id, integration);
      const record: PendingRecord = { connection_id, user_id, integration, expires_at, previous };
      await storage.removeItem(keyOf('outcome', connection_id));
      await write(keyOf('record', connection_id), record);
      const newest: Newest = { connection_id, expires_at };
      await write(keyOf('newest', user_id, integration), newest);
      return most === undefined ? [] : bound(record, most);
    },
    async get(connectionId) {
      const found = await read(connectionId);
      if (!found) return null;
      const { connection_id, user_id, integration, expires_at } = found.record;
      return { connection_id, user_id, integration, status: found.status, expires_at };
    },
    async count(userId) {
      const found = await Promise.all((await idsOf(keyOf('live', userId))).map(read));
      return found.filter((each) => each?.status === 'PENDING').length;
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
    expire,
    async forget(userId) {
      for (const id of await idsOf(keyOf('all', userId))) {
        const found = await read(id);
        if (found !== null) await storage.removeItem(keyOf('newest', userId, found.record.integration));
        for (const kind of ['record', 'outcome']) await storage.removeItem(keyOf(kind, id));
      }
      for (const kind of ['live', 'all']) await storage.removeItem(keyOf(kind, userId));
    },
    async sweep() {
      forgetExpired(isOver);
      return false;
    },
    close: () => storage.dispose(),
  };
}

export function openMemoryPending(clock: Clock): PendingConnections {
  const driver = memoryDriver();
  const values: Map<string, string> = driver.getInstance?.() ?? new Map();
  const idsIn = (key: string, except?: string): string[] =>
    Ids.safeParse(JSON.parse(values.get(key) ?? 'null')).data?.ids.filter((id) => id !== except) ?? [];
  return createUnstoragePending(createStorage({ driver }), clock, {
    async keepNewest(key, id, { expires_at, most }) {
      const ids = [...idsIn(key, id), id];
      const kept: Ids = { expires_at, ids: ids.slice(-most) };
      values.set(key, JSON.stringify(kept));
      return ids.slice(0, -most);
    },
    async leaveOut(key, id) {
      const { success, data } = Ids.safeParse(JSON.parse(values.get(key) ?? 'null'));
      if (success) values.set(key, JSON.stringify({ ...data, ids: idsIn(key, id) }));
    },
    async setOnce(key, value) {
      if (values.has(key)) return false;
      values.set(key, JSON.stringify(value));
      return true;
    },
    idsOf: async (key) => idsIn(key),
    forgetExpired(isOver) {
      for (const [key, value] of values) if (isOver(Expiring.parse(JSON.parse(value)))) values.delete(key);
    },
  });
}

/** Encodes each part as one segment: unstorage rewrites separators, dots and question marks. */
function keyOf(kind: string, ...parts: string[]): string {
  return [kind, ...parts.map((part) => `+${encodeURIComponent(part.toWellFormed())}`)].join(':');
}
