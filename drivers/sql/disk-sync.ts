// Waits until the disk has what was written to a file, off the event loop.
import { closeSync, fdatasync, fstatSync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const written = promisify(fdatasync);

export interface DiskSync {
  /** Resolves when everything written to the file so far would survive a power cut. */
  sync(): Promise<void>;
  close(): void;
}

/** Of SQLite's files only the log may be opened beside it: closing another takes away the locks of this process. */
export function createDiskSync(path: string): DiskSync {
  let file: number | null = null;
  return {
    async sync() {
      file ??= openSync(path, 'r+');
      await written(file);
      // It can be written all the same, and is gone with this process.
      if (fstatSync(file).nlink === 0) throw new Error('the file was removed');
    },
    close() {
      if (file !== null) closeSync(file);
    },
  };
}
