// Maps blob keys to paths. Folder names end in '+', which no key contains, so `a` and `a/b` can both be
// files.
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';

const STALE_MS = 3_600_000;

export function fileOf(base: string, key: string): string {
  return join(base, key.replaceAll('/', '+/'));
}

export async function* keysBelow(base: string, prefix: string): AsyncIterable<string> {
  for await (const entry of entriesOf(fileOf(base, prefix))) {
    if (entry.isFile()) yield prefix + entry.name;
    else if (entry.name.endsWith('+')) yield* keysBelow(base, `${prefix}${entry.name.slice(0, -1)}/`);
  }
}

async function* entriesOf(folder: string) {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!isMissing(error)) throw new Error('[blobs] cannot list', { cause: error });
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** The folder for files that are still being written. */
interface Temporary {
  next(): string;
  /** Deletes files that processes left there when they died. */
  clear(): void;
}

export function openTemporary(base: string): Temporary {
  const folder = join(base, '+temporary');
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  return {
    next: () => join(folder, crypto.randomUUID()),
    clear() {
      // Reads the file system's own clock, in a way that works on a full disk. Another process may be writing
      // here, so only old files are deleted.
      chmodSync(folder, 0o700);
      const now = statSync(folder).ctimeMs;
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
        if (now - modified > STALE_MS) rmSync(path, { recursive: true, force: true });
      }
    },
  };
}
