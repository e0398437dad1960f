// Unpacks gzip while reading. Zero bytes after the archive are padding; other trailing bytes and damage are errors.
export type Gunzip = (
  packed: AsyncIterable<Uint8Array<ArrayBuffer>>,
) => AsyncIterable<Uint8Array<ArrayBuffer>>;
