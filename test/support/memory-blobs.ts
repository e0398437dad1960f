// Keeps blobs in this process.
import type { Blobs } from '../../src/ports/blobs.ts';
import { assertKey, toPrefix } from '../../drivers/blobs/keys.ts';

export function createMemoryBlobs(): Blobs {
  const blobs = new Map<string, Uint8Array<ArrayBuffer>>();

  return {
    async put(key, body) {
      assertKey(key);
      const bytes = new Uint8Array(await new Response(body).arrayBuffer());
      blobs.set(key, bytes);
      return { size: bytes.length };
    },
    async get(key, range) {
      assertKey(key);
      const bytes = blobs.get(key);
      if (!bytes) return null;
      const { offset, length } = range ?? { offset: 0, length: bytes.length };
      return { size: bytes.length, body: streamOf(bytes.slice(offset, offset + length)) };
    },
    async *list(prefix) {
      const below = toPrefix(prefix);
      for (const key of blobs.keys()) if (key.startsWith(below)) yield key;
    },
    async delete(key) {
      assertKey(key);
      blobs.delete(key);
    },
  };
}

function streamOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}
