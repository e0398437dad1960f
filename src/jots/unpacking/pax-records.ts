// Parses the records of a pax header, and keeps what the reader needs of them. POSIX.1-2017 pax, Extended Header
import { JotRefused } from '../model/jot-refused.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface PaxRecords {
  path?: string;
  hasSize?: true;
  isSparse?: true;
}

const SPACE = 0x20;
const LINE_END = 0x0a;
const MAX_LENGTH_DIGITS = 9;

const decoder = new TextDecoder();

/** Each record is "length key=value\n". The length counts the whole record. */
export function parsePaxRecords(bytes: Bytes): PaxRecords {
  const records: PaxRecords = {};
  for (let start = 0; start < bytes.length;) {
    const space = bytes.indexOf(SPACE, start);
    const end = start + parseLength(bytes.subarray(start, space));
    if (space === -1 || end === start || end > bytes.length || bytes[end - 1] !== LINE_END)
      throw new JotRefused('BAD_ARCHIVE', 'A pax record in the archive is damaged');
    const record = decoder.decode(bytes.subarray(space + 1, end - 1));
    const equals = record.indexOf('=');
    const key = record.slice(0, Math.max(equals, 0));
    if (key === 'path') records.path = record.slice(equals + 1);
    if (key === 'size') records.hasSize = true;
    if (key.startsWith('GNU.sparse.')) records.isSparse = true;
    start = end;
  }
  return records;
}

/** Returns 0 where the digits are missing, too many, or none. */
function parseLength(digits: Bytes): number {
  if (digits.length > MAX_LENGTH_DIGITS) return 0;
  const text = String.fromCharCode(...digits);
  return /^\d+$/.test(text) ? Number(text) : 0;
}
