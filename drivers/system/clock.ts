// The real clock. It uses only the web platform, so it runs on the edge too.
import type { Clock } from '../../src/ports/clock.ts';

/** `soon` runs after what is ready now. Pass `setImmediate` where it exists; a timer costs a millisecond. */
export function createSystemClock(soon: (run: () => void) => unknown = (run) => setTimeout(run, 0)): Clock {
  return {
    now: () => Math.floor(Date.now() / 1000),
    millis: () => performance.now(),
    turn: () => new Promise((resolve) => void soon(resolve)),
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const finish = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', finish);
          resolve();
        };
        const timer = setTimeout(finish, milliseconds);
        signal?.addEventListener('abort', finish, { once: true });
      }),
    later(milliseconds, run) {
      // A number at the edge, where no process is kept alive.
      const timer: { unref?: () => void } | number = setTimeout(run, milliseconds);
      if (typeof timer === 'object') timer.unref?.();
      return () => clearTimeout(timer as number);
    },
  };
}
