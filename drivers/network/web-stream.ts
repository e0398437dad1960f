// Turns a response body into a web stream that is read on demand and released when the reader leaves.
import type { Readable } from 'node:stream';

export function toWebStream(source: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = source.iterator();
  // The iterator reports this error to the reader. Without a listener it would end the process.
  source.on('error', () => {});

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        } catch (cause) {
          throw new Error('[undici] the response broke off', { cause });
        }
      },
      cancel() {
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
