// SHA-256 at once, on Node.
import { createHash, hash } from 'node:crypto';
import type { Digest } from '../../src/ports/digest.ts';

export function createNodeDigest(): Digest {
  return {
    sha256: (text) => hash('sha256', text),
    start() {
      const running = createHash('sha256');
      return { update: (piece) => void running.update(piece), hex: () => running.digest('hex') };
    },
  };
}
