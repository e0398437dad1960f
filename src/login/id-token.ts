// Checks an ID token, in the documented order. reference: Portal sign-in; decision: 016
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { inLowerCase, MAX_EMAIL_LENGTH } from '../auth/email.ts';
import { ID_TOKEN_TOLERANCE_SECONDS } from './limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { Subject } from '../ports/store.ts';
import { type Discovery, withoutSlash } from './discovery.ts';
import { type Groups, readGroups } from './groups.ts';
import type { IdTokenReason } from './outcome.ts';
import type { ProviderSettings } from './providers.ts';

// Accepts neither shared secrets nor `none`.
export const SIGNED_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
];

// OpenID Connect Core §2. A longer value would not fit a database index.
const MAX_SUBJECT_LENGTH = 255;

export interface Identity extends Subject {
  email: string;
  /** Whether the provider is believed that the address belongs to the person. */
  isVerified: boolean;
  /** Null where groups decide nothing. */
  groups: Groups | null;
}

type IdentityReason = Extract<IdTokenReason, 'bad-id-token' | 'no-email' | 'unverified-email'>;

export type Verified = { claims: JWTPayload } | { reason: IdTokenReason };

export async function verifyIdToken(
  token: string,
  expected: { provider: ProviderSettings; issuer: string; nonce: string },
  discovery: Pick<Discovery, 'key'>,
  clock: Pick<Clock, 'now'>,
): Promise<Verified> {
  const { provider, issuer, nonce } = expected;
  const payload = await verifySigned(token, discovery, clock);
  if ('reason' in payload) return payload;
  const { claims } = payload;
  if (!issuerSpellings(issuer, provider).includes(claims.iss ?? '')) return { reason: 'wrong-issuer' };
  if (!isFor(claims, provider.clientId)) return { reason: 'wrong-audience' };
  if (claims['nonce'] !== nonce) return { reason: 'wrong-nonce' };
  return { claims };
}

/** Reads who a signed token is about. */
export function readIdentity(
  claims: JWTPayload,
  provider: ProviderSettings,
  issuer: string,
): { identity: Identity } | { reason: IdentityReason } {
  // jose checks that the claim is present, not its type.
  const subject: unknown = claims.sub;
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT_LENGTH)
    return { reason: 'bad-id-token' };
  const email = hasEmail(claims) ? inLowerCase(claims['email'].trim()) : '';
  if (email === '' || email.length > MAX_EMAIL_LENGTH) return { reason: 'no-email' };
  const verification = verificationOf(claims['email_verified'], provider);
  if (verification === 'refused') return { reason: 'unverified-email' };
  const who = { provider: provider.name, issuer: withoutSlash(issuer), subject };
  const groups = provider.groups === null ? null : readGroups(claims, provider.groups);
  return { identity: { ...who, email, isVerified: verification === 'verified', groups } };
}

export const hasEmail = (claims: JWTPayload): claims is JWTPayload & { email: string } =>
  typeof claims['email'] === 'string' && claims['email'].trim() !== '';

/** Checks the signature and the time. */
export async function verifySigned(
  token: string,
  discovery: Pick<Discovery, 'key'>,
  clock: Pick<Clock, 'now'>,
): Promise<{ claims: JWTPayload; type: string | undefined } | { reason: 'expired' | 'bad-id-token' }> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, discovery.key, {
      algorithms: SIGNED_ALGORITHMS,
      clockTolerance: ID_TOKEN_TOLERANCE_SECONDS,
      currentDate: new Date(clock.now() * 1000),
      requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat'],
    });
    return { claims: payload, type: protectedHeader.typ };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { reason: 'expired' };
    if (error instanceof errors.JOSEError) return { reason: 'bad-id-token' };
    throw error;
  }
}

function issuerSpellings(issuer: string, { bareIssuer }: ProviderSettings): string[] {
  return bareIssuer ? [issuer, issuer.replace(/^https?:\/\//, '')] : [issuer];
}

// OpenID Connect Core §3.1.3.7: with several audiences the authorized party names the client
function isFor({ aud, azp }: JWTPayload, clientId: string): boolean {
  if (typeof aud === 'string') return aud === clientId;
  // Like the subject, the claim is present but may have any type.
  return Array.isArray(aud) && aud.includes(clientId) && (aud.length === 1 || azp === clientId);
}

// Some providers send the boolean as text.
function verificationOf(claim: unknown, { silence }: ProviderSettings): ProviderSettings['silence'] {
  if (claim === undefined) return silence;
  return claim === true || claim === 'true' ? 'verified' : 'refused';
}
