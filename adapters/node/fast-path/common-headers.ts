// Writes the headers that every response ends with: the date, and whether the connection stays open. RFC 9110 §6.6.1
import type { Clock } from '../../../src/ports/clock.ts';

/** `closes` says that this response is the last one of its connection. */
export type CommonHeaders = (closes: boolean) => string;

/** The text is the same for a second, so it is made once a second. */
export function createCommonHeaders({ now }: Pick<Clock, 'now'>, keepAliveMs: number): CommonHeaders {
  let second = Number.NaN;
  let keeping = '';
  let closing = '';

  return function commonHeaders(closes) {
    const at = now();
    if (at !== second) {
      second = at;
      const date = `Date: ${new Date(at * 1000).toUTCString()}\r\n`;
      keeping = `${date}Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;
      closing = `${date}Connection: close\r\n`;
    }
    return closes ? closing : keeping;
  };
}
