// SHA-256 and its HMAC through WebCrypto, where nothing answers at once.
import { base64url } from 'jose';
import type { Digest } from '../../src/ports/digest.ts';

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

export function createWebDigest(): Digest {
  const utf8 = new TextEncoder();
  const digest = async (bytes: Uint8Array<ArrayBuffer>) => {
    const hashed = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hashed, (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  return {
    sha256: (text) => digest(utf8.encode(text)),
    // WebCrypto knows no running digest: the pieces are kept, so callers bound what they feed.
    start() {
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      return {
        update: (piece) => void pieces.push(piece.slice()),
        hex: async () => digest(new Uint8Array(await new Blob(pieces).arrayBuffer())),
      };
    },
    async hmac(key, text) {
      const imported = await crypto.subtle.importKey('raw', utf8.encode(key), HMAC, false, ['sign']);
      const signature = await crypto.subtle.sign('HMAC', imported, utf8.encode(text));
      return base64url.encode(new Uint8Array(signature));
    },
  };
}
