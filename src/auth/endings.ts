// Knows whose sessions and tokens are over, although they are signed and have not expired. reference: People; decision: 018
import { ENDINGS_FRESH_MS } from './limits.ts';
import type { Ports } from '../ports/ports.ts';

/** What this process has last read: when a person's credentials ended, by the SHA-256 of the person's id. */
export interface EndingsCache {
  before: ReadonlyMap<string, number>;
  /** The clients that their people have paused, each as `keyOfClient` writes it. */
  paused: ReadonlySet<string>;
  /** In monotonic milliseconds; null before the first read. */
  readAt: number | null;
}

export const createEndingsCache = (): EndingsCache => ({
  before: new Map(),
  paused: new Set(),
  readAt: null,
});

const keyOfClient = (userId: string, clientId: string): string => `${userId}\n${clientId}`;

export interface Endings {
  /**
   * Whether a credential is over that the person got at this time. Reads the store at most once in ENDINGS_FRESH_MS for
   * everybody together, so that a signed token costs no read of its own.
   */
  isOver(userId: string, issuedAt: number): boolean | Promise<boolean>;
  /** Whether the person had paused the client when the list was last read: ask `isOver` first. */
  isPaused(userId: string, clientId: string): boolean;
  /** Returns the list as it was at most so many milliseconds ago. */
  list(maxAgeMs: number): Promise<EndingsCache['before']>;
  /** Makes the next question of this process read again. */
  forget(): void;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'store'> & { endingsCache: EndingsCache };

export function createEndings({ clock, digest, store, endingsCache: cache }: Needs): Endings {
  let reading: Promise<void> | null = null;
  let reads = 0;
  /** Reads up to this one began before somebody's access ended in this process, and may have missed it. */
  let forgotten = 0;

  async function read(): Promise<void> {
    const number = ++reads;
    const readAt = clock.millis();
    const [endings, paused] = await Promise.all([store.people.endings(clock.now()), store.policies.paused()]);
    if (number <= forgotten) return;
    cache.before = new Map(endings.map(({ person, before }) => [person, before]));
    cache.paused = new Set(paused.map(({ user_id, client_id }) => keyOfClient(user_id, client_id)));
    cache.readAt = readAt;
  }

  const isFresh = (maxAgeMs: number): boolean =>
    cache.readAt !== null && clock.millis() - cache.readAt < maxAgeMs;

  function isListed(userId: string, issuedAt: number): boolean {
    if (cache.before.size === 0) return false;
    const before = cache.before.get(digest.sha256(userId));
    return before !== undefined && issuedAt <= before;
  }

  return {
    isOver(userId, issuedAt) {
      if (isFresh(ENDINGS_FRESH_MS)) return isListed(userId, issuedAt);
      if (reading === null) {
        const mine = read().finally(() => {
          if (reading === mine) reading = null;
        });
        reading = mine;
      }
      return reading.then(() => isListed(userId, issuedAt));
    },
    isPaused: (userId, clientId) => cache.paused.has(keyOfClient(userId, clientId)),
    async list(maxAgeMs) {
      // Does not share its read: on an edge runtime the request behind it may end first.
      if (!isFresh(maxAgeMs)) await read();
      return cache.before;
    },
    forget() {
      cache.readAt = null;
      reading = null;
      forgotten = reads;
    },
  };
}
