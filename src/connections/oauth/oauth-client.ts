// One OAuth client for every provider: oauth4webapi for the protocol, the manifest for what differs.
import * as oauth from 'oauth4webapi';
import type { Egress } from '../../egress/door.ts';
import { EgressFailure } from '../../egress/failure.ts';
import type { Provider } from './provider.ts';
import { normaliseTokenAnswer } from './token-answer.ts';
import { redact } from '../redact.ts';

export interface Tokens {
  accessToken: string;
  refreshToken: string | null;
  /** Seconds; null when the provider does not say. */
  expiresIn: number | null;
  scope: string | null;
}

export type TokenAnswer =
  | { kind: 'tokens'; tokens: Tokens }
  /** The grant is gone: only the person can mend it. */
  | { kind: 'reconnect'; message: string }
  /** The provider, the network or the operator's set-up: another time it may work. */
  | { kind: 'later'; message: string };

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;
// RFC 6749 §5.2, and what GitHub, Slack and Google say instead
const GONE = new Set([
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'token_revoked',
  'token_expired',
  'bad_verification_code',
  'invalid_code',
  'code_already_used',
]);

/** Some have another code for a refresh token that is gone (Atlassian, Bitbucket): then their words say it. */
function isGone({ error, status }: oauth.ResponseBodyError, why: string): boolean {
  if (GONE.has(error)) return true;
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
  if (block.scopes.length > 0)
    parameters[block.scopeParameter ?? 'scope'] = block.scopes.join(block.scopeSeparator ?? ' ');
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

export async function exchangeCode(
  egress: Egress,
  provider: Provider,
  code: string,
  verifier: string,
): Promise<TokenAnswer> {
  const { server, client, authentication, options } = set(egress, provider, provider.tokenUrl);
  // The state was taken from the store; `iss` and other extras are not this client's business.
  const callback = oauth.validateAuthResponse(
    server,
    client,
    new URLSearchParams({ code }),
    oauth.expectNoState,
  );
  return ask(provider, [code, verifier], async () => {
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      callback,
      provider.redirectUri,
      verifier,
      options,
    );
    return oauth.processAuthorizationCodeResponse(server, client, answer);
  });
}

export async function refreshTokens(
  egress: Egress,
  provider: Provider,
  refreshToken: string,
): Promise<TokenAnswer> {
  const { server, client, authentication, options } = set(egress, provider, provider.refreshUrl);
  const again = provider.block.refreshWithRedirectUri === true ? { redirect_uri: provider.redirectUri } : {};
  return ask(provider, [refreshToken], async () => {
    const answer = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, {
      ...options,
      additionalParameters: again,
    });
    return oauth.processRefreshTokenResponse(server, client, answer);
  });
}

function set(egress: Egress, provider: Provider, endpoint: string) {
  const { block } = provider;
  const options = {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url: string, init: { headers: Record<string, string>; body?: unknown }) => {
      const form = String(init.body);
      const json = block.tokenBody === 'json';
      const response = await egress.fetch(url, {
        method: 'POST',
        headers: {
          ...init.headers,
          accept: 'application/json',
          ...(json ? { 'content-type': 'application/json' } : {}),
        },
        body: json ? JSON.stringify(Object.fromEntries(new URLSearchParams(form))) : form,
        redirects: 0,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      });
      return normaliseTokenAnswer(
        response.status,
        response.headers.get('content-type') ?? '',
        await response.text(),
        block.tokenPath,
      );
    },
  };
  return {
    server: { issuer: new URL(endpoint).origin, token_endpoint: endpoint },
    client: { client_id: provider.clientId },
    authentication: authenticate(provider),
    options,
  };
}

function authenticate({ block, clientId, clientSecret }: Provider): oauth.ClientAuth {
  return (_server, _client, body, headers) => {
    switch (block.clientAuth) {
      case 'basic':
        // Not percent-encoded first, as RFC 6749 §2.3.1 has it: no provider of ours decodes it.
        headers.set('authorization', `Basic ${btoa(`${clientId}:${clientSecret ?? ''}`)}`);
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

async function ask(
  provider: Provider,
  secrets: readonly string[],
  work: () => Promise<oauth.TokenEndpointResponse>,
): Promise<TokenAnswer> {
  const { displayName, clientSecret } = provider;
  try {
    const { access_token, refresh_token, expires_in, scope } = await work();
    const tokens = {
      accessToken: access_token,
      refreshToken: refresh_token ?? null,
      expiresIn: expires_in ?? null,
      scope: scope ?? null,
    };
    return { kind: 'tokens', tokens };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      const why = error.error_description ?? '';
      const kind = isGone(error, why) ? 'reconnect' : 'later';
      const [code, shown] = [error.error, why].map((text) => redact(text, [...secrets, clientSecret ?? '']));
      return { kind, message: `${displayName} refused: ${code}${shown ? ` (${shown.slice(0, 300)})` : ''}` };
    }
    if (error instanceof EgressFailure) return { kind: 'later', message: error.message };
    if (
      error instanceof oauth.OperationProcessingError ||
      error instanceof oauth.WWWAuthenticateChallengeError
    ) {
      return { kind: 'later', message: `${displayName} gave an answer that could not be understood` };
    }
    throw error;
  }
}
