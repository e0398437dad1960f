// A small body goes out in one write with its head: as text of Latin-1, byte for byte, it is put behind the head.

/** A larger one costs more to copy than to write by itself. */
export const SMALL_BODY = 16 * 1024;

export function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}
