// Bounds what the stored results of one person take together: the oldest go first. reference: Limits per person; decision: 019
import type { Clock } from '../../ports/clock.ts';

export interface ResultQuota {
  /** Counts a result that was stored until `expiresAt`, and returns the person's oldest results that must be deleted for it. */
  add(userId: string, handle: string, bytes: number, expiresAt: number): string[];
  /** The bytes of the person's results that have not expired. */
  used(userId: string): number;
}

interface Kept {
  handle: string;
  bytes: number;
  expiresAt: number;
}

/** Knows the results of this process. The newest result of a person always stays. */
export function createResultQuota(maxBytes: number, clock: Clock): ResultQuota {
  /** The results of each person, oldest first. The person who stored last is at the end. */
  const people = new Map<string, Kept[]>();

  function forgetExpired(now: number): void {
    for (const [userId, results] of people) {
      if ((results.at(-1)?.expiresAt ?? 0) > now) return;
      people.delete(userId);
    }
  }

  const liveOf = (userId: string, now: number): Kept[] =>
    (people.get(userId) ?? []).filter((result) => result.expiresAt > now);

  return {
    used: (userId) => sumBytes(liveOf(userId, clock.now())),

    add(userId, handle, bytes, expiresAt) {
      const now = clock.now();
      forgetExpired(now);
      const live = liveOf(userId, now);
      live.push({ handle, bytes, expiresAt });
      let total = sumBytes(live);
      let gone = 0;
      for (const result of live.slice(0, -1)) {
        if (total <= maxBytes) break;
        total -= result.bytes;
        gone++;
      }
      people.delete(userId);
      people.set(userId, live.slice(gone));
      return live.slice(0, gone).map((result) => result.handle);
    },
  };
}

const sumBytes = (results: readonly Kept[]): number => results.reduce((sum, { bytes }) => sum + bytes, 0);
