// Sends JSON to a caller. A large text counts in the memory budget until the caller has read it, within a time limit.
import type { Context } from 'hono';
import { SEND_JSON_MIN_BYTES_PER_MS, SEND_JSON_MS } from './limits.ts';
import { UNCOUNTED_REQUEST_BYTES } from '../memory/limits.ts';
import type { Lease, MemoryBudget } from '../memory/budget.ts';

const encoder = new TextEncoder();
const PIECE_BYTES = 64 * 1024;

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;
/** `guard` gets the body of a large answer, which may take a while to send. */
export type SendJson = (c: Context, userId: string, json: string, guard?: (body: Body) => Body) => Response;

export function createSendJson({ memoryBudget }: { memoryBudget: MemoryBudget }): SendJson {
  return function sendJson(c, userId, json, guard = (body) => body) {
    const headers = { 'Content-Type': 'application/json' };
    if (json.length <= UNCOUNTED_REQUEST_BYTES) return c.body(json, 200, headers);
    const bytes = encoder.encode(json);
    const lease = memoryBudget.open(userId);
    lease.charge(bytes.length);
    return c.body(guard(streamPieces(bytes, lease)), 200, {
      ...headers,
      'Content-Length': String(bytes.length),
    });
  };
}

function streamPieces(bytes: Uint8Array<ArrayBuffer>, lease: Lease): Body {
  const timeout = AbortSignal.timeout(SEND_JSON_MS + Math.ceil(bytes.length / SEND_JSON_MIN_BYTES_PER_MS));
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    lease.close();
  };
  let sent = 0;
  return new ReadableStream(
    {
      start(controller) {
        const stop = () => {
          end();
          controller.error(new Error('The response was not read in time'));
        };
        timeout.addEventListener('abort', stop, { signal: ended.signal });
      },
      pull(controller) {
        if (sent < bytes.length) return controller.enqueue(bytes.subarray(sent, (sent += PIECE_BYTES)));
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
