// Stores bytes under keys. A key is segments of [A-Za-z0-9._-] joined by '/'. A reader sees all of a put or nothing.
export interface StoredBlob {
  /** The length of the whole blob, even when a range was asked for. */
  size: number;
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface Blobs {
  put(
    key: string,
    body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>,
  ): Promise<{ size: number }>;
  get(key: string, range?: { offset: number; length: number }): Promise<StoredBlob | null>;
  /** Lists the keys below the prefix, in any order. */
  list(prefix: string): AsyncIterable<string>;
  /** Deleting an absent key is no error. */
  delete(key: string): Promise<void>;
}
