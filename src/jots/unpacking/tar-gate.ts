// Looks at every block of a tar before it is unpacked: only plain files and folders, never more than the caps.
// The unpacker behind it takes any type it does not know for a file (a sparse one too), and counts nothing.
import { type Caps, createCounter, FOLDERS_PER_FILE, tooLarge, tooManyFiles } from './caps.ts';
import { createPaxRecords, type PaxRecords } from './pax-records.ts';
import { Refused } from '../refused.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const BLOCK = 512;
/** Of one long name or set of pax records. */
const META_BYTES = 256 * 1024;
/** Headers, padding and records of an entry are within this on average, or the archive is not worth its reading. */
const ENTRY_OVERHEAD = 4 * 1024;
// POSIX.1-2017 pax, ustar header block
const SIZE_FIELD = 124;
const CHECKSUM_FIELD = 148;
const TYPE_FIELD = 156;

export async function* gateTar(source: AsyncIterable<Bytes>, caps: Caps): AsyncGenerator<Bytes> {
  const judge = createJudge(caps);
  const most = caps.bytes + (caps.files + 16) * ENTRY_OVERHEAD;
  const block = new Uint8Array(BLOCK);
  let filled = 0;
  let skip = 0;
  let records: PaxRecords | null = null;
  let read = 0;
  for await (const chunk of source) {
    read += chunk.length;
    if (read > most) throw tooLarge(caps);
    for (let at = 0; at < chunk.length;) {
      const step = Math.min(skip > 0 ? skip : BLOCK - filled, chunk.length - at);
      const piece = chunk.subarray(at, at + step);
      if (skip > 0) {
        skip -= step;
        records?.take(piece);
      } else {
        block.set(piece, filled);
        filled += step;
      }
      at += step;
      if (filled < BLOCK) continue;
      filled = 0;
      ({ skip, records } = judge(block));
    }
    yield chunk;
  }
}

interface Judged {
  /** How many bytes follow the header block before the next one. */
  skip: number;
  /** Where those begin with pax records. */
  records: PaxRecords | null;
}

function createJudge(caps: Caps): (block: Bytes) => Judged {
  const content = createCounter(caps);
  let folders = 0;
  return function judge(block) {
    if (block.every((byte) => byte === 0)) return { skip: 0, records: null };
    refuseWrongChecksum(block);
    const size = numberAt(block, SIZE_FIELD, 12);
    const type = String.fromCharCode(block[TYPE_FIELD] ?? 0);
    switch (type) {
      case '0':
      case '\0':
        content.add(size);
        break;
      case '5':
        if (size !== 0) throw new Refused('BAD_ARCHIVE', 'A folder in the archive has a content');
        if (++folders > caps.files * FOLDERS_PER_FILE) throw tooManyFiles(caps);
        break;
      case 'g':
      case 'x':
      case 'L':
        if (size > META_BYTES)
          throw new Refused('BAD_ARCHIVE', 'A name or record in the archive is too long');
        break;
      default:
        throw new Refused(
          'BAD_ARCHIVE',
          `The archive has an entry of type ${JSON.stringify(type)}; only plain files and folders are taken`,
        );
    }
    return {
      skip: Math.ceil(size / BLOCK) * BLOCK,
      records: type === 'g' || type === 'x' ? createPaxRecords(size) : null,
    };
  };
}

function refuseWrongChecksum(block: Bytes): void {
  let sum = 0;
  for (const [at, byte] of block.entries())
    sum += at >= CHECKSUM_FIELD && at < CHECKSUM_FIELD + 8 ? 0x20 : byte;
  if (numberAt(block, CHECKSUM_FIELD, 8) !== sum)
    throw new Refused('BAD_ARCHIVE', 'This is not a tar archive, or a header of it is damaged');
}

/** Octal digits, or with the high bit set a number to the base 256 (GNU tar, star). */
function numberAt(block: Bytes, offset: number, length: number): number {
  const field = block.subarray(offset, offset + length);
  const first = field[0] ?? 0;
  if (first & 0x80) return field.subarray(1).reduce((value, byte) => value * 256 + byte, first & 0x7f);
  const end = field.indexOf(0);
  const digits = String.fromCharCode(...field.subarray(0, end === -1 ? length : end)).replaceAll(' ', '');
  if (!/^[0-7]*$/.test(digits)) throw new Refused('BAD_ARCHIVE', 'A number in the archive is damaged');
  return Number.parseInt(`0${digits}`, 8);
}
