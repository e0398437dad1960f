// Speaks OAuth to every provider: oauth4webapi implements the protocol, and the manifest says where a provider differs.
import * as oauth from 'oauth4webapi';
import type { Fetcher } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import { createOAuthRequests, type OAuthInit, type OAuthRequests } from '../../egress/oauth-requests.ts';
import type { Provider } from './provider.ts';
import { normaliseTokenAnswer } from './token-answer.ts';
import { redact } from '../../http/redact.ts';

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** Seconds. Null when the provider names no lifetime. */
  expiresIn: number | null;
  scope: string | null;
  /** Absent unless the provider names the account. */
  account?: string;
  /** The host of the API. Absent unless the manifest says where the response has it. */
  apiHost?: string;
}

export type TokenAnswer =
  | { kind: 'tokens'; tokens: Tokens }
  /** The grant has ended: the person has to connect again. */
  | { kind: 'reconnect'; message: string }
  /**
   * The provider, the network or the operator's set-up failed. A later try may succeed. `isClientForgotten`: the provider
   * does not know the client that the gateway registered there.
   */
  | { kind: 'later'; message: string; isClientForgotten?: true };

/** The endpoints are those of a manifest, or of a sign-in that has checked them. */
const LIMITS = { timeoutMs: 15_000, maxBytes: 1024 * 1024, redirects: 0, allowsHttp: true };
// The code of RFC 6749 §5.2, and those that GitHub, Slack and Google answer instead.
const GRANT_ENDED = new Set([
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'token_revoked',
  'token_expired',
  'bad_verification_code',
  'invalid_code',
  'code_already_used',
]);

/** Atlassian and Bitbucket answer another code when a refresh token has ended, so their description is read too. */
function hasGrantEnded({ error, status }: oauth.ResponseBodyError, why: string): boolean {
  if (GRANT_ENDED.has(error)) return true;
  return status < 500 && /refresh[ _]token/i.test(why) && /invalid|expired|revoked|unknown/i.test(why);
}

export interface Challenge {
  state: string;
  codeChallenge: string;
}

export function authorizeUrl(provider: Provider, { state, codeChallenge }: Challenge): string {
  const { block } = provider;
  const url = new URL(provider.authorizeUrl);
  const parameters: Record<string, string> = {
    client_id: provider.clientId,
    redirect_uri: provider.redirectUri,
    response_type: 'code',
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...block.authorizeParameters,
  };
  const resource = provider.found?.resource ?? null;
  if (resource !== null) parameters['resource'] = resource;
  if (block.scopes.length > 0)
    parameters[block.scopeParameter ?? 'scope'] = block.scopes.join(block.scopeSeparator ?? ' ');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

export type CheckedCallback = { ok: true; callback: URLSearchParams } | { ok: false; message: string };

/** Checks what a browser brought back. The caller has already taken the state from the store. RFC 9207 §2.4 */
export function checkCallback(provider: Provider, parameters: URLSearchParams): CheckedCallback {
  const { displayName } = provider;
  const rest = new URLSearchParams([...parameters].filter(([name]) => name !== 'state'));
  try {
    const server = describeServer(provider, provider.tokenUrl);
    const client = { client_id: provider.clientId };
    const callback = oauth.validateAuthResponse(server, client, rest, oauth.expectNoState);
    if (callback.has('code')) return { ok: true, callback };
    return {
      ok: false,
      message: 'The sign-in came back without its code or state. Start connecting again.',
    };
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      return { ok: false, message: describeDenial(displayName, error.error_description ?? error.error) };
    if (
      !(error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
    )
      throw error;
    return {
      ok: false,
      message: `The answer to this sign-in did not come from the provider of ${displayName}, so nothing was connected. Start connecting again; if this happens again, do not use ${displayName} and tell the person who added it.`,
    };
  }
}

export const describeDenial = (displayName: string, words: string): string =>
  `${displayName} did not grant access: ${words.slice(0, 300)}`;

/** `callback` was checked by `checkCallback`. */
export async function exchangeCode(
  egress: Fetcher,
  provider: Provider,
  callback: URLSearchParams,
  verifier: string,
): Promise<TokenAnswer> {
  const { server, client, authentication, options } = prepareRequest(egress, provider, provider.tokenUrl);
  return requestTokens(provider, [callback.get('code') ?? '', verifier], async () => {
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      callback,
      provider.redirectUri,
      verifier,
      { ...options, additionalParameters: resourceOf(provider) },
    );
    return oauth.processAuthorizationCodeResponse(server, client, answer);
  });
}

export async function refreshTokens(
  egress: Fetcher,
  provider: Provider,
  refreshToken: string,
): Promise<TokenAnswer> {
  const { server, client, authentication, options } = prepareRequest(egress, provider, provider.refreshUrl);
  const again = provider.block.refreshWithRedirectUri === true ? { redirect_uri: provider.redirectUri } : {};
  return requestTokens(provider, [refreshToken], async () => {
    const answer = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, {
      ...options,
      additionalParameters: { ...again, ...resourceOf(provider) },
    });
    return oauth.processRefreshTokenResponse(server, client, answer);
  });
}

