// Tests that the digest returns SHA-256 in lower-case hex, and HMAC in base64url.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';

describe('system digest', () => {
  const digest = createNodeDigest();

  // The first value is from FIPS 180-2, appendix B.1; the others are from coreutils' sha256sum.
  it.each([
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['ä€𝄞', '8119dd09487f1de241b90065fcb5b9f07e04d877b9593da1a9eff9688d9093aa'],
  ])('hashes %j', (text, hex) => {
    expect(digest.sha256(text)).toBe(hex);
  });

  it('hashes chunks like the whole, even if the chunks are overwritten later', () => {
    const running = digest.start();
    for (const piece of ['a', '', 'bc'].map((text) => new TextEncoder().encode(text))) {
      running.update(piece);
      piece.fill(0);
    }
    expect(running.hex()).toBe(digest.sha256('abc'));
  });

  // The first row is test case 2 of RFC 4231; the second is an empty text under a key that is not ASCII.
  it.each([
    [
      'Jefe',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    ],
    ['ä€𝄞', '', null],
  ])('computes the HMAC with the key %j of %j', (key, text, hex) => {
    const expected = hex ?? createHmac('sha256', key).update(text).digest('hex');
    expect(digest.hmac(key, text)).toBe(Buffer.from(expected, 'hex').toString('base64url'));
  });
});
