// Estimates the memory that a JSON text takes while it is read, parsed and written again.

const WEIGHT_OF_BYTE = 4;
const WEIGHT_OF_VALUE = 32;
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACKET = 0x5b;

/** Counts the marks that values follow: each `{},` is 3 bytes of text and takes 64 bytes as a value. */
export function weighJson(bytes: Uint8Array): number {
  let values = 0;
  for (const byte of bytes) if (byte === COMMA || byte === BRACE || byte === BRACKET) values++;
  return bytes.length * WEIGHT_OF_BYTE + values * WEIGHT_OF_VALUE;
}
