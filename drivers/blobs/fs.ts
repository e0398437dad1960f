// Blobs as files. A put is written aside, synced, and renamed into place: seen whole or not at all.
import { fstatSync, openSync } from 'node:fs';
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Blobs } from '../../src/ports/blobs.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { readAtOnce, readInChunks } from './fs-read.ts';
import { fileOf, isMissing, keysBelow, openTemporary } from './fs-tree.ts';
import { assertKey, toPrefix } from './keys.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Up to here a read is done at once: 6 µs, where four trips to the thread pool cost 25 to 125. */
const MAX_SINGLE_READ_BYTES = 64 * 1024;

export function createFsBlobs(root: string): Blobs {
  const base = resolve(root);
  const temporary = openTemporary(base);
  temporary.clear();

  return {
    async put(key, body) {
      assertKey(key);
      const aside = temporary.next();
      try {
        const size = await write(aside, body);
        await publish(aside, fileOf(base, key));
        return { size };
      } catch (error) {
        await rm(aside, { force: true });
        throw failure(`cannot store ${key}`, error);
      }
    },

    async get(key, range) {
      assertKey(key);
      try {
        // Opened before the answer: what is read is this version, whatever becomes of the key.
        const file = openSync(fileOf(base, key), 'r');
        const { size } = fstatSync(file);
        const start = Math.min(range?.offset ?? 0, size);
        const end = Math.min(start + (range?.length ?? size), size);
        const read = end - start > MAX_SINGLE_READ_BYTES ? readInChunks : readAtOnce;
        return { size, body: read(file, start, end) };
      } catch (error) {
        if (isMissing(error)) return null;
        throw failure(`cannot read ${key}`, error);
      }
    },

    async *list(prefix) {
      const below = toPrefix(prefix);
      // Who lists looks for what to remove. At a start right after a crash nothing was old enough.
      temporary.clear();
      yield* keysBelow(base, below);
    },

    async delete(key) {
      assertKey(key);
      const file = fileOf(base, key);
      await rm(file, { force: true });
      await prune(dirname(file), base);
    },
  };
}

async function write(path: string, body: Bytes | ReadableStream<Bytes>): Promise<number> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(body);
  await file.sync();
  return (await file.stat()).size;
}

async function publish(aside: string, file: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      return await rename(aside, file);
    } catch (error) {
      // A delete has pruned the emptied folder between the two steps.
      if (!isMissing(error) || attempt === 5) throw error;
    }
  }
}

/** Removes folders that are empty now, from the inside out. */
async function prune(folder: string, base: string): Promise<void> {
  for (let at = folder; at !== base; at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}

/** The body's own error goes to the caller as it is; the file system's is told as ours. */
function failure(what: string, error: unknown): unknown {
  const own = error instanceof Error && 'syscall' in error;
  return own ? new DriverFailure(`[blobs] ${what}`, { cause: error }) : error;
}
