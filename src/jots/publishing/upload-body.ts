// The body of an upload, read only as it is unpacked.
import { JOT_READ_ON_MS } from '../../config/limits.ts';
import type { Clock } from '../../ports/clock.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface UploadBody {
  /** May be left at any point: the stream itself is not cancelled, for that would end its answer too. */
  pieces(): AsyncIterable<Bytes>;
  /** Reads on to nowhere, so that a client which does not listen while it sends still hears why it was refused. */
  drain(atMost: number): Promise<void>;
}

export function openUploadBody(body: ReadableStream<Bytes> | null, clock: Pick<Clock, 'sleep'>): UploadBody {
  const reader = body?.getReader();
  const read = async () => (reader === undefined ? undefined : (await reader.read()).value);
  // One after the other: whoever unpacked may still wait for a piece, and at the edge a second read fails meanwhile.
  let reading: ReturnType<typeof read> = Promise.resolve(undefined);
  const next = () => (reading = reading.then(read, read));

  async function readAway(atMost: number, over: AbortSignal): Promise<void> {
    try {
      for (let left = atMost; left > 0 && !over.aborted;) {
        const piece = await next();
        if (piece === undefined) return;
        left -= piece.length;
      }
    } catch {
      // It has gone, and needs no answer.
    }
  }

  return {
    async *pieces() {
      for (let piece = await next(); piece !== undefined; piece = await next()) yield piece;
    },
    async drain(atMost) {
      const over = new AbortController();
      await Promise.race([readAway(atMost, over.signal), clock.sleep(JOT_READ_ON_MS, over.signal)]);
      over.abort();
    },
  };
}
