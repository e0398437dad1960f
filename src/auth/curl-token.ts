// Issues and verifies curl-session tokens. They have a key of their own and carry what they may do. decision: 024
import { SignJWT } from 'jose';
import { deriveSigningKey } from '../crypto/signing-key.ts';
import type { Clock } from '../ports/clock.ts';
import { createVerifier } from './jwt.ts';

const NAME = 'service-curl';

// The methods that the proxy forwards. reference: Curl proxy
export const CURL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export interface CurlGrant {
  userId: string;
  integrations: readonly string[];
  /** Absent allows every method. */
  methods?: readonly string[] | undefined;
  /** Absent allows every path. */
  pathPrefix?: string | undefined;
}

export interface CurlTokens {
  issue(grant: CurlGrant, lifetimeSeconds: number): Promise<string>;
  verify(token: string): Promise<CurlGrant | null>;
}

export async function createCurlTokens(secret: string, clock: Clock): Promise<CurlTokens> {
  // A key of its own keeps every other token from passing as a curl-session token.
  const key = await deriveSigningKey(secret, NAME);
  return {
    issue({ userId, integrations, methods, pathPrefix }, lifetimeSeconds) {
      const now = clock.now();
      return new SignJWT({ int: integrations, met: methods, pre: pathPrefix })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(userId)
        .setIssuer(NAME)
        .setAudience(NAME)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(key);
    },

    verify: createVerifier(key, clock, { issuer: NAME, audience: NAME }, ({ sub, int, met, pre }) => {
      if (typeof sub !== 'string' || !isTexts(int)) return null;
      return {
        userId: sub,
        integrations: int,
        methods: isTexts(met) ? met : undefined,
        pathPrefix: typeof pre === 'string' ? pre : undefined,
      };
    }),
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
