// The records of a pax header, as they arrive. Each says its own length and ends its own line, or the archive is refused:
// the unpacker looks for the next space from wherever a length leads, which lengths that lie make endless.
// POSIX.1-2017 pax, Extended Header
import { Refused } from '../refused.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const SPACE = 0x20;
const LINE_END = 0x0a;

export interface PaxRecords {
  /** Takes what is still missing, and reads the records once they are whole. */
  take(piece: Bytes): void;
}

export function createPaxRecords(size: number): PaxRecords {
  const bytes = new Uint8Array(size);
  let filled = 0;
  return {
    take(piece) {
      if (filled === size) return;
      const part = piece.subarray(0, size - filled);
      bytes.set(part, filled);
      filled += part.length;
      if (filled === size) refuseBadRecords(bytes);
    },
  };
}

function refuseBadRecords(bytes: Bytes): void {
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at);
    const end = at + length;
    if (length === 0 || end > bytes.length || bytes[end - 1] !== LINE_END)
      throw new Refused('BAD_ARCHIVE', 'A pax record in the archive is damaged');
    at = end;
  }
}

/** 0 where there is none. */
function lengthAt(bytes: Bytes, start: number): number {
  let length = 0;
  for (let at = start; bytes[at] !== SPACE; at++) {
    const digit = (bytes[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 9 || at - start > 8) return 0;
    length = length * 10 + digit;
  }
  return length;
}
