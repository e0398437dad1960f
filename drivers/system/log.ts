// Writes one line of JSON per event. Lines are buffered and written once per turn of the event loop, or at 64
// KiB.
import { type Log, LOG_LEVELS, type LogLevel, RECORDS } from '../../src/ports/log.ts';
import { toJsonLine } from './log-line.ts';

export interface LineLog extends Log {
  /** Writes the buffered lines at once, for shutdown. */
  flush(): void;
}

const FLUSH_CHARACTERS = 64 * 1024;

/**
 * `now` tells Unix milliseconds. `schedule` runs the flush at the end of the turn: `setImmediate` on Node; a microtask
 * would be too early.
 */
export function createLineLog(
  write: (chunk: string) => void,
  now: () => number,
  schedule: (flush: () => void) => unknown,
  lowest: LogLevel = 'info',
): LineLog {
  const hidden = new Set<LogLevel>(LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(lowest)));
  let gathered = '';
  let scheduled = false;
  let second = Number.NaN;
  let start = '';

  const flush = () => {
    scheduled = false;
    if (gathered === '') return;
    const chunk = gathered;
    gathered = '';
    write(chunk);
  };

  /** The text of a second is made once. */
  const timeOf = (at: number) => {
    const milliseconds = at % 1000;
    if (at - milliseconds !== second) {
      second = at - milliseconds;
      start = new Date(second).toISOString().slice(0, -'000Z'.length);
    }
    return `${start}${String(milliseconds).padStart(3, '0')}Z`;
  };

  return {
    flush,
    shows: (level) => !hidden.has(level),
    write(level, event, fields) {
      if (hidden.has(level) && !RECORDS.has(event)) return;
      gathered += `${toJsonLine({ time: timeOf(now()), level, event }, fields)}\n`;
      if (gathered.length >= FLUSH_CHARACTERS) return flush();
      if (scheduled) return;
      scheduled = true;
      schedule(flush);
    },
  };
}
