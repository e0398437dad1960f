// A JSON answer that takes its time: headers at once, white space every 15 seconds, then the body. design: M9
import { WAIT_KEEPALIVE_MS } from '../config/limits.ts';
import type { Clock } from '../ports/clock.ts';

const encoder = new TextEncoder();

/** `work` gets a signal that aborts when the reader has gone. It must not reject. */
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
