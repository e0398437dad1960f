// Streams a part of an open file. The file is closed when the stream ends, fails or is cancelled.
import { closeSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';

type Bytes = Uint8Array<ArrayBuffer>;

const CHUNK = 256 * 1024;
const readAt = promisify(read);

export function readAtOnce(file: number, start: number, end: number): ReadableStream<Bytes> {
  try {
    const bytes = new Uint8Array(end - start);
    const length = readSync(file, bytes, 0, bytes.length, start);
    return new ReadableStream({
      start(controller) {
        if (length > 0) controller.enqueue(bytes.subarray(0, length));
        controller.close();
      },
    });
  } finally {
    closeSync(file);
  }
}

export function readInChunks(file: number, start: number, end: number): ReadableStream<Bytes> {
  let at = start;
  let reading: Promise<unknown> = Promise.resolve();
  let open = true;
  const close = () => {
    if (open) closeSync(file);
    open = false;
  };

  const next = async (): Promise<Bytes> => {
    const bytes = new Uint8Array(Math.min(CHUNK, end - at));
    const { bytesRead } = await readAt(file, bytes, 0, bytes.length, at);
    if (bytesRead === 0) throw new Error('[blobs] a file became shorter while it was read');
    at += bytesRead;
    return bytes.subarray(0, bytesRead);
  };

  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const chunk = next();
          reading = chunk.catch(() => {});
          controller.enqueue(await chunk);
          if (at < end) return;
          controller.close();
          close();
        } catch (error) {
          close();
          throw error;
        }
      },
      async cancel() {
        // The file descriptor must not be closed while a read still uses it.
        await reading;
        close();
      },
    },
    { highWaterMark: 0 },
  );
}
