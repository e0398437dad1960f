// Reads the manifests and the files of jots, and caches what was read last.
import type { Ports } from '../../ports/ports.ts';
import { describe } from '../../http/errors.ts';
import type { Jot } from '../../ports/records.ts';
import { createLru, type Lru } from '../../memory/lru.ts';
import { decodeManifest, type Manifest, type StoredFile } from '../model/manifest.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Larger files are not cached. */
const MAX_CACHED_FILE_BYTES = 1024 * 1024;
const MAX_FILE_CACHE_BYTES = 32 * 1024 * 1024;
/** What an entry takes besides its bytes: measured with files of some bytes. */
const ENTRY_BYTES = 600;
/** Counts what all cached manifests name together: files, retired blobs and earlier versions. */
const MAX_CACHED_MANIFEST_NAMES = 20_000;

export interface JotCache {
  /** The manifests by their keys, which are never used again. */
  manifests: Lru<Manifest>;
  /** The files by their SHA-256. */
  files: Lru<Bytes>;
}

export const createJotCache = (): JotCache => ({
  manifests: createLru(MAX_CACHED_MANIFEST_NAMES),
  files: createLru(MAX_FILE_CACHE_BYTES),
});

const countNames = ({ files, retired, earlier }: Manifest): number =>
  files.size + retired.length + earlier.length + 1;

export interface JotReader {
  /** Resolves to null, and logs why, where the blob is missing or cannot be parsed. */
  readManifest(jot: Pick<Jot, 'manifest'>): Promise<Manifest | null>;
  cachedManifest(jot: Pick<Jot, 'manifest'>): Manifest | undefined;
  cachedFile(file: StoredFile): Bytes | undefined;
  /** Resolves to null, and logs it, where the blob is missing. */
  readFile(file: StoredFile): Promise<Bytes | ReadableStream<Bytes> | null>;
  readRange(
    file: StoredFile,
    range: { offset: number; length: number },
  ): Promise<ReadableStream<Bytes> | null>;
  /** Drops blobs that have left their jot from the cache. Hardly anybody asks for them any more. */
  forget(left: readonly StoredFile[]): void;
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
    async readManifest({ manifest: key }) {
      const known = manifests.get(key);
      if (known !== undefined) return known;
      const blob = await open(key);
      if (blob === null) return null;
      try {
        const manifest = decodeManifest(await new Response(blob.body).text());
        manifests.set(key, manifest, countNames(manifest));
        return manifest;
      } catch (error) {
        log.write('error', 'a manifest of a jot cannot be read', { key, ...describe(error) });
        return null;
      }
    },

    cachedManifest: ({ manifest: key }) => manifests.get(key),

    cachedFile: ({ hash }) => files.get(hash),

    async readFile(file) {
      const blob = await open(file.key);
      if (blob === null || file.size > MAX_CACHED_FILE_BYTES) return blob?.body ?? null;
      const bytes = new Uint8Array(await new Response(blob.body).arrayBuffer());
      files.set(file.hash, bytes, bytes.length + ENTRY_BYTES);
      return bytes;
    },

    readRange: async (file, range) => (await open(file.key, range))?.body ?? null,

    forget(left) {
      for (const { key, hash } of left) {
        manifests.delete(key);
        files.delete(hash);
      }
    },
  };
}
