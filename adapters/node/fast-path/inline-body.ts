// Converts a small body to Latin-1 text, byte for byte, so that the head and the body go out in one write.

/** Copying a larger body costs more than a second write. */
export const MAX_INLINE_BYTES = 16 * 1024;

export function toLatin1({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}
