// Reads a source of byte pieces by length.
type Bytes = Uint8Array<ArrayBuffer>;

export interface ByteReader {
  /** Returns the next 1 to `max` bytes, or null at the end of the source. */
  next(max: number): Promise<Bytes | null>;
  /** Returns exactly `length` bytes, or null where the source ends before that. */
  read(length: number): Promise<Bytes | null>;
  close(): void;
}

export function createByteReader(source: AsyncIterable<Bytes>): ByteReader {
  const iterator = source[Symbol.asyncIterator]();
  let chunk: Bytes = new Uint8Array();

  async function next(max: number): Promise<Bytes | null> {
    while (chunk.length === 0) {
      const result = await iterator.next();
      if (result.done === true) return null;
      chunk = result.value;
    }
    const piece = chunk.subarray(0, max);
    chunk = chunk.subarray(piece.length);
    return piece;
  }

  return {
    next,

    async read(length) {
      const bytes = new Uint8Array(length);
      for (let filled = 0; filled < length;) {
        const piece = await next(length - filled);
        if (piece === null) return null;
        bytes.set(piece, filled);
        filled += piece.length;
      }
      return bytes;
    },

    close() {
      // Nobody waits for this: a read that is still under way may wait for a client that has stopped sending.
      void iterator.return?.().catch(() => undefined);
    },
  };
}
