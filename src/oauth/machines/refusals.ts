// Says why a machine gets no token, in a sentence for the log and for administrators. The caller reads none of them.
// reference: Trusted issuers; Client credentials; decision: 054

export type JwtReason =
  | 'too-long'
  | 'malformed'
  | 'names-keys'
  | 'algorithm'
  | 'unknown-key'
  | 'signature'
  | 'expired'
  | 'not-yet'
  | 'claims';

export type TrustedReason =
  | JwtReason
  | 'nothing-presented'
  | 'unknown-issuer'
  | 'wrong-issuer'
  | 'wrong-audience'
  | 'no-rule'
  | 'key-over'
  | 'used-before'
  | 'unreachable'
  | 'misbehaving'
  | 'scope';

export type ClientReason =
  | JwtReason
  | 'nothing-presented'
  | 'several-ways'
  | 'unknown-client'
  | 'wrong-secret'
  | 'wrong-way'
  | 'wrong-subject'
  | 'wrong-audience'
  | 'lives-too-long'
  | 'used-before'
  | 'key-over'
  | 'scope';

export function sayReason(reason: TrustedReason | ClientReason): string {
  switch (reason) {
    case 'nothing-presented':
      return 'The request has no proof of who sends it.';
    case 'too-long':
      return 'The token is too long.';
    case 'malformed':
      return 'The token is no signed JWT.';
    case 'names-keys':
      return 'The header of the token says where its keys are (jku, x5u, jwk or crit), which only the issuer may say.';
    case 'algorithm':
      return 'The token is signed with an algorithm that does not count here, such as none or HS256.';
    case 'unknown-key':
      return 'The issuer does not publish the key that the token names.';
    case 'signature':
      return 'The signature of the token is wrong.';
    case 'expired':
      return 'The token has expired.';
    case 'not-yet':
      return 'The token is not valid yet. Check the clocks.';
    case 'claims':
      return 'The token lacks iss, sub, aud, exp or iat, or one of them has a wrong type.';
    case 'unknown-issuer':
      return 'No trusted issuer has the iss of the token.';
    case 'wrong-issuer':
      return 'The iss of the token is not spelled as the issuer spells it.';
    case 'wrong-audience':
      return 'The aud of the token is another one, or one of several.';
    case 'no-rule':
      return 'No rule of the issuer fits the subject and the claims of the token.';
    case 'key-over':
      return 'The named key has been deleted or has expired.';
    case 'used-before':
      return 'The token has been used before.';
    case 'unreachable':
      return 'The issuer cannot be reached.';
    case 'misbehaving':
      return 'The issuer publishes no keys that can be read.';
    case 'scope':
      return 'The scope is not mcp, mcp:write or mcp:read.';
    case 'several-ways':
      return 'The client proves who it is in several ways at once.';
    case 'unknown-client':
      return 'There is no such machine client.';
    case 'wrong-secret':
      return 'The secret of the client is wrong.';
    case 'wrong-way':
      return 'The client has been made for the other way: a secret or a key of its own.';
    case 'wrong-subject':
      return 'The iss and the sub of the proof must both be the id of the client.';
    case 'lives-too-long':
      return 'The proof of the client is valid for more than an hour.';
  }
}
