// Stores blobs in Cloudflare R2. The bucket's type is declared here, so no Workers package is needed.
import type { Blobs } from '../../src/ports/blobs.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { assertKey, toPrefix } from './keys.ts';
import { putInParts } from './parts.ts';

type Bytes = Uint8Array<ArrayBuffer>;

interface R2Object {
  key: string;
  size: number;
}

interface R2Part {
  partNumber: number;
  etag: string;
}

export interface R2Bucket {
  put(key: string, value: Bytes): Promise<unknown>;
  get(
    key: string,
    options?: { range: { offset: number; length: number } },
  ): Promise<(R2Object & { body: ReadableStream<Bytes> }) | null>;
  head(key: string): Promise<R2Object | null>;
  list(options: {
    prefix: string;
    cursor?: string;
  }): Promise<{ objects: R2Object[]; truncated: boolean; cursor?: string }>;
  delete(key: string): Promise<void>;
  createMultipartUpload(key: string): Promise<{
    uploadPart(number: number, value: Bytes): Promise<R2Part>;
    complete(parts: R2Part[]): Promise<unknown>;
    abort(): Promise<void>;
  }>;
}

export function createR2Blobs(bucket: R2Bucket): Blobs {
  async function attempt<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw new DriverFailure(`[r2] cannot ${what}`, { cause });
    }
  }

  return {
    async put(key, body) {
      assertKey(key);
      const what = `store ${key}`;
      const once = async (bytes: Bytes) => void (await attempt(what, () => bucket.put(key, bytes)));
      const begin = async () => {
        const upload = await attempt(what, () => bucket.createMultipartUpload(key));
        return {
          part: (number: number, bytes: Bytes) => attempt(what, () => upload.uploadPart(number, bytes)),
          complete: async (parts: R2Part[]) => void (await attempt(what, () => upload.complete(parts))),
          abort: () => upload.abort(),
        };
      };
      return { size: await putInParts(body, once, begin) };
    },

    async get(key, range) {
      assertKey(key);
      return attempt(`read ${key}`, async () => {
        if (range === undefined) return bucket.get(key);
        // R2 refuses an empty range.
        const found = await bucket.head(key);
        if (found === null) return null;
        if (range.length === 0 || range.offset >= found.size)
          return { size: found.size, body: emptyStream() };
        return bucket.get(key, { range });
      });
    },

    async *list(prefix) {
      const below = toPrefix(prefix);
      for (let cursor: string | undefined = ''; cursor !== undefined;) {
        const from: { cursor?: string } = cursor === '' ? {} : { cursor };
        const page = await attempt('list', () => bucket.list({ prefix: below, ...from }));
        for (const { key } of page.objects) yield key;
        cursor = page.truncated ? page.cursor : undefined;
      }
    },

    async delete(key) {
      assertKey(key);
      await attempt(`delete ${key}`, () => bucket.delete(key));
    },
  };
}

function emptyStream(): ReadableStream<Bytes> {
  return new ReadableStream({ start: (controller) => controller.close() });
}
