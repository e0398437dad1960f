// Packs the files of a site as the gateway takes them: a tar archive, compressed with gzip.
import { texts } from '../../../texts/texts.ts';
import { type SiteFile, SiteProblem } from './site.ts';

const BLOCK = 512;
/** A longer name, and one that is not ASCII, goes into a record of its own. POSIX.1-2017, pax, "ustar Interchange Format" */
const MAX_NAME_BYTES = 100;
const encoder = new TextEncoder();

export async function pack(files: readonly SiteFile[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  const add = (name: Uint8Array, type: '0' | 'x', content: Blob) => {
    parts.push(header(name, type, content.size), content, new Uint8Array(-content.size & (BLOCK - 1)));
  };
  for (const { path, content } of files) {
    const name = encoder.encode(path);
    if (name.length > MAX_NAME_BYTES || name.length !== path.length)
      add(encoder.encode('pax'), 'x', new Blob([pathRecord(path)]));
    add(name.subarray(0, MAX_NAME_BYTES), '0', content);
  }
  // Two empty blocks end an archive.
  parts.push(new Uint8Array(2 * BLOCK));
  try {
    return await new Response(new Blob(parts).stream().pipeThrough(new CompressionStream('gzip'))).blob();
  } catch {
    throw new SiteProblem(texts.jots.publish.errors.unreadable);
  }
}

function header(name: Uint8Array, type: '0' | 'x', size: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const write = (text: string, at: number) => void encoder.encodeInto(text, block.subarray(at));
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  block.set(name);
  write(octal(0o644, 7), 100);
  write(octal(0, 7), 108);
  write(octal(0, 7), 116);
  write(octal(size, 11), 124);
  write(octal(0, 11), 136);
  // The checksum counts itself as spaces.
  write('        ', 148);
  write(type, 156);
  write('ustar\0', 257);
  write('00', 263);
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(`${octal(sum, 6)} `, 148);
  return block;
}

/** A record begins with its own length, in which the digits of the length count too. */
function pathRecord(path: string): string {
  const rest = ` path=${path}\n`;
  const bytes = encoder.encode(rest).length;
  let length = bytes + String(bytes).length;
  if (String(length).length > String(bytes).length) length++;
  return `${length}${rest}`;
}
