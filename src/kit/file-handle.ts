// Names files: a handle contains the expiry and the size, so that the sweep and the quota need not open a file.
import { FILE_SECONDS } from './shape-limits.ts';
import { toHex } from '../crypto/encoding.ts';
import type { Ports } from '../ports/ports.ts';

const HANDLE = /^(?:file:)?(f-([0-9a-z]{1,12})-([0-9a-z]{1,12})-([0-9a-f]{32}))$/;
const BYTES_KEY = /^([0-9a-z]{1,12})-[0-9a-f]{32}$/;

/** What describes a person's files is in a folder of its own for each person. Their bytes are in another folder. */
export const FILES_FOLDER = 'files/';
export const BYTES_FOLDER = 'file-bytes/';

export interface ParsedHandle {
  /** Without the prefix `file:`. */
  handle: string;
  expiresAt: number;
  bytes: number;
  /** The key of the blob with the sealed bytes. */
  bytesKey: string;
}

/** A file that is being stored: its size is known at its end only. */
export interface NewHandle {
  bytesKey: string;
  finish: (bytes: number) => string;
}

export function createHandle({ clock, random }: Pick<Ports, 'clock' | 'random'>): NewHandle {
  const expiry = (clock.now() + FILE_SECONDS).toString(36);
  const id = toHex(random.bytes(16));
  return {
    bytesKey: `${BYTES_FOLDER}${expiry}-${id}`,
    finish: (bytes) => `f-${expiry}-${bytes.toString(36)}-${id}`,
  };
}

/** Accepts `file:<handle>` and the handle alone. Returns null for anything else. */
export function parseHandle(reference: string): ParsedHandle | null {
  const [, handle, expiry, size, id] = HANDLE.exec(reference) ?? [];
  if (handle === undefined || expiry === undefined || size === undefined || id === undefined) return null;
  return {
    handle,
    expiresAt: Number.parseInt(expiry, 36),
    bytes: Number.parseInt(size, 36),
    bytesKey: `${BYTES_FOLDER}${expiry}-${id}`,
  };
}

/** Reads the expiry from a key of either folder. Null for a key that no file made. */
export function expiryOf(key: string): number | null {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const [, expiry] = BYTES_KEY.exec(name) ?? [];
  return expiry === undefined ? (parseHandle(name)?.expiresAt ?? null) : Number.parseInt(expiry, 36);
}
