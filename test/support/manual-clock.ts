// A clock whose sleepers wait until a test lets time pass.
import { createSystemClock } from '../../drivers/system/clock.ts';
import type { Clock } from '../../src/ports/clock.ts';

export interface ManualClock extends Clock {
  /** Wakes each sleeper whose time has come, one after the other, and lets it run. */
  pass(milliseconds: number): Promise<void>;
  /** The number of sleepers. */
  asleep(): number;
}

export function createManualClock(start = 1_800_000_000): ManualClock {
  let millis = start * 1000;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));
  return {
    now: () => Math.floor(millis / 1000),
    millis: () => millis,
    turn,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const sleeper = { until: millis + milliseconds, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          resolve();
        });
      }),
    later: createSystemClock().later,
    async pass(milliseconds) {
      const end = millis + milliseconds;
      for (;;) {
        const [next] = [...sleepers]
          .filter(({ until }) => until <= end)
          .toSorted((a, b) => a.until - b.until);
        if (next === undefined) break;
        sleepers.delete(next);
        millis = next.until;
        next.wake();
        await turn();
      }
      millis = end;
    },
    asleep: () => sleepers.size,
  };
}
