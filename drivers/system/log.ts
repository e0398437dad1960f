// Writes one line of JSON per event. Lines are buffered and written once per turn of the event loop, or at 64
// KiB.
import type { Clock } from '../../src/ports/clock.ts';
import type { Log } from '../../src/ports/log.ts';
import { toJsonLine } from './log-line.ts';

export interface LineLog extends Log {
  /** Writes the buffered lines at once, for shutdown. */
  flush(): void;
}

const FLUSH_CHARACTERS = 64 * 1024;

/**
 * `schedule` runs the flush at the end of the turn: `setImmediate` on Node; a microtask would be too early.
 */
export function createLineLog(
  write: (chunk: string) => void,
  clock: Pick<Clock, 'now'>,
  schedule: (flush: () => void) => unknown,
): LineLog {
  let gathered = '';
  let scheduled = false;
  let second = Number.NaN;
  let time = '';

  const flush = () => {
    scheduled = false;
    if (gathered === '') return;
    const chunk = gathered;
    gathered = '';
    write(chunk);
  };

  const timeOf = (now: number) => {
    if (now !== second) {
      second = now;
      time = new Date(now * 1000).toISOString();
    }
    return time;
  };

  return {
    flush,
    write(level, event, fields) {
      gathered += `${toJsonLine({ time: timeOf(clock.now()), level, event }, fields)}\n`;
      if (gathered.length >= FLUSH_CHARACTERS) return flush();
      if (scheduled) return;
      scheduled = true;
      schedule(flush);
    },
  };
}
