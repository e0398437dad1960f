// Reads the public key of a machine client. RFC 7517; RFC 8725 §3.1; reference: Client credentials
import { base64url, importJWK, type JWK } from 'jose';
import * as z from 'zod';
import { RSA_BITS } from '../../login/issuer-keys.ts';

const part = z.string().regex(/^[A-Za-z0-9_-]{1,1024}$/);
const common = { kid: z.string().max(255).exactOptional() };

const PublicKey = z.discriminatedUnion('kty', [
  z.object({ kty: z.literal('RSA'), n: part, e: part, ...common }),
  z.object({ kty: z.literal('EC'), crv: z.enum(['P-256', 'P-384', 'P-521']), x: part, y: part, ...common }),
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: part, ...common }),
]);

export const parseKey = (text: string): JWK => PublicKey.parse(JSON.parse(text));

const OF_CURVE = new Map([
  ['P-256', 'ES256'],
  ['P-384', 'ES384'],
  ['P-521', 'ES512'],
]);

/** The key decides the algorithm, and no key fits HS256 or none. */
export function algorithmsOf({ kty, crv = '' }: JWK): string[] {
  if (kty === 'RSA') return ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
  if (kty === 'OKP') return ['EdDSA', 'Ed25519'];
  return [OF_CURVE.get(crv) ?? []].flat();
}

/** What a client may sign with, in the metadata. */
export const CLIENT_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];

const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;

/** Returns the key as it is stored, or why it cannot be used. */
export async function readPublicKey(
  jwk: Readonly<Record<string, unknown>>,
): Promise<{ stored: string } | { problem: string }> {
  if (PRIVATE.some((member) => Object.hasOwn(jwk, member)))
    return { problem: 'has the private half. Send the public half only, and make a new key' };
  const parsed = PublicKey.safeParse(jwk);
  if (!parsed.success)
    return { problem: 'must be a public JWK: RSA, EC on P-256, P-384 or P-521, or OKP with Ed25519' };
  const [algorithm = ''] = algorithmsOf(parsed.data);
  try {
    const key = await importJWK(parsed.data, algorithm);
    const isShort =
      !(key instanceof Uint8Array) &&
      'modulusLength' in key.algorithm &&
      Number(key.algorithm.modulusLength) < RSA_BITS;
    if (isShort) return { problem: `must have at least ${RSA_BITS} bits` };
    if (parsed.data.kty === 'RSA' && !isExponent(parsed.data.e))
      return { problem: 'has an exponent with which everybody could sign' };
  } catch {
    return { problem: 'cannot be read as a key' };
  }
  return { stored: JSON.stringify(parsed.data) };
}

/** With the exponent 1 a signature is its own text. No pair of keys has an even one. RFC 8017 §3.1 */
function isExponent(text: string): boolean {
  const exponent = base64url.decode(text).reduce((sum, byte) => sum * 256 + byte, 0);
  return exponent >= 3 && exponent % 2 === 1;
}
