// Waits off the event loop until the disk has stored what was written to a file.
import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const written = promisify(fdatasync);

export interface DiskSync {
  /** Resolves when everything written to the file so far would survive a power cut. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * Only SQLite's log may be opened a second time: closing any other of its files would drop this process's
 * locks.
 */
export function createDiskSync(path: string): DiskSync {
  let file: number | null = null;
  return {
    async sync() {
      file ??= openSync(path, 'r+');
      await written(file);
      // SQLite can still write the file; it disappears with this process.
      if (fstatSync(file).nlink === 0) throw new Error('the file was removed');
    },
    close() {
      if (file !== null) closeSync(file);
    },
  };
}
