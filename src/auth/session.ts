// Issues and verifies portal sessions: HS256, 24 hours, five seconds of tolerance. reference: Session tokens
import { SignJWT } from 'jose';
import { SESSION_SECONDS, SESSION_TOLERANCE_SECONDS } from './limits.ts';
import type { Clock } from '../ports/clock.ts';
import { verifyJwt } from './jwt.ts';

const NAME = 'service';

interface VerifiedSession {
  userId: string;
  email: string;
  issuedAt: number;
  expiresAt: number;
}

export interface Sessions {
  issue(user: { id: string; email: string }): Promise<string>;
  /** Returns null when the token is not a live portal session. */
  verify(token: string): Promise<VerifiedSession | null>;
}

export function createSessions({ clock, signingKey }: { clock: Clock; signingKey: CryptoKey }): Sessions {
  return {
    issue(user) {
      const now = clock.now();
      return new SignJWT({ email: user.email })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(user.id)
        .setIssuer(NAME)
        .setAudience(NAME)
        .setIssuedAt(now)
        .setExpirationTime(now + SESSION_SECONDS)
        .sign(signingKey);
    },

    async verify(token) {
      const payload = await verifyJwt(token, signingKey, clock, {
        issuer: NAME,
        audience: NAME,
        clockTolerance: SESSION_TOLERANCE_SECONDS,
      });
      if (typeof payload?.sub !== 'string' || typeof payload['email'] !== 'string') return null;
      const { sub: userId, iat: issuedAt = 0, exp: expiresAt = 0 } = payload;
      return { userId, email: payload['email'], issuedAt, expiresAt };
    },
  };
}
