// SHA-256 as the runtime does it best: at once where it can, through WebCrypto elsewhere. Always lower-case hex.
export interface Digest {
  /** Of the text's UTF-8 bytes. */
  sha256(text: string): string | Promise<string>;
  /** Of bytes that come one piece after the other. */
  start(): RunningDigest;
}

export interface RunningDigest {
  /** The piece may be reused once this has resolved. */
  update(piece: Uint8Array<ArrayBuffer>): void | Promise<void>;
  hex(): string | Promise<string>;
}
