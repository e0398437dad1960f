// bcrypt in plain JavaScript, for runtimes that have neither threads nor compiled WebAssembly.
import { compare, hash as bcrypt } from 'bcrypt-ts/browser';
import type { Hasher } from '../../src/ports/hasher.ts';
import { COST, isBcryptHash, whyUnhashable } from './bcrypt-rules.ts';

export function createPortableHasher(): Hasher {
  return {
    async hash(secret) {
      const refusal = whyUnhashable(secret);
      if (refusal !== null) throw new Error(refusal);
      // Replaces lone surrogates: the library's encoder and the platform's would turn them into different
      // bytes.
      return bcrypt(secret.toWellFormed(), COST);
    },
    async verify(secret, hash) {
      if (whyUnhashable(secret) !== null || !isBcryptHash(hash)) return false;
      return compare(secret.toWellFormed(), hash);
    },
    close: async () => {},
  };
}
