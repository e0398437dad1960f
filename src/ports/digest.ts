// Computes SHA-256 and HMAC-SHA-256 synchronously. WebCrypto would wait for a thread of the pool at every call.
export interface Digest {
  /** Hashes the text's UTF-8 bytes, as lower-case hex. */
  sha256(text: string): string;
  /** Hashes bytes that arrive in pieces. */
  start(): RunningDigest;
  /** Returns the HMAC-SHA-256 of the text as base64url. Key and text are UTF-8. */
  hmac(key: string, text: string): string;
}

export interface RunningDigest {
  /** The caller may reuse the piece afterwards. */
  update(piece: Uint8Array): void;
  hex(): string;
}
