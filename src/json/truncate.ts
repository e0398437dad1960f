// Truncates error texts to 2 KiB, without splitting a character. A provider's page of HTML helps no agent.
import { ERROR_BYTES } from './limits.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function truncate(text: string): string {
  const bytes = new Uint8Array(ERROR_BYTES);
  const { read, written } = encoder.encodeInto(text, bytes);
  return read === text.length ? text : decoder.decode(bytes.subarray(0, written));
}
