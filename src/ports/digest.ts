// SHA-256 as the runtime does it best: at once where it can, through WebCrypto elsewhere.
export interface Digest {
  /** Lower-case hex of the SHA-256 of the text's UTF-8 bytes. */
  sha256(text: string): string | Promise<string>;
}
