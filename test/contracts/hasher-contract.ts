// Tests what every password hasher must do. bcrypt at cost 10 is slow, so the tests make few calls.
import { afterAll, describe, expect, it } from 'vitest';
import type { Hasher } from '../../src/ports/hasher.ts';

/** The bcrypt hash of `correct horse` at cost 4, without its version prefix. */
const FOREIGN = '04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e';

export function hasherContract(name: string, create: () => Hasher): void {
  describe(`hasher: ${name}`, () => {
    const hasher = create();
    afterAll(() => hasher.close());

    it('verifies the secret that it hashed and refuses others', async () => {
      const hash = await hasher.hash('correct horse');
      expect(hash).toMatch(/^\$2[aby]\$10\$.{53}$/);
      expect(await hasher.verify('correct horse', hash)).toBe(true);
      expect(await hasher.verify('correct hors', hash)).toBe(false);
      expect(await hasher.verify('', hash)).toBe(false);
    });

    it('salts, so the same secret never hashes to the same text', async () => {
      expect(await hasher.hash('twice')).not.toBe(await hasher.hash('twice'));
    });

    it.each(['$2a$', '$2b$', '$2y$'])('verifies a hash with the prefix %s', async (version) => {
      expect(await hasher.verify('correct horse', version + FOREIGN)).toBe(true);
      expect(await hasher.verify('wrong horse', version + FOREIGN)).toBe(false);
    });

    it.each([
      '',
      'plain',
      '$2a$10$short',
      `$2x$${FOREIGN}`,
      `$2a$99${FOREIGN.slice(2)}`,
      `$2a$03${FOREIGN.slice(2)}`,
      `$2a$${FOREIGN}x`,
      `$2a$${FOREIGN.replace('a', '!')}`,
      `$2a$${FOREIGN}\n`,
    ])('treats the malformed hash %j as a wrong secret', async (hash) => {
      expect(await hasher.verify('correct horse', hash)).toBe(false);
    });

    it('accepts 72 bytes of UTF-8 and refuses 73', async () => {
      const longest = 'ä'.repeat(36);
      expect(await hasher.verify(longest, await hasher.hash(longest))).toBe(true);
      await expect(hasher.hash(`${longest}x`)).rejects.toThrow('longer than 72 bytes');
      expect(await hasher.verify(`${longest}x`, await hasher.hash(longest))).toBe(false);
    });

    it('refuses an empty secret', async () => {
      await expect(hasher.hash('')).rejects.toThrow('empty');
    });

    it('answers each of 20 concurrent calls correctly', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          hasher.verify(n % 3 === 0 ? 'correct horse' : `wrong ${n}`, `$2b$${FOREIGN}`),
        ),
      );
      expect(answers).toEqual(answers.map((_, n) => n % 3 === 0));
    });
  });
}
