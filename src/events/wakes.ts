// Wakes readers when something was stored for them, whichever process has stored it. Nobody who waits holds a connection of the
// store: one look serves all that wait in a process.
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { SharedCounts } from '../ports/shared-counts.ts';
import type { Store } from '../ports/store.ts';
import type { Wakes } from '../ports/wakes.ts';
import { describe } from '../http/errors.ts';
import { LOOK_MS, SLOW_LOOK_MS } from './limits.ts';

export interface EventWaits {
  /** Something was stored for the person. */
  tell(userId: string): void;
  /** Resolves when something is stored behind the position, when the time is over, or when the signal aborts. */
  wait(userId: string, position: number, seconds: number, signal: AbortSignal | undefined): Promise<void>;
  /** How many wait in this process. */
  waiting(): number;
}

interface Waiter {
  position: number;
  wake: () => void;
}

interface Needs {
  clock: Clock;
  log: Log;
  store: Pick<Store, 'events'>;
  isIsolated?: boolean;
  sharedCounts?: SharedCounts | undefined;
  wakes?: Wakes | undefined;
}

const LIST = 'event wakes';

export function createEventWaits({
  clock,
  log,
  store,
  isIsolated = false,
  sharedCounts,
  wakes,
}: Needs): EventWaits {
  const waiters = new Map<string, Set<Waiter>>();
  let looking = false;
  let isHearing = false;

  function wakeAll(userId: string): void {
    for (const waiter of waiters.get(userId) ?? []) waiter.wake();
  }
  sharedCounts?.hear(LIST, wakeAll);

  async function lookOnce(): Promise<void> {
    const streams = await store.events.streams([...waiters.keys()]);
    for (const [userId, { last }] of streams)
      for (const waiter of waiters.get(userId) ?? []) if (last > waiter.position) waiter.wake();
  }

  /** Runs only while somebody waits. */
  function lookOn(): void {
    if (looking || waiters.size === 0) return;
    looking = true;
    clock.later(wakes?.isHeard() === true ? SLOW_LOOK_MS : LOOK_MS, () => {
      lookOnce()
        .catch((error: unknown) => log.write('warn', 'events were not looked for', describe(error)))
        .finally(() => {
          looking = false;
          lookOn();
        });
    });
  }

  /** Where a request may not use what another one has opened, each looks for itself. */
  async function lookAlone(
    userId: string,
    position: number,
    seconds: number,
    signal?: AbortSignal,
  ): Promise<void> {
    const end = clock.millis() + seconds * 1000;
    for (; clock.millis() < end;) {
      if (signal?.aborted === true) return;
      await clock.sleep(Math.min(LOOK_MS, end - clock.millis()), signal);
      const last = (await store.events.streams([userId])).get(userId)?.last ?? 0;
      if (last > position) return;
    }
  }

  return {
    tell(userId) {
      wakeAll(userId);
      sharedCounts?.tell(LIST, userId, 1);
      wakes?.tell(userId);
    },
    wait(userId, position, seconds, signal) {
      if (signal?.aborted === true) return Promise.resolve();
      if (isIsolated) return lookAlone(userId, position, seconds, signal);
      // A gateway whose readers never wait opens no connection for it.
      if (!isHearing) wakes?.hear(wakeAll);
      isHearing = true;
      return new Promise((resolve) => {
        const own = waiters.get(userId) ?? new Set();
        waiters.set(userId, own);
        const waiter: Waiter = { position, wake };
        const stop = clock.later(seconds * 1000, wake);
        function wake(): void {
          stop();
          signal?.removeEventListener('abort', wake);
          own.delete(waiter);
          if (own.size === 0 && waiters.get(userId) === own) waiters.delete(userId);
          resolve();
        }
        own.add(waiter);
        signal?.addEventListener('abort', wake);
        lookOn();
      });
    },
    waiting: () => [...waiters.values()].reduce((sum, own) => sum + own.size, 0),
  };
}
