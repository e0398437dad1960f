// SHA-256 through WebCrypto, where nothing answers at once.
import type { Digest } from '../../src/ports/digest.ts';

export function createWebDigest(): Digest {
  const utf8 = new TextEncoder();
  return {
    sha256: async (text) => new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text))).toHex(),
  };
}
