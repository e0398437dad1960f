// What every password hasher promises. bcrypt at cost 10 is slow: few calls, each for a reason.
import { afterAll, describe, expect, it } from 'vitest';
import type { Hasher } from '../../src/ports/hasher.ts';

/** bcrypt of `correct horse`, cost 4, under each of its three names. */
const FOREIGN = '04$abcdefghijklmnopqrstuujydOTSfIH/d5oUHpsygqV5X9xJLQc6e';

export function hasherContract(name: string, create: () => Hasher): void {
  describe(`hasher: ${name}`, () => {
    const hasher = create();
    afterAll(() => hasher.close());

    it('verifies what it hashed, and nothing else', async () => {
      const hash = await hasher.hash('correct horse');
      expect(hash).toMatch(/^\$2[aby]\$10\$.{53}$/);
      expect(await hasher.verify('correct horse', hash)).toBe(true);
      expect(await hasher.verify('correct hors', hash)).toBe(false);
      expect(await hasher.verify('', hash)).toBe(false);
    });

    it('salts: the same secret never hashes to the same text', async () => {
      expect(await hasher.hash('twice')).not.toBe(await hasher.hash('twice'));
    });

    it.each(['$2a$', '$2b$', '$2y$'])('verifies hashes named %s', async (version) => {
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
    ])('takes the malformed hash %j for a wrong secret', async (hash) => {
      expect(await hasher.verify('correct horse', hash)).toBe(false);
    });

    it('hashes 72 bytes and refuses 73, counted in UTF-8', async () => {
      const longest = 'ä'.repeat(36);
      expect(await hasher.verify(longest, await hasher.hash(longest))).toBe(true);
      await expect(hasher.hash(`${longest}x`)).rejects.toThrow('longer than 72 bytes');
      expect(await hasher.verify(`${longest}x`, await hasher.hash(longest))).toBe(false);
    });

    it('refuses an empty secret', async () => {
      await expect(hasher.hash('')).rejects.toThrow('empty');
    });

    it('answers 20 calls at once, each its own', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          hasher.verify(n % 3 === 0 ? 'correct horse' : `wrong ${n}`, `$2b$${FOREIGN}`),
        ),
      );
      expect(answers).toEqual(answers.map((_, n) => n % 3 === 0));
    });
  });
}
