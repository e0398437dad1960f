// SHA-256 at once, on Node.
import { hash } from 'node:crypto';
import type { Digest } from '../../src/ports/digest.ts';

export function createNodeDigest(): Digest {
  return { sha256: (text) => hash('sha256', text) };
}
