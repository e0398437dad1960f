// A response body as a web stream: read on demand, and let go when the reader goes away.
import type { Readable } from 'node:stream';

export function toWebStream(source: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = source.iterator();
  // Told to the reader by the iterator; without a listener it would end the process.
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
