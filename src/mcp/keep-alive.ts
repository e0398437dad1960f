// Streams a slow JSON answer: headers at once, white space every 15 seconds, then the body. decision: 031
import { WAIT_KEEPALIVE_MS } from './meta-tools/limits.ts';
import type { Clock } from '../ports/clock.ts';

const encoder = new TextEncoder();

/** The signal of `work` aborts when the client disconnects. `work` must not reject. */
export function keepAlive(
  clock: Clock,
  work: (signal: AbortSignal) => Promise<string>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const gone = new AbortController();
  const done = new AbortController();

  return new ReadableStream({
    async start(controller) {
      const text = work(gone.signal).finally(() => done.abort());
      controller.enqueue(encoder.encode(' '));
      const stop = AbortSignal.any([gone.signal, done.signal]);
      void (async () => {
        for (;;) {
          await clock.sleep(WAIT_KEEPALIVE_MS, stop);
          if (stop.aborted) break;
          controller.enqueue(encoder.encode(' '));
        }
        const answer = await text;
        if (gone.signal.aborted) return;
        controller.enqueue(encoder.encode(answer));
        controller.close();
      })();
    },
    cancel() {
      gone.abort();
    },
  });
}
