// Stores blobs as files. A put writes a temporary file, syncs it and renames it, so readers see all of it or
// nothing.
import { fstatSync, openSync } from 'node:fs';
import { mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Blobs } from '../../src/ports/blobs.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { DiskFull } from '../../src/ports/unavailable.ts';
import { readAtOnce, readInChunks } from './fs-read.ts';
import { fileOf, isMissing, keysBelow, openTemporary } from './fs-tree.ts';
import { assertKey, toPrefix } from './keys.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Blobs up to this size are read synchronously: that takes 6 µs, and four trips to the thread pool take 25 to
 * 125.
 */
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
        // The file is opened before the answer, so the reader gets this version even if the key is replaced
        // or deleted.
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
      // The sweep lists keys. It also cleans up here, because at a start right after a crash no file is old
      // enough yet.
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
      // A delete removed the empty folder between the two steps.
      if (!isMissing(error) || attempt === 5) throw error;
    }
  }
}

/** Removes folders that are now empty, from the innermost outwards. */
async function prune(folder: string, base: string): Promise<void> {
  for (let at = folder; at !== base; at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}

/** An error of the body is passed on unchanged; an error of the file system is wrapped. */
function failure(what: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const hasSpace = !('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'));
  return hasSpace
    ? new DriverFailure(`[blobs] ${what}`, { cause: error })
    : new DiskFull(`[blobs] ${what}`, { cause: error, part: 'files' });
}
