// What every head ends with: its date, and what becomes of the connection. Made once a second. RFC 9110 §6.6.1
import type { Clock } from '../../../src/ports/clock.ts';

export type LastLines = (closes: boolean) => string;

export function createLastLines({ now }: Pick<Clock, 'now'>, keepAliveMs: number): LastLines {
  let second = Number.NaN;
  let kept = '';
  let closing = '';

  return function lastLines(closes) {
    const at = now();
    if (at !== second) {
      second = at;
      const date = `Date: ${new Date(at * 1000).toUTCString()}\r\n`;
      kept = `${date}Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;
      closing = `${date}Connection: close\r\n`;
    }
    return closes ? closing : kept;
  };
}
