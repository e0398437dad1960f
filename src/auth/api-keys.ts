// Mints, reveals and verifies the API keys of users, by SHA-256, or by bcrypt for legacy keys.
import { toHex } from '../crypto/encoding.ts';
import type { Place, Seal } from '../crypto/seal.ts';
import type { FairQueue } from '../memory/fair-queue.ts';
import type { Ports } from '../ports/ports.ts';
import { createSharePerTick } from '../memory/share-per-tick.ts';
import type { User } from '../ports/records.ts';
import type { ApiKeyColumns, KeyHolder } from '../ports/store.ts';
import { createSemaphore } from '../memory/semaphore.ts';

const SHAPE = /^[0-9a-f]{64}$/;
const MAX_PARALLEL_SEARCHES = 2;
const MAX_WAITING_SEARCHES = 64;
const BUSY = 'Many unknown API keys are being checked. Try again in a moment.';
/** The place that a sealed key is bound to. */
export const placeOfKey = (userId: string): Place => [userId, '', 'api_key'];

export type Revealed = { outcome: 'key'; apiKey: string } | { outcome: 'none' | 'sealed-away' };

export interface ApiKeys {
  /** Returns the owner of the key, or null. Throws `TooBusy` when too many keys wait for a slow comparison. */
  verify(presented: string): Promise<KeyHolder | null>;
  /** Whether no owner can be found, or only by comparing the key slowly with that of each person with a legacy key. */
  isUnknown(presented: string): Promise<boolean>;
  /** Makes a new key for the user. The old key stops working at once. Throws `QueueFull`, as `mintFirst` does. */
  mint(userId: string): Promise<string>;
  /** Makes a key for a user without one. Returns null when the user has a key. */
  mintFirst(userId: string): Promise<string | null>;
  reveal(user: User): Promise<Revealed>;
  remove(userId: string): Promise<void>;
}

export function createApiKeys(
  deps: Pick<Ports, 'clock' | 'store' | 'digest' | 'hasher' | 'random'> & { hashing: FairQueue; seal: Seal },
): ApiKeys {
  const { clock, store, digest, hasher, hashing, random, seal } = deps;
  const holders = createSharePerTick(clock, (sha) => store.users.byKeySha(sha));
  // One key after the other, so that under load the first ones are answered soon.
  const inTurn = createSemaphore(MAX_PARALLEL_SEARCHES, {
    maxWaiting: MAX_WAITING_SEARCHES,
    message: BUSY,
  });

  async function verifyLegacy(presented: string, sha: string): Promise<KeyHolder | null> {
    if ((await store.users.withLegacyKey()).length === 0) return null;
    // While a key waits, its owner may be found by the same key, or lose it.
    return inTurn(async () => (await holders.read(sha)) ?? compareAll(presented, sha));
  }

  async function compareAll(presented: string, sha: string): Promise<KeyHolder | null> {
    for (const user of await store.users.withLegacyKey()) {
      if (!(await hasher.verify(presented, user.api_key_hash))) continue;
      await store.users.backfillKeySha(user.id, user.api_key_hash, sha);
      return { id: user.id, hasRules: true };
    }
    return null;
  }

  async function draw(userId: string): Promise<{ apiKey: string; columns: ApiKeyColumns }> {
    const apiKey = toHex(random.bytes(32));
    const columns = {
      api_key_hash: await hashing.run(userId, () => hasher.hash(apiKey)),
      api_key_sha: digest.sha256(apiKey),
      api_key_ciphertext: await seal.seal(apiKey, placeOfKey(userId)),
    };
    return { apiKey, columns };
  }

  return {
    async verify(presented) {
      if (!SHAPE.test(presented)) return null;
      const sha = digest.sha256(presented);
      return (await holders.read(sha)) ?? verifyLegacy(presented, sha);
    },

    async isUnknown(presented) {
      return !SHAPE.test(presented) || (await holders.read(digest.sha256(presented))) === null;
    },

    async mint(userId) {
      const { apiKey, columns } = await draw(userId);
      await store.users.setKey(userId, columns).finally(holders.forget);
      return apiKey;
    },

    async mintFirst(userId) {
      const { apiKey, columns } = await draw(userId);
      return (await store.users.setFirstKey(userId, columns).finally(holders.forget)) ? apiKey : null;
    },

    async reveal(user) {
      if (user.api_key_hash === null) return { outcome: 'none' };
      const sealed = user.api_key_ciphertext;
      const apiKey = sealed === null ? null : await seal.open(sealed, placeOfKey(user.id));
      return apiKey === null ? { outcome: 'sealed-away' } : { outcome: 'key', apiKey };
    },

    remove(userId) {
      const none = { api_key_hash: null, api_key_sha: null, api_key_ciphertext: null };
      return store.users.setKey(userId, none).finally(holders.forget);
    },
  };
}
