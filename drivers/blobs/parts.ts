// Uploads a body of unknown length to a store that needs lengths: a short body in one request, a longer one
// in parts.
type Bytes = Uint8Array<ArrayBuffer>;

/** Larger than 5 MiB, the minimum size of every part but the last. */
export const PART_BYTES = 8 * 1024 * 1024;

export interface PartUpload<P> {
  part(number: number, bytes: Bytes): Promise<P>;
  complete(parts: P[]): Promise<void>;
  abort(): Promise<void>;
}

/**
 * Readers see the whole blob or nothing. Resolves with the number of bytes; an error of the body is passed on
 * unchanged.
 */
export async function putInParts<P>(
  body: Bytes | ReadableStream<Bytes>,
  once: (bytes: Bytes) => Promise<void>,
  begin: () => Promise<PartUpload<P>>,
): Promise<number> {
  if (body instanceof Uint8Array) {
    await once(body.slice());
    return body.length;
  }
  let upload: PartUpload<P> | null = null;
  const parts: P[] = [];
  let size = 0;
  try {
    for await (const { bytes, last } of piecesOf(body)) {
      size += bytes.length;
      if (upload === null && last) {
        await once(bytes);
        return size;
      }
      upload ??= await begin();
      parts.push(await upload.part(parts.length + 1, bytes));
    }
    await upload?.complete(parts);
    return size;
  } catch (error) {
    // If the abort fails, the store's own rules delete the unfinished upload.
    await upload?.abort().catch(() => {});
    throw error;
  }
}

/** Yields pieces of exactly PART_BYTES, and a last one that may be shorter or empty. */
async function* piecesOf(body: ReadableStream<Bytes>): AsyncGenerator<{ bytes: Bytes; last: boolean }> {
  let gathered: Bytes[] = [];
  let length = 0;
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length;) {
      const taken = chunk.slice(at, at + PART_BYTES - length);
      gathered.push(taken);
      at += taken.length;
      length += taken.length;
      if (length < PART_BYTES) continue;
      yield { bytes: joinChunks(gathered, length), last: false };
      gathered = [];
      length = 0;
    }
  }
  yield { bytes: joinChunks(gathered, length), last: true };
}

function joinChunks(chunks: readonly Bytes[], length: number): Bytes {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
