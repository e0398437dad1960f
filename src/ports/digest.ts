// SHA-256 and its HMAC as the runtime does them best: at once where it can, through WebCrypto elsewhere.
export interface Digest {
  /** Of the text's UTF-8 bytes, in lower-case hex. */
  sha256(text: string): string | Promise<string>;
  /** Of bytes that come one piece after the other. */
  start(): RunningDigest;
  /** Base64url of the HMAC-SHA-256 of the text under the key, both as UTF-8. */
  hmac(key: string, text: string): string | Promise<string>;
}

export interface RunningDigest {
  /** The piece may be reused once this has resolved. */
  update(piece: Uint8Array<ArrayBuffer>): void | Promise<void>;
  hex(): string | Promise<string>;
}
