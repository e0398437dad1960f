// SHA-256 and its HMAC, at once: WebCrypto's would wait for a thread of the pool at every call.
export interface Digest {
  /** Of the text's UTF-8 bytes, in lower-case hex. */
  sha256(text: string): string;
  /** Of bytes that come one piece after the other. */
  start(): RunningDigest;
  /** Base64url of the HMAC-SHA-256 of the text under the key, both as UTF-8. */
  hmac(key: string, text: string): string;
}

export interface RunningDigest {
  /** The piece may be reused afterwards. */
  update(piece: Uint8Array): void;
  hex(): string;
}
