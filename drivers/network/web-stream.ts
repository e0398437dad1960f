// Turns a response body into a web stream that is read on demand and released when the reader leaves.
import type { Readable } from 'node:stream';

/** Reads without the iterator of the stream, which makes a generator and more listeners for each body. */
export function toWebStream(source: Readable): ReadableStream<Uint8Array<ArrayBuffer>> {
  let isRead = false;
  let wake = (): void => {};
  // Without this listener an error would end the process.
  source.on('error', () => wake());

  function begin(): void {
    isRead = true;
    for (const event of ['readable', 'end', 'close']) source.on(event, () => wake());
  }

  return new ReadableStream(
    {
      async pull(controller) {
        if (!isRead) begin();
        for (;;) {
          const chunk: Uint8Array<ArrayBuffer> | null = source.read();
          if (chunk !== null) return controller.enqueue(chunk);
          if (source.readableEnded) return controller.close();
          if (source.errored !== null || source.destroyed)
            throw new Error('[undici] the response broke off', { cause: source.errored });
          await new Promise<void>((resolve) => (wake = resolve));
        }
      },
      cancel() {
        source.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}
