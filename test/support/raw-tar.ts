// Writes tar archives block by block, including archives that no honest program writes.
const BLOCK = 512;

export interface RawEntry {
  name?: string;
  type?: string;
  content?: string | Uint8Array;
  /** The size that the header claims, if it is not the size of the content. */
  size?: number;
  linkname?: string;
  /** Changes the finished header, after its checksum. */
  damage?: (header: Buffer) => void;
}

export function rawHeader({
  name = 'file.txt',
  type = '0',
  content = '',
  size,
  linkname = '',
  damage,
}: RawEntry): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100, 'utf8');
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${(size ?? Buffer.byteLength(content)).toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156, 1, 'latin1');
  header.write(linkname, 157, 100, 'utf8');
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  damage?.(header);
  return header;
}

export function rawEntry(entry: RawEntry): Buffer {
  const body = Buffer.from(entry.content ?? '');
  return Buffer.concat([rawHeader(entry), body, Buffer.alloc(-body.length & (BLOCK - 1))]);
}

export const END = Buffer.alloc(2 * BLOCK);

export const rawTar = (entries: readonly RawEntry[], end: Uint8Array = END): Buffer =>
  Buffer.concat([...entries.map(rawEntry), end]);

/** Writes one pax record, which starts with its own length. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (length !== Buffer.byteLength(`${length}${rest}`)) length = Buffer.byteLength(`${length}${rest}`);
  return `${length}${rest}`;
}
