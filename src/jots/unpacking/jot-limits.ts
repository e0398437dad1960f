// Limits the size of a jot. decision: 049
import type { Config } from '../../config/config.ts';
import { JotRefused } from '../model/jot-refused.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface JotLimits {
  maxBytes: number;
  maxFiles: number;
  /** Bounds an upload before it is unpacked. */
  maxPackedBytes: number;
}

export function readJotLimits(
  config: Pick<Config, 'JOT_MAX_BYTES' | 'JOT_MAX_FILES' | 'JOT_MAX_UPLOAD_BYTES'>,
): JotLimits {
  return {
    maxBytes: config.JOT_MAX_BYTES,
    maxFiles: config.JOT_MAX_FILES,
    maxPackedBytes: config.JOT_MAX_UPLOAD_BYTES,
  };
}

export const MAX_FOLDERS_PER_FILE = 2;

/** Counts one file of this size, and throws as soon as the files together pass a limit. */
export type CountFile = (bytes: number) => void;

export function createContentCounter(limits: Pick<JotLimits, 'maxBytes' | 'maxFiles'>): CountFile {
  let files = 0;
  let total = 0;
  return function countFile(bytes) {
    files += 1;
    total += bytes;
    if (files > limits.maxFiles) throw tooManyFiles(limits);
    if (total > limits.maxBytes) throw tooLarge(limits);
  };
}

/** Passes the pieces on, and throws as soon as they are more than `max` bytes. */
export async function* limitBytes(
  source: AsyncIterable<Bytes>,
  max: number,
  refuse: () => JotRefused,
): AsyncGenerator<Bytes> {
  let total = 0;
  for await (const piece of source) {
    total += piece.length;
    if (total > max) throw refuse();
    yield piece;
  }
}

export const tooLarge = ({ maxBytes }: Pick<JotLimits, 'maxBytes'>): JotRefused =>
  new JotRefused('TOO_LARGE', `A jot holds at most ${maxBytes} bytes`);
export const tooManyFiles = ({ maxFiles }: Pick<JotLimits, 'maxFiles'>): JotRefused =>
  new JotRefused('TOO_MANY_FILES', `A jot holds at most ${maxFiles} files`);
