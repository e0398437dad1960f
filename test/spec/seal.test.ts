// Tests encryption at rest. decision: 024, what is encrypted at rest
import { createCipheriv, createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { fromHex, toHex } from '../../src/crypto/encoding.ts';
import { createSeal, type Place } from '../../src/crypto/seal.ts';

const OLD = '0123456789abcdef'.repeat(4);
const NEW = 'fedcba9876543210'.repeat(4);
const random = createSystemRandom();
const place: Place = ['user', 'github', 'access_token'];
const TEXT = 'gho_token ünï 😀';

it('reads hexadecimal in either case', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const hex of [toHex(bytes), toHex(bytes).toUpperCase()]) expect(fromHex(hex)).toEqual(bytes);
});

describe('a sealed text', () => {
  it('opens again, and never looks the same twice', async () => {
    const seal = await createSeal([NEW], random);
    const [one, two] = [await seal.seal(TEXT, place), await seal.seal(TEXT, place)];
    expect(one).not.toBe(two);
    expect(one).not.toContain('gho_');
    expect([await seal.open(one, place), await seal.open(two, place)]).toEqual([TEXT, TEXT]);
    expect(await seal.open(await seal.seal('', place), place)).toBe('');
  });

  it.each<Place>([
    ['other', 'github', 'access_token'],
    ['user', 'gitlab', 'access_token'],
    ['user', 'github', 'refresh_token'],
    ['usergithub', '', 'access_token'],
  ])('does not open at another place: %s %s %s', async (...other) => {
    const seal = await createSeal([NEW], random);
    expect(await seal.open(await seal.seal(TEXT, place), other)).toBeNull();
  });

  it('opens under the previous key, and not without it', async () => {
    const sealed = await (await createSeal([OLD], random)).seal(TEXT, place);
    expect(await (await createSeal([NEW, OLD], random)).open(sealed, place)).toBe(TEXT);
    expect(await (await createSeal([NEW], random)).open(sealed, place)).toBeNull();
  });

  // Pins the stored form: the format of the text, and that its key is the 32 bytes of ENCRYPTION_KEY.
  it('is AES-256-GCM under ENCRYPTION_KEY, names the key by a digest, and is bound to its place', async () => {
    const iv = Buffer.alloc(12, 7);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(NEW, 'hex'), iv);
    cipher.setAAD(Buffer.from('["user","github","access_token"]'));
    const sealed = Buffer.concat([iv, cipher.update(TEXT), cipher.final(), cipher.getAuthTag()]);
    const id = createHash('sha256').update(`service key id ${NEW}`).digest('hex').slice(0, 8);
    const stored = `v1.${id}.${sealed.toString('base64url')}`;

    const fixed = { ...random, bytes: (count: number) => new Uint8Array(count).fill(7) };
    const seal = await createSeal([NEW], fixed);
    expect([await seal.open(stored, place), await seal.seal(TEXT, place)]).toEqual([TEXT, stored]);
    expect(seal.isCurrent(stored)).toBe(true);
    expect(await seal.open(stored.replace('v1.', 'v2.'), place)).toBeNull();
  });

  it('is sealed with the current key', async () => {
    const sealed = await (await createSeal([NEW, OLD], random)).seal(TEXT, place);
    expect(await (await createSeal([NEW], random)).open(sealed, place)).toBe(TEXT);
  });

  it('does not open when a single character has changed', async () => {
    const seal = await createSeal([NEW], random);
    const sealed = await seal.seal(TEXT, place);
    for (let index = 0; index < sealed.length - 1; index++) {
      const damaged = sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1);
      expect(await seal.open(damaged, place)).toBeNull();
    }
  });

  it.each(['', 'x', 'v1', 'v1..', 'v2.a.b', 'v1.%.%', 'cookie-auth'])(
    'is distinguished from plain text: %j',
    async (text) => {
      expect(await (await createSeal([NEW], random)).open(text, place)).toBeNull();
    },
  );
});
