// Converts bytes: base64, text, images and forms.
import { readPayload } from './payload.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

// Every JavaScript engine accepts this many arguments in one call.
const MAX_ARGUMENTS = 8_192;

/** Reads the bytes of an answer. Throws for an error status. */
export async function readBytes(response: Response): Promise<Bytes> {
  if (!response.ok) await readPayload(response);
  return new Uint8Array(await response.arrayBuffer());
}

/** Decodes base64 in either alphabet, with or without padding. Returns null for other text. */
export function fromBase64(base64: string): Bytes | null {
  try {
    const binary = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (unit) => unit.charCodeAt(0));
  } catch {
    return null;
  }
}

export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += MAX_ARGUMENTS)
    binary += String.fromCharCode(...bytes.subarray(start, start + MAX_ARGUMENTS));
  return btoa(binary);
}

/** Decodes UTF-8. Returns null when the bytes are not text. Drops a character that a cut has split. */
export function textOf(bytes: Bytes, isCut = false): string | null {
  // Text contains no zero bytes.
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}

// The first bytes of each kind of image that agents can see.
const IMAGES: readonly [mimeType: string, start: RegExp][] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
];

/** Returns `_mcpImage` when the bytes are an image, else nothing. reference: Result rendering */
export function imageOf(bytes: Bytes): { _mcpImage?: { data: string; mimeType: string } } {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  const [mimeType] = IMAGES.find(([, pattern]) => pattern.test(start)) ?? [];
  return mimeType === undefined ? {} : { _mcpImage: { data: toBase64(bytes), mimeType } };
}

/** Encodes a form as the body of a call. A form with a file gets a boundary in its content type. */
export async function encodeForm(
  form: FormData | URLSearchParams,
): Promise<{ headers: { 'content-type': string }; body: Bytes }> {
  const encoded = new Response(form);
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Writes a number of bytes for people. */
export function showBytes(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  for (; amount >= 1024 && unit < UNITS.length - 1; unit++) amount /= 1024;
  return `${Number(amount.toFixed(1))} ${UNITS[unit]}`;
}
