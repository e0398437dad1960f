// Reads a part of a file as text, without splitting a character.
import { textOf } from '../kit/binary.ts';
import { type OpenFile, UNKNOWN_FILE } from './files.ts';

export interface TextPart {
  text: string;
  offset: number;
  /** Where the next part begins. Absent at the end. */
  next?: number;
}

/** The offset and the limit count bytes. Throws when the file is not text. */
export async function readTextPart(file: OpenFile, offset: number, limit: number): Promise<TextPart> {
  const length = Math.max(0, Math.min(limit, file.bytes - offset));
  if (length === 0) return { text: '', offset };
  const body = await file.read(offset, length);
  if (body === null) throw new Error(UNKNOWN_FILE);
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  const end = offset + length < file.bytes ? lastWhole(bytes) : bytes.length;
  const start = firstWhole(bytes);
  const text = textOf(bytes.slice(start, end));
  if (text === null) throw new Error(`${JSON.stringify(file.name)} is not text in UTF-8`);
  const next = offset + Math.max(end, 1);
  return { text, offset: offset + start, ...(next < file.bytes ? { next } : {}) };
}

const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** An offset that the caller made up may be inside a character. */
function firstWhole(bytes: Uint8Array): number {
  let start = 0;
  while (start < 3 && isInside(bytes[start])) start++;
  return start;
}

/** Returns where the last character begins when the bytes may end inside it. */
function lastWhole(bytes: Uint8Array): number {
  let at = bytes.length - 1;
  while (at > 0 && at > bytes.length - 4 && isInside(bytes[at])) at--;
  const lead = bytes[at] ?? 0;
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return at + size <= bytes.length ? bytes.length : at;
}
