// Chance from WebCrypto, on every runtime.
import type { Random } from '../../src/ports/random.ts';

export function createSystemRandom(): Random {
  return {
    bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    uuid: () => crypto.randomUUID(),
  };
}
