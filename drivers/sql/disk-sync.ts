// Waits until the disk has what was written to a file, off the event loop.
import { closeSync, fdatasync, openSync } from 'node:fs';

export interface DiskSync {
  /** Resolves when everything written to the file so far would survive a power cut. */
  sync(): Promise<void>;
  close(): void;
}

/** Of SQLite's files only the log may be opened beside it: closing another takes away the locks of this process. */
export function createDiskSync(path: string): DiskSync {
  let file: number | null = null;
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        file ??= openSync(path, 'r+');
        fdatasync(file, (error) => (error === null ? resolve() : reject(error)));
      }),
    close() {
      if (file !== null) closeSync(file);
    },
  };
}
