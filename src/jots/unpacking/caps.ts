// How much one jot may be. design: J2
import type { Config } from '../../config/config.ts';
import { Refused } from '../refused.ts';

export interface Caps {
  bytes: number;
  files: number;
  packedBytes: number;
}

export function readCaps(
  config: Pick<Config, 'JOT_MAX_BYTES' | 'JOT_MAX_FILES' | 'JOT_MAX_UPLOAD_BYTES'>,
): Caps {
  return {
    bytes: config.JOT_MAX_BYTES,
    files: config.JOT_MAX_FILES,
    packedBytes: config.JOT_MAX_UPLOAD_BYTES,
  };
}

export const FOLDERS_PER_FILE = 2;

export interface Counter {
  /** Throws as soon as a cap is passed. */
  add(bytes: number): void;
}

export function createCounter(caps: Pick<Caps, 'bytes' | 'files'>): Counter {
  let files = 0;
  let bytes = 0;
  return {
    add(size) {
      files += 1;
      bytes += size;
      if (files > caps.files) throw tooManyFiles(caps);
      if (bytes > caps.bytes) throw tooLarge(caps);
    },
  };
}

export const tooLarge = ({ bytes }: Pick<Caps, 'bytes'>) =>
  new Refused('TOO_LARGE', `A jot holds at most ${bytes} bytes`);
export const tooManyFiles = ({ files }: Pick<Caps, 'files'>) =>
  new Refused('TOO_MANY_FILES', `A jot holds at most ${files} files`);
