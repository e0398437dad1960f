// Reading: the manifest of a jot, and the bytes of its files, with what was read last in memory.
import type { Ports } from '../../ports/ports.ts';
import { describe } from '../../http/errors.ts';
import type { Jot } from '../../ports/records.ts';
import { createLru, type Lru } from '../../memory/lru.ts';
import { decodeManifest, type Manifest, type StoredFile } from '../manifest.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Files up to here are answered from memory. */
const MAX_CACHED_FILE_BYTES = 1024 * 1024;
const MAX_FILE_CACHE_BYTES = 32 * 1024 * 1024;
/** Files named by the manifests in memory, all together. */
const MAX_CACHED_MANIFEST_FILES = 20_000;

export interface JotCache {
  /** By their keys, which are never used again. */
  manifests: Lru<Manifest>;
  /** By their SHA-256. */
  files: Lru<Bytes>;
}

export const createJotCache = (): JotCache => ({
  manifests: createLru(MAX_CACHED_MANIFEST_FILES),
  files: createLru(MAX_FILE_CACHE_BYTES),
});

export interface JotReader {
  /** Null when its blob is missing, which is logged. */
  manifest(jot: Jot): Promise<Manifest | null>;
  /** At once, where memory has it. */
  rememberedManifest(jot: Jot): Manifest | undefined;
  /** The whole of a small file at once, where memory has it. */
  remembered(file: StoredFile): Bytes | undefined;
  /** A whole file; null when its blob is missing, which is logged. */
  whole(file: StoredFile): Promise<Bytes | ReadableStream<Bytes> | null>;
  part(file: StoredFile, range: { offset: number; length: number }): Promise<ReadableStream<Bytes> | null>;
}

export function createJotReader({
  blobs,
  jotCache,
  log,
}: Pick<Ports, 'blobs' | 'log'> & { jotCache: JotCache }): JotReader {
  const { manifests, files } = jotCache;

  async function open(key: string, range?: { offset: number; length: number }) {
    const blob = await blobs.get(key, range);
    if (blob === null) log.write('error', 'a blob of a jot is missing', { key });
    return blob;
  }

  return {
    async manifest({ manifest: key }) {
      const known = manifests.get(key);
      if (known !== undefined) return known;
      const blob = await open(key);
      if (blob === null) return null;
      try {
        const manifest = decodeManifest(await new Response(blob.body).text());
        manifests.set(key, manifest, manifest.files.size + 1);
        return manifest;
      } catch (error) {
        log.write('error', 'a manifest of a jot cannot be read', { key, ...describe(error) });
        return null;
      }
    },

    rememberedManifest: ({ manifest: key }) => manifests.get(key),

    remembered: ({ hash }) => files.get(hash),

    async whole(file) {
      const blob = await open(file.key);
      if (blob === null || file.size > MAX_CACHED_FILE_BYTES) return blob?.body ?? null;
      const bytes = new Uint8Array(await new Response(blob.body).arrayBuffer());
      files.set(file.hash, bytes, bytes.length + 200);
      return bytes;
    },

    part: async (file, range) => (await open(file.key, range))?.body ?? null,
  };
}
