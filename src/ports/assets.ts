// Serves the built portal's files by path. An absent file is null. A driver never reads outside its root.
export interface Asset {
  body: Uint8Array<ArrayBuffer>;
  /** The gzipped body, where it is smaller. */
  gzip?: Uint8Array<ArrayBuffer>;
  contentType: string;
  /** True when the name contains a hash of the content, so that it may be cached for ever. */
  immutable: boolean;
}

export interface Assets {
  get(path: string): Promise<Asset | null>;
}
