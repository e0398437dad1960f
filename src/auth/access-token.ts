// Issues and verifies the MCP access tokens of the authorization server. reference: Session tokens; Authentication
import { base64url, type JWTPayload } from 'jose';
import type { Ports } from '../ports/ports.ts';
import { setAt, setPath } from '../kit/set-address.ts';
import { createVerifier } from './jwt.ts';

interface Grant {
  userId: string;
  clientId: string;
  scope: string;
  /** What the client calls itself, for audit rows: a call then reads nothing for it. */
  clientName?: string | undefined;
  /** Set for a token that acts with a named key. reference: Machines; decision: 054 */
  machine?: { keyId: string; via: string } | undefined;
  /** The set that the token is for. A token without one is for everything. RFC 8707 */
  set?: string | undefined;
}

/** Keeps a long name from making every request longer. */
const MAX_NAME_CHARACTERS = 100;
/** The name of a machine has the subject of its token. */
const MAX_MACHINE_CHARACTERS = 300;
const OAUTH = 'oauth';
const MACHINE = 'machine';

export interface VerifiedGrant extends Grant {
  issuedAt: number;
  expiresAt: number;
}

export interface AccessTokens {
  /** The token expires after so many seconds, at most after `OAUTH_ACCESS_TOKEN_TTL_SECONDS`. */
  issue(grant: Grant, seconds?: number): string;
  /** Returns null when the token is not a live access token of this server. */
  verify(token: string): VerifiedGrant | null | Promise<VerifiedGrant | null>;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'digest'> & { signingKey: CryptoKey };

// This is {"alg":"HS256"}. RFC 7515 §3.1
const HEADER = 'eyJhbGciOiJIUzI1NiJ9';

export function createAccessTokens({ clock, config, digest, signingKey }: Needs): AccessTokens {
  const { SERVER_PUBLIC_URL: base, SESSION_SECRET, OAUTH_ACCESS_TOKEN_TTL_SECONDS: lifetime } = config;
  const audienceOf = (set: string | undefined) => `${base}${set === undefined ? '/mcp' : setPath(set)}`;
  return {
    // Signs without jose: WebCrypto would make each token wait for a thread of the pool.
    issue({ userId, clientId, clientName, scope, machine, set }, seconds = lifetime) {
      const iat = clock.now();
      const exp = iat + Math.min(seconds, lifetime);
      const [token_type, most] =
        machine === undefined ? [OAUTH, MAX_NAME_CHARACTERS] : [MACHINE, MAX_MACHINE_CHARACTERS];
      const client_name = clientName?.slice(0, most);
      const claims = { sub: userId, scope, client_id: clientId, client_name, token_type };
      const acting = machine === undefined ? {} : { key: machine.keyId, via: machine.via };
      const payload = JSON.stringify({ ...claims, ...acting, iss: base, aud: audienceOf(set), iat, exp });
      const signed = `${HEADER}.${base64url.encode(payload)}`;
      return `${signed}.${digest.hmac(SESSION_SECRET, signed)}`;
    },

    verify: createVerifier(signingKey, clock, { issuer: base }, (claims) => {
      const { sub, scope, aud, client_id: clientId, iat: issuedAt = 0, exp: expiresAt = 0 } = claims;
      const set = typeof aud === 'string' ? (setAt(aud, base) ?? undefined) : undefined;
      const machine = machineIn(claims);
      if (machine === null || aud !== audienceOf(set)) return null;
      if (typeof sub !== 'string' || typeof scope !== 'string' || typeof clientId !== 'string') return null;
      const name = claims['client_name'];
      return {
        userId: sub,
        clientId,
        clientName: typeof name === 'string' ? name : undefined,
        scope,
        machine,
        set,
        issuedAt,
        expiresAt,
      };
    }),
  };
}

/** Null for a token of another kind. */
function machineIn({ token_type, key, via }: JWTPayload): Grant['machine'] | null {
  if (token_type === OAUTH) return undefined;
  const isWhole = token_type === MACHINE && typeof key === 'string' && typeof via === 'string';
  return isWhole ? { keyId: key, via } : null;
}
