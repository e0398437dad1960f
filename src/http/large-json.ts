// A JSON answer on its way out: a large one counts until its reader has taken it, and has a time for that.
import type { Context } from 'hono';
import { HAND_OVER_BYTES_PER_MS, HAND_OVER_MS, ROOM_UNCOUNTED_BYTES } from '../config/limits.ts';
import type { Hold, Room } from '../memory/budget.ts';

const encoder = new TextEncoder();
const PIECE_BYTES = 64 * 1024;

export type HandOver = (c: Context, userId: string, json: string) => Response;

export function createHandOver({ room }: { room: Room }): HandOver {
  function inPieces(bytes: Uint8Array<ArrayBuffer>, hold: Hold): ReadableStream<Uint8Array<ArrayBuffer>> {
    const late = AbortSignal.timeout(HAND_OVER_MS + Math.ceil(bytes.length / HAND_OVER_BYTES_PER_MS));
    const over = new AbortController();
    const end = () => {
      over.abort();
      hold.close();
    };
    let at = 0;
    return new ReadableStream(
      {
        start(controller) {
          const stop = () => {
            end();
            controller.error(new Error('The answer was not read in time'));
          };
          late.addEventListener('abort', stop, { signal: over.signal });
        },
        pull(controller) {
          if (at < bytes.length) return controller.enqueue(bytes.subarray(at, (at += PIECE_BYTES)));
          end();
          controller.close();
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  }

  return function handOver(c, userId, json) {
    const headers = { 'Content-Type': 'application/json' };
    if (json.length <= ROOM_UNCOUNTED_BYTES) return c.body(json, 200, headers);
    const bytes = encoder.encode(json);
    const hold = room.open(userId);
    hold.take(bytes.length);
    return c.body(inPieces(bytes, hold), 200, { ...headers, 'Content-Length': String(bytes.length) });
  };
}
