// Lets the workers of one gateway count together: each sends what it has counted to the others, through the primary.
// decision: 010
import type { SharedCounts } from '../../../src/ports/shared-counts.ts';
import type { Role } from './role.ts';

/** The changes of each key, by list. */
export type Counts = Record<string, Record<string, number>>;

/** More workers send less often, so that the primary has the same work for each of them. */
const PAUSE_MS_PER_WORKER = 5;

export function createSharedCounts({ of }: Pick<Role, 'of'>): SharedCounts {
  const listeners = new Map<string, (key: string, change: number) => void>();
  const waiting = new Map<string, Map<string, number>>();
  let isWaiting = false;

  function send(): void {
    isWaiting = false;
    const counts: Counts = Object.fromEntries(
      [...waiting].map(([list, changes]) => [list, Object.fromEntries(changes)]),
    );
    waiting.clear();
    // Without its primary a worker is about to end.
    process.send?.({ counts }, undefined, undefined, () => {});
  }

  process.on('message', (message) => {
    for (const [list, changes] of Object.entries(readCounts(message) ?? {}))
      for (const [key, change] of Object.entries(changes)) listeners.get(list)?.(key, change);
  });

  return {
    tell(list, key, change) {
      const changes = waiting.get(list) ?? new Map<string, number>();
      waiting.set(list, changes.set(key, (changes.get(key) ?? 0) + change));
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(send, PAUSE_MS_PER_WORKER * of).unref();
    },
    hear: (list, add) => void listeners.set(list, add),
  };
}

/** Null for another message. */
export function readCounts(message: unknown): Counts | null {
  return typeof message === 'object' && message !== null && 'counts' in message
    ? (message.counts as Counts)
    : null;
}
