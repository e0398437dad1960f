// Checks an identity assertion (ID-JAG): with it the idp lets a client act for a person without a sign-in here.
// reference: Identity assertions; decision: 017; draft-ietf-oauth-identity-assertion-authz-grant
import * as z from 'zod';
import { ASSERTION_CHARACTERS, ASSERTION_SECONDS, ID_TOKEN_TOLERANCE_SECONDS } from './limits.ts';
import type { Ports } from '../ports/ports.ts';
import { type Discovery, withoutSlash } from './discovery.ts';
import { type Identity, readIdentity, verifySigned } from './id-token.ts';
import type { AccountReason } from './outcome.ts';
import type { ProviderSettings } from './providers.ts';

/** The reasons for refusing an assertion itself. */
export type AssertionReason =
  | 'too-long'
  | 'bad-assertion'
  | 'bad-claims'
  | 'wrong-type'
  | 'wrong-issuer'
  | 'wrong-audience'
  | 'assertion-expired'
  | 'from-the-future'
  | 'lives-too-long'
  | 'used-before';

// A longer value would not fit a database index.
const name = z.string().min(1).max(255);

const Claims = z.looseObject({
  iss: z.string(),
  sub: name,
  client_id: z.string().min(1),
  jti: name,
  iat: z.number(),
  exp: z.number(),
  resource: z.union([z.string(), z.array(z.string())]).default([]),
  scope: z.string().optional(),
});

export type AssertionClaims = z.infer<typeof Claims>;

const TYPE = 'oauth-id-jag+jwt';

export async function verifyAssertion(
  text: string,
  expected: { issuer: string; audience: string },
  discovery: Pick<Discovery, 'key'>,
  clock: Pick<Ports['clock'], 'now'>,
): Promise<{ claims: AssertionClaims } | { reason: AssertionReason }> {
  if (text.length > ASSERTION_CHARACTERS) return { reason: 'too-long' };
  const signed = await verifySigned(text, discovery, clock);
  if ('reason' in signed)
    return { reason: signed.reason === 'expired' ? 'assertion-expired' : 'bad-assertion' };
  // RFC 7515 §4.1.9; RFC 8725 §3.11: the provider signs ID tokens with the same keys
  if (signed.type?.toLowerCase().replace(/^application\//, '') !== TYPE) return { reason: 'wrong-type' };
  const parsed = Claims.safeParse(signed.claims);
  if (!parsed.success) return { reason: 'bad-claims' };
  const claims = parsed.data;
  if (claims.iss !== expected.issuer) return { reason: 'wrong-issuer' };
  if (!isOnly(claims['aud'], expected.audience)) return { reason: 'wrong-audience' };
  if (claims.iat > clock.now() + ID_TOKEN_TOLERANCE_SECONDS) return { reason: 'from-the-future' };
  if (claims.exp > claims.iat + ASSERTION_SECONDS) return { reason: 'lives-too-long' };
  return { claims };
}

/** An assertion for several servers could be used once at each of them. */
function isOnly(audience: unknown, expected: string): boolean {
  const [first, ...others] = Array.isArray(audience) ? audience : [audience];
  return first === expected && others.length === 0;
}

/** An assertion without an e-mail address is about a person who has signed in before: their address is known. */
export async function readPerson(
  { users }: Pick<Ports['store'], 'users'>,
  claims: AssertionClaims,
  settings: ProviderSettings,
): Promise<{ identity: Identity } | { reason: AssertionReason | AccountReason | 'no-email' }> {
  const user = claims['email'] === undefined ? await users.bySubject(subjectOf(claims, settings)) : null;
  const known = user === null ? claims : { ...claims, email: user.email, email_verified: true };
  const read = readIdentity(known, settings, claims.iss);
  if ('reason' in read) return { reason: read.reason === 'bad-id-token' ? 'bad-claims' : read.reason };
  const isVerified = user === null ? read.identity.isVerified : user.unverified_since === null;
  return { identity: { ...read.identity, isVerified } };
}

const subjectOf = ({ iss, sub }: AssertionClaims, { name: provider }: ProviderSettings) => ({
  provider,
  issuer: withoutSlash(iss),
  subject: sub,
});
