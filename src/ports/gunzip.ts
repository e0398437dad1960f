// Unpacks gzip as it is read. Zero bytes behind the archive are padding; anything else there, and damage, is an error.
export type Gunzip = (
  packed: AsyncIterable<Uint8Array<ArrayBuffer>>,
) => AsyncIterable<Uint8Array<ArrayBuffer>>;
