// A body of any length for a store that wants to know lengths: in one piece when it is short, in parts otherwise.
type Bytes = Uint8Array<ArrayBuffer>;

/** Above the 5 MiB that every part but the last must have. */
export const PART_BYTES = 8 * 1024 * 1024;

export interface PartUpload<P> {
  part(number: number, bytes: Bytes): Promise<P>;
  complete(parts: P[]): Promise<void>;
  abort(): Promise<void>;
}

/** Seen whole or not at all; answers the number of bytes. A body's own error is told as it is. */
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
    // What cannot be given up now is given up by the store's own rules.
    await upload?.abort().catch(() => {});
    throw error;
  }
}

/** Pieces of exactly PART_BYTES, and a last one that may be shorter or empty. */
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
