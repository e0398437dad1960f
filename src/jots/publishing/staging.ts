// The blobs of a deploy under way. Nothing refers to them before its commit; when it fails they are removed again.
import type { Ports } from '../../ports/ports.ts';
import { describe } from '../../http/errors.ts';
import type { NewFile } from '../unpacking/archive.ts';
import { createDeployFolder, type StoredFile } from '../manifest.ts';
import { toStream } from './to-stream.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Up to here a file is hashed before it is stored, so that one the jot has already is not stored again. */
const MAX_BUFFERED_FILE_BYTES = 256 * 1024;
const MAX_CONCURRENT_PUTS = 8;

export interface Staging {
  add(file: NewFile): Promise<void>;
  /** Every file that was added, by path, when all are stored. */
  files(): Promise<ReadonlyMap<string, StoredFile>>;
  putManifest(bytes: Bytes): Promise<string>;
  /** Whether this deploy has made the blob. */
  owns: (key: string) => boolean;
  /** Removes the blobs of this deploy, but for those that are in use. */
  discard(used?: ReadonlySet<string>): Promise<void>;
}

type Needs = Pick<Ports, 'blobs' | 'clock' | 'digest' | 'log' | 'random'>;

/** `known` are the blobs the jot has, by hash. */
export function createStaging(deps: Needs, name: string, known: ReadonlyMap<string, StoredFile>): Staging {
  const { blobs, digest, log } = deps;
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
    const standing = known.get(hash) ?? made.get(hash);
    if (standing !== undefined) return void added.set(path, standing);
    const file = { key: nextKey(), hash, size };
    made.set(hash, file);
    added.set(path, file);
    const put = store(file.key, bytes).finally(() => puts.delete(put));
    puts.add(put);
    if (puts.size >= MAX_CONCURRENT_PUTS) await Promise.race(puts);
  }

  async function addLarge(path: string, body: AsyncIterable<Bytes>, size: number): Promise<void> {
    const key = nextKey();
    const running = digest.start();
    async function* hashed() {
      try {
        for await (const piece of body) {
          running.update(piece);
          yield piece;
        }
      } catch (error) {
        // Before the store has its own word on it.
        failure ??= { error };
        throw error;
      }
    }
    await store(key, toStream(hashed()));
    if (failure !== null) return;
    const hash = running.hex();
    const standing = known.get(hash) ?? made.get(hash);
    const file = standing ?? { key, hash, size };
    if (standing === undefined) made.set(hash, file);
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
        // What cannot be removed now is removed by the sweep.
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
