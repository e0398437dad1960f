// Reads the body of an upload as fast as it is unpacked.
import { UPLOAD_READ_ON_MS } from './limits.ts';
import type { Clock } from '../ports/clock.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface UploadBody {
  /** The caller may stop at any point. The stream is not cancelled, because that would end the response too. */
  pieces(): AsyncIterable<Bytes>;
  /** Ends what reads the pieces with this error, and ends `drain`. */
  stop(reason: Error): void;
  /** Reads and discards up to `maxBytes`: some clients read the response only after they have sent everything. */
  drain(maxBytes: number): Promise<void>;
}

export function openUploadBody(body: ReadableStream<Bytes> | null, clock: Pick<Clock, 'sleep'>): UploadBody {
  const reader = body?.getReader();
  const read = async () => (reader === undefined ? undefined : (await reader.read()).value);
  // Reads wait for each other: the unpacker may still wait for a piece, and a Worker refuses a second read meanwhile.
  let reading: ReturnType<typeof read> = Promise.resolve(undefined);
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {});
  const next = () => (reading = reading.then(read, read));

  async function discard(maxBytes: number, over: AbortSignal): Promise<void> {
    try {
      for (let left = maxBytes; left > 0 && !over.aborted;) {
        const piece = await next();
        if (piece === undefined) return;
        left -= piece.length;
      }
    } catch {
      // The client has gone, and needs no response.
    }
  }

  return {
    async *pieces() {
      for (;;) {
        const piece = await Promise.race([stopped.promise, next()]);
        if (piece === undefined) return;
        yield piece;
      }
    },
    stop: stopped.reject,
    async drain(maxBytes) {
      const over = new AbortController();
      const isStopped = stopped.promise.catch(() => {});
      const isLate = clock.sleep(UPLOAD_READ_ON_MS, over.signal);
      await Promise.race([discard(maxBytes, over.signal), isLate, isStopped]);
      over.abort();
    },
  };
}
