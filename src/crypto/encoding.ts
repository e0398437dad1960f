// Converts bytes to text and back, without the buffers of a runtime.
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = digitAt(text, index * 2) * 16 + digitAt(text, index * 2 + 1);
  return bytes;
}

/** In ASCII the low four bits of 0 to 9 are 0 to 9, and those of a letter in either case begin at 1. */
function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return (code & 15) + (code > 64 ? 9 : 0);
}
