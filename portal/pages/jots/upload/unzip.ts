// Unpacks a zip file. Its directory is at its end, and the browser inflates the files.
import { texts } from '../../../texts/texts.ts';
import { type SiteFile, SiteProblem } from './site.ts';

const { errors } = texts.jots.publish;

// APPNOTE.TXT of PKWARE, 4.3.7, 4.3.12 and 4.3.16: the sizes of the records without their names and comments.
const LOCAL_BYTES = 30;
const ENTRY_BYTES = 46;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const LOCAL = 0x04034b50;
const ENTRY = 0x02014b50;
const END = 0x06054b50;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;
/** Stands for a number that only a record of zip64 has. */
const ELSEWHERE = 0xffffffff;

interface Entry {
  path: string;
  method: number;
  packed: number;
  size: number;
  at: number;
}

export async function unzip(zip: Blob): Promise<SiteFile[]> {
  const files: SiteFile[] = [];
  for (const entry of await readDirectory(zip)) {
    // A folder is an entry without content.
    if (!entry.path.endsWith('/')) files.push({ path: entry.path, content: await readEntry(zip, entry) });
  }
  return files;
}

async function readDirectory(zip: Blob): Promise<Entry[]> {
  const tail = await view(zip, Math.max(0, zip.size - END_BYTES - MAX_COMMENT_BYTES), zip.size);
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END) end--;
  if (end < 0) throw new SiteProblem(errors.notZip);
  const size = tail.getUint32(end + 12, true);
  const start = tail.getUint32(end + 16, true);
  if (start === ELSEWHERE || start + size > zip.size) throw new SiteProblem(errors.notZip);
  const directory = await view(zip, start, start + size);
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.byteLength;) {
    if (directory.getUint32(at, true) !== ENTRY) throw new SiteProblem(errors.notZip);
    if ((directory.getUint16(at + 8, true) & ENCRYPTED_FLAG) !== 0) throw new SiteProblem(errors.encrypted);
    const nameBytes = directory.getUint16(at + 28, true);
    const nameAt = at + ENTRY_BYTES;
    if (nameAt + nameBytes > directory.byteLength) throw new SiteProblem(errors.notZip);
    entries.push({
      // Programs that write other names than UTF-8 are rare. The gateway refuses what is then unreadable.
      path: new TextDecoder().decode(new Uint8Array(directory.buffer, nameAt, nameBytes)),
      method: directory.getUint16(at + 10, true),
      packed: directory.getUint32(at + 20, true),
      size: directory.getUint32(at + 24, true),
      at: directory.getUint32(at + 42, true),
    });
    at = nameAt + nameBytes + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
  return entries;
}

async function readEntry(zip: Blob, { method, packed, size, at }: Entry): Promise<Blob> {
  if ([packed, size, at].includes(ELSEWHERE)) throw new SiteProblem(errors.notZip);
  const local = await view(zip, at, at + LOCAL_BYTES);
  if (local.byteLength < LOCAL_BYTES || local.getUint32(0, true) !== LOCAL)
    throw new SiteProblem(errors.notZip);
  const start = at + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
  const content = zip.slice(start, start + packed);
  if (method === STORED) return content;
  if (method !== DEFLATED) throw new SiteProblem(errors.notZip);
  return inflate(content, size);
}

/** Stops at the size that the directory names, so that a file cannot fill the memory. */
async function inflate(content: Blob, size: number): Promise<Blob> {
  const reader = content.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let got = 0;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      got += piece.value.length;
      if (got > size) break;
      pieces.push(piece.value);
    }
  } catch {
    throw new SiteProblem(errors.notZip);
  }
  await reader.cancel();
  if (got !== size) throw new SiteProblem(errors.notZip);
  return new Blob(pieces);
}

async function view(zip: Blob, start: number, end: number): Promise<DataView<ArrayBuffer>> {
  try {
    return new DataView(await zip.slice(start, end).arrayBuffer());
  } catch {
    throw new SiteProblem(errors.unreadable);
  }
}
