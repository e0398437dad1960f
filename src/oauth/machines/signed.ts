// Checks the header, the signature and the times of a token that somebody else has signed. decision: 054; RFC 8725
import {
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import { ID_TOKEN_TOLERANCE_SECONDS } from '../../login/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import { MACHINE_JWT_CHARACTERS } from './limits.ts';
import type { JwtReason } from './refusals.ts';

/** Members of a header that would let the token say which key checks it. RFC 8725 §3.10 */
const NAMES_KEYS = ['jku', 'x5u', 'jwk', 'crit'] as const;

interface Expected {
  key: JWTVerifyGetKey;
  algorithms: string[];
  /** Claims that have to be there, beside the times. */
  claims: string[];
  clock: Pick<Clock, 'now'>;
}

export async function verifySigned(
  text: string,
  { key, algorithms, claims, clock }: Expected,
): Promise<{ payload: JWTPayload } | { reason: JwtReason }> {
  const read = readHeader(text);
  if ('reason' in read) return read;
  if (!algorithms.includes(read.header.alg ?? '')) return { reason: 'algorithm' };
  try {
    const { payload } = await jwtVerify(text, key, {
      algorithms,
      clockTolerance: ID_TOKEN_TOLERANCE_SECONDS,
      currentDate: new Date(clock.now() * 1000),
      requiredClaims: [...claims, 'exp'],
    });
    const { exp = 0, iat = 0 } = payload;
    // JSON has larger numbers than a database takes.
    if (exp > Number.MAX_SAFE_INTEGER) return { reason: 'claims' };
    return iat > clock.now() + ID_TOKEN_TOLERANCE_SECONDS ? { reason: 'not-yet' } : { payload };
  } catch (error) {
    if (error instanceof errors.JOSEError) return { reason: reasonOf(error) };
    throw error;
  }
}

function readHeader(text: string): { header: ProtectedHeaderParameters } | { reason: JwtReason } {
  if (text.length > MACHINE_JWT_CHARACTERS) return { reason: 'too-long' };
  try {
    const header: ProtectedHeaderParameters = decodeProtectedHeader(text);
    if (NAMES_KEYS.some((name) => Object.hasOwn(header, name))) return { reason: 'names-keys' };
    // The type is what jose promises, not what a stranger sends.
    const { kid = '' }: { kid?: unknown } = header;
    return typeof kid === 'string' ? { header } : { reason: 'malformed' };
  } catch {
    return { reason: 'malformed' };
  }
}

function reasonOf(error: errors.JOSEError): JwtReason {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed) return error.claim === 'nbf' ? 'not-yet' : 'claims';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return 'unknown-key';
  return error instanceof errors.JOSEAlgNotAllowed ? 'algorithm' : 'malformed';
}

/** A token for several servers could be used once at each of them. */
export function isOnly(audience: unknown, expected: readonly string[]): boolean {
  const [first, ...others] = Array.isArray(audience) ? audience : [audience];
  return others.length === 0 && expected.includes(first);
}
