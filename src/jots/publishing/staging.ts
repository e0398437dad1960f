// Stores the blobs of a running deploy. Nothing refers to them before the commit; a failed deploy removes them.
import type { Ports } from '../../ports/ports.ts';
import { describe } from '../../http/errors.ts';
import type { NewFile } from '../unpacking/archive.ts';
import { createDeployFolder, type StoredFile } from '../model/manifest.ts';
import { toStream } from '../../http/to-stream.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Files up to this size are hashed before they are stored, so that the jot does not store them twice. */
const MAX_BUFFERED_FILE_BYTES = 256 * 1024;
const MAX_CONCURRENT_PUTS = 8;

export interface Staging {
  add(file: NewFile): Promise<void>;
  /** Waits until all files are stored, and resolves to them by path. */
  files(): Promise<ReadonlyMap<string, StoredFile>>;
  putManifest(bytes: Bytes): Promise<string>;
  /** Tells whether this deploy made the blob. */
  owns: (key: string) => boolean;
  /** Removes the blobs of this deploy, except those in use. */
  discard(used?: ReadonlySet<string>): Promise<void>;
}

type Needs = Pick<Ports, 'blobs' | 'clock' | 'digest' | 'log' | 'random'> & {
  /** Counts a file before it is stored, and throws when there is no room for it. */
  count: (bytes: number) => void;
};

/** `known` holds the blobs that the jot has, by hash. */
export function createStaging(deps: Needs, name: string, known: ReadonlyMap<string, StoredFile>): Staging {
  const { blobs, count, digest, log } = deps;
  const folder = createDeployFolder(name, deps);
  const added = new Map<string, StoredFile>();
  const made = new Map<string, StoredFile>();
  const keys = new Set<string>();
  const puts = new Set<Promise<unknown>>();
  let failure: { error: unknown } | null = null;

  function nextKey(): string {
    const key = `${folder}${keys.size.toString(36)}`;
    keys.add(key);
    return key;
  }

  async function store(key: string, body: Bytes | ReadableStream<Bytes>): Promise<void> {
    try {
      await blobs.put(key, body);
    } catch (error) {
      failure ??= { error };
    }
  }

  async function addSmall(path: string, body: AsyncIterable<Bytes>, size: number): Promise<void> {
    const bytes = await collect(body, size);
    const running = digest.start();
    running.update(bytes);
    const hash = running.hex();
    const stored = known.get(hash) ?? made.get(hash);
    if (stored !== undefined) return void added.set(path, stored);
    count(size);
    const file = { key: nextKey(), hash, size };
    made.set(hash, file);
    added.set(path, file);
    const put = store(file.key, bytes).finally(() => puts.delete(put));
    puts.add(put);
    if (puts.size >= MAX_CONCURRENT_PUTS) await Promise.race(puts);
  }

  async function addLarge(path: string, body: AsyncIterable<Bytes>, size: number): Promise<void> {
    count(size);
    const key = nextKey();
    const running = digest.start();
    async function* hashPieces() {
      try {
        for await (const piece of body) {
          running.update(piece);
          yield piece;
        }
      } catch (error) {
        // This error is the cause; the store reports another one because of it.
        failure ??= { error };
        throw error;
      }
    }
    await store(key, toStream(hashPieces()));
    if (failure !== null) return;
    const hash = running.hex();
    const stored = known.get(hash) ?? made.get(hash);
    const file = stored ?? { key, hash, size };
    if (stored === undefined) made.set(hash, file);
    added.set(path, file);
  }

  const settle = async () => {
    await Promise.all(puts);
    if (failure !== null) throw failure.error;
  };

  return {
    async add({ path, size, body }) {
      await (size <= MAX_BUFFERED_FILE_BYTES ? addSmall : addLarge)(path, body, size);
      if (failure !== null) throw failure.error;
    },
    async files() {
      await settle();
      return added;
    },
    async putManifest(bytes) {
      const key = nextKey();
      await blobs.put(key, bytes);
      return key;
    },
    owns: (key) => keys.has(key),
    async discard(used = new Set()) {
      await Promise.all(puts);
      for (const key of keys) {
        if (used.has(key)) continue;
        // The sweep removes what is left.
        await blobs
          .delete(key)
          .catch((error: unknown) =>
            log.write('warn', 'a staged blob was left for the sweep', { key, ...describe(error) }),
          );
      }
    },
  };
}

async function collect(body: AsyncIterable<Bytes>, size: number): Promise<Bytes> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const piece of body) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
