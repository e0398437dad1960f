// MCP access tokens, as the authorization server issues them. spec: Session tokens; Credentials
import { base64url } from 'jose';
import type { Deps } from '../deps.ts';
import { createLru } from '../lru.ts';
import { verifyJwt } from './session.ts';

interface Grant {
  userId: string;
  clientId: string;
  scope: string;
}

export interface AccessTokens {
  issue(grant: Grant): string;
  /** Null when the token is not a live access token of this server. */
  verify(token: string): Promise<Grant | null>;
}

type Needs = Pick<Deps, 'clock' | 'config' | 'digest'>;

// RFC 7515 §3.1: {"alg":"HS256"}
const HEADER = 'eyJhbGciOiJIUzI1NiJ9';
const VERIFIED = 1_000;

export function createAccessTokens({ clock, config, digest }: Needs, key: CryptoKey): AccessTokens {
  const { SERVER_PUBLIC_URL: base, SESSION_SECRET, OAUTH_ACCESS_TOKEN_TTL_SECONDS: lifetime } = config;
  const audience = `${base}/mcp`;
  // A client comes with one token for an hour: its signature is looked at once, its time at each call.
  const verified = createLru<{ grant: Grant; expires: number }>(VERIFIED);
  return {
    // Put together here, not by jose: through WebCrypto each token would wait for a thread of the pool.
    issue({ userId, clientId, scope }) {
      const iat = clock.now();
      const claims = { sub: userId, scope, client_id: clientId, token_type: 'oauth' };
      const payload = JSON.stringify({ ...claims, iss: base, aud: audience, iat, exp: iat + lifetime });
      const signed = `${HEADER}.${base64url.encode(payload)}`;
      return `${signed}.${digest.hmac(SESSION_SECRET, signed)}`;
    },

    async verify(token) {
      const known = verified.get(token);
      if (known !== undefined) return known.expires > clock.now() ? known.grant : null;
      const payload = await verifyJwt(token, key, clock, { issuer: base, audience });
      if (payload?.['token_type'] !== 'oauth') return null;
      const { sub, scope, client_id: clientId } = payload;
      if (typeof sub !== 'string' || typeof scope !== 'string' || typeof clientId !== 'string') return null;
      const grant = { userId: sub, clientId, scope };
      verified.set(token, { grant, expires: payload.exp ?? 0 }, 1);
      return grant;
    },
  };
}
