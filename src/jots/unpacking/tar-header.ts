// Parses the header block of a tar entry. POSIX.1-2017 pax, ustar header block
import { JotRefused } from '../model/jot-refused.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export const BLOCK_BYTES = 512;

export interface TarHeader {
  name: string;
  size: number;
  /** One character. */
  type: string;
}

interface Field {
  start: number;
  length: number;
}

const NAME: Field = { start: 0, length: 100 };
const SIZE: Field = { start: 124, length: 12 };
const CHECKSUM: Field = { start: 148, length: 8 };
const TYPE: Field = { start: 156, length: 1 };
const MAGIC: Field = { start: 257, length: 6 };
const PREFIX: Field = { start: 345, length: 155 };

const decoder = new TextDecoder();

export function parseHeader(block: Bytes): TarHeader {
  if (readNumber(block, CHECKSUM) !== sumOf(block))
    throw new JotRefused('BAD_ARCHIVE', 'This is not a tar archive, or a header of it is damaged');
  const name = decodeText(fieldOf(block, NAME));
  // GNU tar writes "ustar " and uses the bytes of the prefix for something else.
  const prefix = decodeText(fieldOf(block, MAGIC)) === 'ustar' ? decodeText(fieldOf(block, PREFIX)) : '';
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: readNumber(block, SIZE),
    type: String.fromCharCode(...fieldOf(block, TYPE)),
  };
}

/** Decodes the bytes before the first NUL. */
export function decodeText(bytes: Bytes): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end === -1 ? bytes : bytes.subarray(0, end));
}

const fieldOf = (block: Bytes, { start, length }: Field): Bytes => block.subarray(start, start + length);

/** The sum counts the checksum field itself as spaces. */
function sumOf(block: Bytes): number {
  const end = CHECKSUM.start + CHECKSUM.length;
  return block.reduce((sum, byte, at) => sum + (at >= CHECKSUM.start && at < end ? 0x20 : byte), 0);
}

/** Reads octal digits, or a base-256 number where the high bit is set (GNU tar, star). */
function readNumber(block: Bytes, field: Field): number {
  const bytes = fieldOf(block, field);
  const first = bytes[0] ?? 0;
  if (first & 0x80) return bytes.subarray(1).reduce((value, byte) => value * 256 + byte, first & 0x7f);
  const digits = decodeText(bytes).replaceAll(' ', '');
  if (!/^[0-7]*$/.test(digits)) throw new JotRefused('BAD_ARCHIVE', 'A number in the archive is damaged');
  return Number.parseInt(`0${digits}`, 8);
}
