// Bytes under keys. Keys are segments of [A-Za-z0-9._-] joined by '/'; a put is seen whole or not at all.
export interface StoredBlob {
  /** Length of the whole blob, whatever range was asked for. */
  size: number;
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface Blobs {
  put(
    key: string,
    body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>,
  ): Promise<{ size: number }>;
  get(key: string, range?: { offset: number; length: number }): Promise<StoredBlob | null>;
  /** Keys below the prefix, in any order. */
  list(prefix: string): AsyncIterable<string>;
  /** Absent keys are no error. */
  delete(key: string): Promise<void>;
}
