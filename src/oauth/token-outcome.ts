// Lists the outcomes of the token endpoint, and turns each reason into its wire error. decision: 020
import { type AssertionOutcomeReason, explainAssertion } from './assertion-outcome.ts';
import type { ClientRefusal } from './machines/client-grant.ts';
import type { TrustedRefusal } from './machines/trusted-grant.ts';
import { failure, type TokenError } from './token-error.ts';

export interface IssuedTokens {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  /** Absent for an assertion: the client gets a new assertion instead. */
  refresh_token?: string;
  scope: string;
}

export type TokenReason =
  | 'malformed'
  | 'other-resource'
  | 'unsupported-grant'
  | 'nothing-presented'
  /** Neither the client nor what it presents is known, so it should register again. */
  | 'unknown-client'
  | 'unknown'
  | 'expired'
  /** The body has no client id. */
  | 'no-client'
  | 'other-client'
  | 'other-redirect-uri'
  | 'wrong-verifier'
  | 'reused'
  | 'no-user'
  /** The time that the person has allowed the client is over. */
  | 'grant-over';

/** `assertion`: an identity assertion is refused. The other two are machines. */
export type TokenRefusal =
  | { reason: TokenReason }
  | { reason: 'assertion'; why: AssertionOutcomeReason }
  | ClientRefusal
  | TrustedRefusal;
export type TokenOutcome = { tokens: IssuedTokens } | TokenRefusal;

export function explainToken(refusal: TokenRefusal): TokenError {
  switch (refusal.reason) {
    case 'assertion':
      return explainAssertion(refusal.why);
    case 'machine-client':
      return explainClient(refusal);
    case 'trusted-issuer':
      return explainTrusted(refusal);
    case 'malformed':
      return failure('invalid_request', 'The body must be a form, with each field once.');
    case 'other-resource':
      return failure('invalid_request', 'The resource is another server than this gateway.');
    case 'unsupported-grant':
      return failure('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
    case 'nothing-presented':
      return failure('invalid_grant', 'The body must have the code or refresh_token of its grant.');
    case 'unknown-client':
      return { ...failure('invalid_client', 'The client is not known here. Register again.'), status: 401 };
    case 'unknown':
      return failure('invalid_grant', 'The code or token is not known here, or has been used.');
    case 'expired':
      return failure('invalid_grant', 'The code or token has expired.');
    case 'no-client':
      return failure(
        'invalid_grant',
        'The body must name its client_id: clients have no secret here, and Authorization is not read.',
      );
    case 'other-client':
      return failure('invalid_grant', 'The code or token belongs to another client, or has expired.');
    case 'other-redirect-uri':
      return failure('invalid_grant', 'The redirect_uri is not the one the code was sent to.');
    case 'wrong-verifier':
      return failure('invalid_grant', 'The code_verifier does not match the code_challenge.');
    case 'reused':
      return failure('invalid_grant', 'The refresh token has been used before.');
    case 'no-user':
      return failure('invalid_grant', 'The person who granted this has no account here any more.');
    case 'grant-over':
      return failure('invalid_grant', 'The access that the person granted has expired. Sign in again.');
  }
}

const SCOPES = 'The scope must be mcp, mcp:write or mcp:read.';

/** Says nothing of a client that has not proved who it is. decision: 054 */
function explainClient({ why, basic }: ClientRefusal): TokenError {
  switch (why) {
    case 'scope':
      return failure('invalid_scope', SCOPES);
    case 'several-ways':
      return failure('invalid_request', 'The client must prove who it is in one way.');
    case 'key-over':
      return failure(
        'invalid_grant',
        'The named key of this client has ended. An administrator can make another client.',
      );
    default:
      return {
        ...failure('invalid_client', 'The client is not known, or has not proved who it is.'),
        status: 401,
        // RFC 6749 §5.2
        ...(basic ? { headers: { 'WWW-Authenticate': 'Basic realm="token"' } } : {}),
      };
  }
}

/** A stranger must not learn which issuers and subjects count here. decision: 054 */
function explainTrusted({ why }: TrustedRefusal): TokenError {
  switch (why) {
    case 'scope':
      return failure('invalid_scope', SCOPES);
    case 'unreachable':
    case 'misbehaving':
      return {
        ...failure('temporarily_unavailable', 'The issuer of the token cannot be read now. Try again.'),
        status: 503,
      };
    default:
      return { status: 400, error: 'invalid_grant' };
  }
}
