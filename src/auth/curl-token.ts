// Curl-session tokens: a key of their own, and in them only what they may do. design: M11
import { SignJWT } from 'jose';
import { deriveSigningKey } from '../crypto/signing-key.ts';
import { createLru } from '../lru.ts';
import type { Clock } from '../ports/clock.ts';
import { verifyJwt } from './session.ts';

const NAME = 'service-curl';
const VERIFIED = 1_000;

// spec: Curl proxy
export const CURL_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

export interface CurlGrant {
  userId: string;
  integrations: readonly string[];
  /** Absent: every method. */
  methods?: readonly string[] | undefined;
  /** Absent: every path. */
  pathPrefix?: string | undefined;
}

export interface CurlTokens {
  issue(grant: CurlGrant, lifetimeSeconds: number): Promise<string>;
  verify(token: string): Promise<CurlGrant | null>;
}

export async function createCurlTokens(secret: string, clock: Clock): Promise<CurlTokens> {
  // None of the other tokens can pass for one of these.
  const key = await deriveSigningKey(secret, NAME);
  // One client makes many calls with one token: its signature is looked at once, its time at each call.
  const verified = createLru<{ grant: CurlGrant; expires: number }>(VERIFIED);
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

    async verify(token) {
      const known = verified.get(token);
      if (known !== undefined) return known.expires > clock.now() ? known.grant : null;
      const payload = await verifyJwt(token, key, clock, { issuer: NAME, audience: NAME });
      if (typeof payload?.sub !== 'string' || !isTexts(payload['int'])) return null;
      const { met, pre } = payload;
      const grant: CurlGrant = {
        userId: payload.sub,
        integrations: payload['int'],
        methods: isTexts(met) ? met : undefined,
        pathPrefix: typeof pre === 'string' ? pre : undefined,
      };
      verified.set(token, { grant, expires: payload.exp ?? 0 }, 1);
      return grant;
    },
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
