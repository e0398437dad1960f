// Verifies the gateway's own signed tokens: HS256, one issuer, its own clock. Without an expected audience the caller checks
// it. decision: 038
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { createLru } from '../memory/lru.ts';
import type { Clock } from '../ports/clock.ts';

type Expected = { issuer: string; audience?: string; clockTolerance?: number };

/** Returns null when the token is invalid or expired. */
export async function verifyJwt(
  token: string,
  key: CryptoKey,
  clock: Clock,
  expected: Expected,
): Promise<JWTPayload | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      ...expected,
      algorithms: ['HS256'],
      currentDate: new Date(clock.now() * 1000),
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

const MAX_VERIFIED_TOKENS = 1_000;

/** Caches verified tokens that come with many calls: it checks the signature once, and the expiry at each call. */
export function createVerifier<Grant>(
  key: CryptoKey,
  clock: Clock,
  expected: Expected,
  read: (claims: JWTPayload) => Grant | null,
): (token: string) => Grant | null | Promise<Grant | null> {
  const verified = createLru<{ grant: Grant; expires: number }>(MAX_VERIFIED_TOKENS);

  async function check(token: string): Promise<Grant | null> {
    const claims = await verifyJwt(token, key, clock, expected);
    const grant = claims === null ? null : read(claims);
    if (grant !== null) verified.set(token, { grant, expires: claims?.exp ?? 0 }, 1);
    return grant;
  }

  return function verify(token) {
    const known = verified.get(token);
    if (known === undefined) return check(token);
    return known.expires > clock.now() ? known.grant : null;
  };
}