// RFC 8707 §2.2
function resourceOf({ found }: Provider): Record<string, string> {
  const resource = found?.resource ?? null;
  return resource === null ? {} : { resource };
}

function describeServer({ found }: Provider, endpoint: string): oauth.AuthorizationServer {
  return {
    issuer: found?.issuer ?? new URL(endpoint).origin,
    token_endpoint: endpoint,
    authorization_response_iss_parameter_supported: found?.sendsIssuer ?? false,
  };
}

export function prepareRequest(egress: Fetcher, provider: Provider, endpoint: string) {
  const { block } = provider;
  const requests = createOAuthRequests(egress, LIMITS);
  const send: OAuthRequests['fetch'] = async (url, init) => {
    const asked = block.tokenBody === 'json' ? asJson(init) : init;
    const response = await requests.fetch(url, asked);
    return normaliseTokenAnswer(
      response.status,
      response.headers.get('content-type') ?? '',
      await response.text(),
      block,
    );
  };
  return {
    server: describeServer(provider, endpoint),
    client: { client_id: provider.clientId },
    authentication: authenticate(provider),
    options: { ...requests, [oauth.customFetch]: send },
  };
}

/** For providers that take JSON in place of a form. */
const asJson = ({ body, headers, ...init }: OAuthInit): OAuthInit => ({
  ...init,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(Object.fromEntries(new URLSearchParams(String(body)))),
});

/** The header of a client with a secret. */
export function basicAuthorization({ clientId, clientSecret, found }: Provider): string {
  const parts = [clientId, clientSecret ?? ''];
  // RFC 6749 §2.3.1 percent-encodes both parts first, but none of the providers in our manifests decodes them.
  return `Basic ${btoa((found === undefined ? parts : parts.map(encodeURIComponent)).join(':'))}`;
}

function authenticate(provider: Provider): oauth.ClientAuth {
  const { block, clientId, clientSecret } = provider;
  return (_server, _client, body, headers) => {
    switch (block.clientAuth) {
      case 'basic':
        headers.set('authorization', basicAuthorization(provider));
        break;
      case 'post':
        body.set('client_id', clientId);
        body.set('client_secret', clientSecret ?? '');
        break;
      case 'none':
        body.set('client_id', clientId);
        break;
    }
  };
}

/** `hasEnded` says whether a refusal is final, by the code of RFC 6749 §5.2 or the status. */
export async function requestTokens(
  provider: Provider,
  secrets: readonly string[],
  work: () => Promise<oauth.TokenEndpointResponse>,
  hasEnded: (refusal: oauth.ResponseBodyError, why: string) => boolean = hasGrantEnded,
): Promise<TokenAnswer> {
  const { displayName, clientSecret } = provider;
  try {
    const answer = await work();
    const { access_token, refresh_token, expires_in, scope, account, api_host: apiHost } = answer;
    const tokens = {
      accessToken: access_token,
      refreshToken: refresh_token ?? null,
      expiresIn: expires_in ?? null,
      scope: scope ?? null,
      ...(typeof account === 'string' ? { account } : {}),
      ...(typeof apiHost === 'string' ? { apiHost } : {}),
    };
    return { kind: 'tokens', tokens };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      const why = error.error_description ?? '';
      const kind = hasEnded(error, why) ? 'reconnect' : 'later';
      const [code, shown] = [error.error, why].map((text) => redact(text, [...secrets, clientSecret ?? '']));
      const message = `${displayName} refused: ${code}${shown ? ` (${shown.slice(0, 300)})` : ''}`;
      // RFC 6749 §5.2
      const isClientForgotten = error.error === 'invalid_client' && provider.found?.client === 'registered';
      return isClientForgotten ? { kind: 'later', message, isClientForgotten } : { kind, message };
    }
    if (error instanceof EgressFailure) return { kind: 'later', message: error.message };
    if (
      error instanceof oauth.OperationProcessingError ||
      error instanceof oauth.WWWAuthenticateChallengeError
    ) {
      return { kind: 'later', message: `${displayName} sent a response that could not be understood` };
    }
    throw error;
  }
}
