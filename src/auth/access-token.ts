// MCP access tokens, as the authorization server issues them. spec: Session tokens; Credentials
import { SignJWT } from 'jose';
import type { Clock } from '../ports/clock.ts';
import { verifyJwt } from './session.ts';

export interface AccessTokens {
  issue(grant: { userId: string; clientId: string; scope: string }): Promise<string>;
  /** Null when the token is not a live access token of this server. */
  verify(token: string): Promise<{ userId: string; clientId: string; scope: string } | null>;
}

export function createAccessTokens(
  key: CryptoKey,
  clock: Clock,
  base: string,
  lifetimeSeconds: number,
): AccessTokens {
  const audience = `${base}/mcp`;
  return {
    issue({ userId, clientId, scope }) {
      const now = clock.now();
      return new SignJWT({ scope, client_id: clientId, token_type: 'oauth' })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(userId)
        .setIssuer(base)
        .setAudience(audience)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeSeconds)
        .sign(key);
    },

    async verify(token) {
      const payload = await verifyJwt(token, key, clock, { issuer: base, audience });
      if (payload?.['token_type'] !== 'oauth') return null;
      const { sub, scope, client_id: clientId } = payload;
      if (typeof sub !== 'string' || typeof scope !== 'string' || typeof clientId !== 'string') return null;
      return { userId: sub, clientId, scope };
    },
  };
}
