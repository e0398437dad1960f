// Turns each reason for refusing an identity assertion into its wire error. RFC 6749 §5.2; RFC 7523 §3.1
import { ASSERTION_SECONDS } from '../login/limits.ts';
import type { AssertionRefusal } from '../login/login.ts';
import { explainLogin } from '../login/outcome.ts';
import { failure, type TokenError } from './token-error.ts';

export type AssertionOutcomeReason =
  | AssertionRefusal
  | 'nothing-presented'
  | 'unknown-client'
  | 'other-client'
  | 'other-resource'
  | 'no-scope'
  | 'wider-scope';

const AGAIN = 'Ask the identity provider for a new one.';

export function explainAssertion(why: AssertionOutcomeReason): TokenError {
  switch (why) {
    case 'nothing-presented':
      return grant('The body must have the assertion: the ID-JAG of the identity provider for this gateway.');
    case 'too-long':
      return grant('The assertion is too long. The identity provider has to leave claims out.');
    case 'bad-assertion':
      return grant(
        `The assertion is no JWT with iss, sub, aud, iat and exp that the identity provider of this gateway has signed. ${AGAIN}`,
      );
    case 'bad-claims':
      return grant(
        'The assertion must have iss, sub, aud, client_id, jti, iat and exp, each of its usual type.',
      );
    case 'wrong-type':
      return grant(
        'The JWT must have the typ oauth-id-jag+jwt. An ID token or access token is no assertion.',
      );
    case 'wrong-issuer':
      return grant('The iss of the assertion is not the identity provider of this gateway.');
    case 'wrong-audience':
      return grant("The aud of the assertion must be exactly the issuer in this gateway's metadata.");
    case 'assertion-expired':
      return grant(`The assertion has expired. ${AGAIN}`);
    case 'from-the-future':
      return grant('The iat of the assertion is in the future. Check the clock of the identity provider.');
    case 'lives-too-long':
      return grant(`The assertion may be valid for ${ASSERTION_SECONDS} seconds at most after its iat.`);
    case 'used-before':
      return grant(`The assertion has been used before. ${AGAIN}`);
    case 'other-client':
      return grant('The client_id of the assertion is another client than the client_id of the body.');
    case 'other-resource':
      return grant('The resource of the assertion is another server than this gateway.');
    case 'unknown-client':
      return {
        ...failure(
          'invalid_client',
          'The client is not known here. Register, or use the address of a document.',
        ),
        status: 401,
      };
    case 'no-scope':
      return scope('The scope of the assertion must have mcp, mcp:write or mcp:read.');
    case 'wider-scope':
      return scope('The scope must be mcp, mcp:write or mcp:read, and no wider than that of the assertion.');
    case 'unreachable':
    case 'misbehaving':
      return {
        ...failure('temporarily_unavailable', explainLogin({ reason: why })),
        status: 503,
      };
    case 'not-enabled':
      return failure('unsupported_grant_type', 'This gateway has no identity provider for assertions.');
    default:
      return grant(explainLogin({ reason: why }));
  }
}

const grant = (description: string): TokenError => failure('invalid_grant', description);
const scope = (description: string): TokenError => failure('invalid_scope', description);
