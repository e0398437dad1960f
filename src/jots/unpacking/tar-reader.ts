// Reads the files and folders of a tar archive as it arrives, and refuses everything else. decision: 049
import { JotRefused } from '../model/jot-refused.ts';
import { type ByteReader, createByteReader } from './byte-reader.ts';
import {
  createContentCounter,
  type JotLimits,
  limitBytes,
  MAX_FOLDERS_PER_FILE,
  tooLarge,
  tooManyFiles,
} from './jot-limits.ts';
import { type PaxRecords, parsePaxRecords } from './pax-records.ts';
import { BLOCK_BYTES, decodeText, parseHeader, type TarHeader } from './tar-header.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bounds one long name, and one set of pax records. */
const MAX_METADATA_BYTES = 256 * 1024;
/** An archive may spend this much on average on the header, the records and the padding of an entry. */
const MAX_OVERHEAD_PER_ENTRY = 4 * 1024;
/** Allows for headers that belong to no file, and for the zeros at the end. */
const MORE_ENTRIES = 16;

export interface TarEntry {
  kind: 'file' | 'folder';
  name: string;
  size: number;
  /** The reader skips the rest of a body before the next entry. */
  body: AsyncIterable<Bytes>;
}

export async function* readTar(source: AsyncIterable<Bytes>, limits: JotLimits): AsyncGenerator<TarEntry> {
  const overhead = (limits.maxFiles + MORE_ENTRIES) * MAX_OVERHEAD_PER_ENTRY;
  const reader = createByteReader(limitBytes(source, limits.maxBytes + overhead, () => tooLarge(limits)));
  const countEntry = createEntryCounter(limits);
  let ofAll: PaxRecords = {};
  let ofNext: PaxRecords = {};
  try {
    for (;;) {
      const block = await readWhole(reader, BLOCK_BYTES);
      if (isZero(block)) return await readEnd(reader);
      const header = parseHeader(block);
      switch (header.type) {
        case 'g':
          ofAll = { ...ofAll, ...parsePaxRecords(await readMetadata(reader, header)) };
          break;
        case 'x':
          ofNext = { ...ofNext, ...parsePaxRecords(await readMetadata(reader, header)) };
          break;
        case 'L':
          ofNext = { ...ofNext, path: decodeText(await readMetadata(reader, header)) };
          break;
        default: {
          countEntry(header);
          const body = createBody(reader, header.size);
          yield { ...describeEntry(header, { ...ofAll, ...ofNext }), body: body.pieces() };
          await body.skip();
          ofNext = {};
        }
      }
    }
  } finally {
    reader.close();
  }
}

/** Throws for a type that is neither a file nor a folder, and as soon as the archive passes a limit. */
function createEntryCounter(limits: JotLimits): (header: TarHeader) => void {
  const countFile = createContentCounter(limits);
  let folders = 0;
  return function countEntry({ type, size }) {
    switch (type) {
      case '0':
      case '\0':
        return countFile(size);
      case '5':
        if (size !== 0) throw new JotRefused('BAD_ARCHIVE', 'A folder in the archive has content');
        if (++folders > limits.maxFiles * MAX_FOLDERS_PER_FILE) throw tooManyFiles(limits);
        return;
      default:
        throw new JotRefused(
          'BAD_ARCHIVE',
          `The archive has an entry of type ${JSON.stringify(type)}; only plain files and folders are accepted`,
        );
    }
  };
}

function describeEntry(header: TarHeader, records: PaxRecords): Pick<TarEntry, 'kind' | 'name' | 'size'> {
  if (records.isSparse === true)
    throw new JotRefused('BAD_ARCHIVE', 'The archive has a sparse file; only plain files are accepted');
  // The header block has a size already. With two sizes, an entry could hide from one reader of the archive.
  if (records.hasSize === true) throw new JotRefused('BAD_ARCHIVE', 'The archive has a size record');
  const name = records.path ?? header.name;
  // Programs from before ustar write a folder as a file whose name ends with a slash.
  const kind = header.type === '5' || name.endsWith('/') ? 'folder' : 'file';
  return { kind, name, size: header.size };
}

async function readMetadata(reader: ByteReader, { size }: TarHeader): Promise<Bytes> {
  if (size > MAX_METADATA_BYTES)
    throw new JotRefused('BAD_ARCHIVE', 'A name or record in the archive is too long');
  const padded = await readWhole(reader, size + paddingOf(size));
  return padded.subarray(0, size);
}

function createBody(
  reader: ByteReader,
  size: number,
): { pieces(): AsyncGenerator<Bytes>; skip(): Promise<void> } {
  let left = size;

  async function nextPiece(): Promise<Bytes> {
    const piece = await reader.next(left);
    if (piece === null) throw notATarball('the archive ends inside a file');
    left -= piece.length;
    return piece;
  }

  return {
    async *pieces() {
      while (left > 0) yield await nextPiece();
    },
    async skip() {
      while (left > 0) await nextPiece();
      await readWhole(reader, paddingOf(size));
    },
  };
}

/** Two blocks of zeros end an archive. Programs pad it with more zeros. */
async function readEnd(reader: ByteReader): Promise<void> {
  if (!isZero(await readWhole(reader, BLOCK_BYTES))) throw notATarball('the archive has half an end');
  for (;;) {
    const piece = await reader.next(Number.POSITIVE_INFINITY);
    if (piece === null) return;
    if (!isZero(piece)) throw notATarball('there is something behind the end of the archive');
  }
}

async function readWhole(reader: ByteReader, length: number): Promise<Bytes> {
  const bytes = await reader.read(length);
  if (bytes === null) throw notATarball('the archive ends too early');
  return bytes;
}

export const notATarball = (cause: unknown): JotRefused =>
  new JotRefused('BAD_ARCHIVE', 'This is not a complete gzip tarball as made by: tar czf - .', { cause });

/** Every body is filled up to whole blocks. */
const paddingOf = (size: number): number => -size & (BLOCK_BYTES - 1);

function isZero(bytes: Bytes): boolean {
  // `every` takes several times as long, and an archive may end with megabytes of zeros.
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}
