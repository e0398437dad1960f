// A JSON answer on its way out: a large one counts until its reader has taken it, and has a time for that.
import type { Context } from 'hono';
import { SEND_JSON_MIN_BYTES_PER_MS, SEND_JSON_MS, UNCOUNTED_REQUEST_BYTES } from '../config/limits.ts';
import type { Lease, MemoryBudget } from '../memory/budget.ts';

const encoder = new TextEncoder();
const PIECE_BYTES = 64 * 1024;

export type SendJson = (c: Context, userId: string, json: string) => Response;

export function createSendJson({ memoryBudget }: { memoryBudget: MemoryBudget }): SendJson {
  function inPieces(bytes: Uint8Array<ArrayBuffer>, lease: Lease): ReadableStream<Uint8Array<ArrayBuffer>> {
    const late = AbortSignal.timeout(SEND_JSON_MS + Math.ceil(bytes.length / SEND_JSON_MIN_BYTES_PER_MS));
    const over = new AbortController();
    const end = () => {
      over.abort();
      lease.close();
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

  return function sendJson(c, userId, json) {
    const headers = { 'Content-Type': 'application/json' };
    if (json.length <= UNCOUNTED_REQUEST_BYTES) return c.body(json, 200, headers);
    const bytes = encoder.encode(json);
    const lease = memoryBudget.open(userId);
    lease.charge(bytes.length);
    return c.body(inPieces(bytes, lease), 200, { ...headers, 'Content-Length': String(bytes.length) });
  };
}
