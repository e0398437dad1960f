// Randomness from WebCrypto, on every runtime. Bytes are drawn in advance, because a small draw costs as much
// as a large one.
import type { Random } from '../../src/ports/random.ts';

const POOL_BYTES = 2_048;
const MAX_POOLED_BYTES = 64;

export function createSystemRandom(): Random {
  let drawn = new Uint8Array(0);
  let used = 0;

  return {
    bytes(length) {
      if (length > MAX_POOLED_BYTES) return crypto.getRandomValues(new Uint8Array(length));
      if (used + length > drawn.length) {
        drawn = crypto.getRandomValues(new Uint8Array(POOL_BYTES));
        used = 0;
      }
      const bytes = drawn.slice(used, used + length);
      // Erases the bytes that were handed out: they are secrets now.
      drawn.fill(0, used, used + length);
      used += length;
      return bytes;
    },
    uuid: () => crypto.randomUUID(),
  };
}
