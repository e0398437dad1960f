// SHA-256 and HMAC through node:crypto, which Workers support too.
import { createHash, createHmac, hash } from 'node:crypto';
import type { Digest } from '../../src/ports/digest.ts';

export function createNodeDigest(): Digest {
  return {
    sha256: (text) => hash('sha256', text),
    start() {
      const running = createHash('sha256');
      return { update: (piece) => void running.update(piece), hex: () => running.digest('hex') };
    },
    hmac: (key, text) => createHmac('sha256', key).update(text).digest('base64url'),
  };
}
