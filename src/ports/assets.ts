// The built portal: files by path. Absent is null; a driver never reads outside its root.
export interface Asset {
  body: Uint8Array<ArrayBuffer>;
  /** The same, packed with gzip, where that makes it smaller. */
  gzip?: Uint8Array<ArrayBuffer>;
  contentType: string;
  /** The name carries a hash of the content: it may be cached for ever. */
  immutable: boolean;
}

export interface Assets {
  get(path: string): Promise<Asset | null>;
}
