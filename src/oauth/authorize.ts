// Checks an authorization request, one check per line in the documented order. reference: Authorization requests
import type { OAuthErrorCode } from '../http/error-codes.ts';
import type { OAuthClient } from '../ports/records.ts';
import { AUTHORIZE_REQUEST_BYTES, CLIENT_STATE_BYTES } from './limits.ts';
import type { Clients } from './clients.ts';
import type { ConsentChoice } from './consent-choice.ts';
import { isRegistered } from './redirect-uris.ts';

export interface AuthorizeRequest {
  client_id: string;
  redirect_uri: string;
  code_challenge: string;
  scope: string;
  state: string | null;
  resource: string;
  /** What the person has chosen on the consent page; absent without the page. */
  choice?: ConsentChoice;
}

export type AuthorizeReason =
  | 'unknown-client'
  | 'response-type'
  | 'redirect-uri'
  | 'challenge'
  | 'scope'
  | 'resource'
  | 'state'
  | 'repeated-parameter'
  | 'length';

type Checked = { request: AuthorizeRequest; client: OAuthClient } | { reason: AuthorizeReason };

interface Asked {
  query: URLSearchParams;
  client: OAuthClient;
  base: string;
}
type AuthorizeCheck = (asked: Asked) => AuthorizeReason | null;

const responseTypeIsCode: AuthorizeCheck = ({ query }) =>
  query.get('response_type') === 'code' ? null : 'response-type';

const redirectUriIsRegistered: AuthorizeCheck = ({ query, client }) =>
  isRegistered(query.get('redirect_uri') ?? '', client.redirect_uris) ? null : 'redirect-uri';

// RFC 7636 §4.3; OAuth 2.1 allows only S256
const challengeIsS256: AuthorizeCheck = ({ query }) =>
  /^[\w.~-]{1,128}$/.test(query.get('code_challenge') ?? '') && query.get('code_challenge_method') === 'S256'
    ? null
    : 'challenge';

// RFC 6749 §3.3
const scopeIsReadable: AuthorizeCheck = ({ query }) =>
  /^[\x20\x21\x23-\x5b\x5d-\x7e]{0,1000}$/.test(query.get('scope') ?? '') ? null : 'scope';

// decision: 020
const resourceIsOurs: AuthorizeCheck = ({ query, base }) =>
  isOurResource(query.get('resource'), base) ? null : 'resource';

// The state travels sealed to the provider and back. decision: 023
const stateIsShort: AuthorizeCheck = ({ query }) =>
  bytesOf(query.get('state') ?? '') <= CLIENT_STATE_BYTES ? null : 'state';

// RFC 6749 §3.1
const parametersStandOnce: AuthorizeCheck = ({ query }) =>
  new Set(query.keys()).size === query.size ? null : 'repeated-parameter';

const CHECKS: readonly AuthorizeCheck[] = [
  responseTypeIsCode,
  redirectUriIsRegistered,
  challengeIsS256,
  scopeIsReadable,
  resourceIsOurs,
  stateIsShort,
  parametersStandOnce,
];

export async function checkAuthorize(
  query: URLSearchParams,
  base: string,
  clients: Pick<Clients, 'resolve'>,
): Promise<Checked> {
  const clientId = query.get('client_id') ?? '';
  const client = clientId === '' ? null : await clients.resolve(clientId);
  if (client === null) return { reason: 'unknown-client' };
  for (const check of CHECKS) {
    const reason = check({ query, client, base });
    if (reason !== null) return { reason };
  }
  const request = {
    client_id: client.client_id,
    redirect_uri: query.get('redirect_uri') ?? '',
    code_challenge: query.get('code_challenge') ?? '',
    scope: query.get('scope') || 'mcp',
    state: query.get('state'),
    resource: query.get('resource') || `${base}/mcp`,
  };
  return isTooLong(request) ? { reason: 'length' } : { request, client };
}

/** Whether a request is longer than the browser can carry. reference: Authorize tickets */
export const isTooLong = (request: AuthorizeRequest): boolean =>
  bytesOf(JSON.stringify(request)) > AUTHORIZE_REQUEST_BYTES;

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

export function isOurResource(resource: string | null, base: string): boolean {
  if (resource === null || resource === '') return true;
  return URL.canParse(resource) && new URL(resource).origin === new URL(base).origin;
}

export interface WireError {
  error: OAuthErrorCode;
  error_description: string;
}

export function explainAuthorize(reason: AuthorizeReason): WireError {
  switch (reason) {
    case 'unknown-client':
      return invalid(
        'This gateway does not know the application (client_id). Remove it there and connect it again.',
      );
    case 'response-type':
      return { error: 'unsupported_response_type', error_description: 'response_type must be code.' };
    case 'redirect-uri':
      return invalid('The application asks for an address that it did not register (redirect_uri).');
    case 'challenge':
      return invalid('The application must send a code_challenge with code_challenge_method S256.');
    case 'scope':
      return invalid('The scope has an invalid format.');
    case 'resource':
      return invalid('The application asks for another server (resource) than this gateway.');
    case 'state':
      return invalid(`The state may have at most ${CLIENT_STATE_BYTES} bytes.`);
    case 'length':
      return invalid('The request is too long: redirect_uri, scope, state and resource together.');
    case 'repeated-parameter':
      return invalid('A parameter occurs more than once.');
  }
}

const invalid = (error_description: string): WireError => ({ error: 'invalid_request', error_description });
