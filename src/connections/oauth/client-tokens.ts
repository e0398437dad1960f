// Gets tokens for the OAuth client of a person: the first one when it is entered, and another one when that ends. RFC 6749 §4.4
import * as oauth from 'oauth4webapi';
import type { Egress, Fetcher } from '../../egress/door.ts';
import type { Integration } from '../../kit/integration.ts';
import type { ClientExchange, OAuth2Block } from '../../kit/manifest.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ClientTokens } from '../model/client-tokens.ts';
import type { ConnectionConfig } from '../model/config.ts';
import { prepareRequest, requestTokens, type TokenAnswer } from './oauth-client.ts';
import type { Provider } from './provider.ts';

/** How the client authenticated, and what it asked for, when it got its first token. */
const CLIENT_AUTH = 'client_auth';
const CLIENT_SCOPE = 'client_scope';

type Authentication = Extract<OAuth2Block['clientAuth'], 'basic' | 'post'>;

interface Request {
  authentication: Authentication;
  scope: string;
}

export function createClientTokens({
  clock,
  egress,
}: Pick<Ports, 'clock'> & { egress: Egress }): ClientTokens {
  return {
    async first(integration, exchange, config, secret) {
      const request: Request = { authentication: 'basic', scope: exchange.scopes.join(' ') };
      const ask = () => send(egress, integration, exchange, config, secret, request);
      let asked = await ask();
      // RFC 6749 §2.3.1: a server must know the header, and some read the body only.
      if (asked.refusal?.isOfClient === true) {
        request.authentication = 'post';
        const again = await ask();
        if (again.refusal?.isOfClient !== true) asked = again;
      }
      // The client may have fewer scopes than the description lists. RFC 6749 §3.3: the server then chooses.
      if (asked.refusal?.code === 'invalid_scope' && request.scope !== '') {
        request.scope = '';
        asked = await ask();
      }
      const { answer } = asked;
      switch (answer.kind) {
        case 'reconnect':
          return { kind: 'refused', message: answer.message };
        case 'later':
          return { kind: asked.refusal?.isAnswer === true ? 'refused' : 'later', message: answer.message };
        case 'tokens': {
          const { accessToken, expiresIn, scope } = answer.tokens;
          return {
            kind: 'granted',
            grant: {
              accessToken,
              expiresAt: expiresIn === null ? null : clock.now() + expiresIn,
              scopes: scope ?? request.scope,
              config: {
                ...config,
                [CLIENT_AUTH]: request.authentication,
                [CLIENT_SCOPE]: request.scope,
              },
            },
          };
        }
      }
    },
  };
}

/** Asks for another token, in the way that has worked before. */
export async function askAsClient(
  egress: Fetcher,
  integration: Integration,
  exchange: ClientExchange,
  config: ConnectionConfig,
  secret: string,
): Promise<TokenAnswer> {
  const authentication = config[CLIENT_AUTH] === 'post' ? 'post' : 'basic';
  const scope = config[CLIENT_SCOPE] ?? '';
  const { answer } = await send(egress, integration, exchange, config, secret, { authentication, scope });
  // The secret stays the same, whatever the provider adds. RFC 6749 §4.4.3
  return answer.kind === 'tokens'
    ? { kind: 'tokens', tokens: { ...answer.tokens, refreshToken: null } }
    : answer;
}

interface Asked {
  answer: TokenAnswer;
  /**
   * What the provider said when it refused. `isOfClient`: it did not accept how the client authenticated. `isAnswer`: it
   * was not in trouble.
   */
  refusal?: { code: string; isOfClient: boolean; isAnswer: boolean };
}

const NOT_THE_CLIENT = new Set(['invalid_scope', 'unsupported_grant_type', 'temporarily_unavailable']);
const FINAL = new Set(['invalid_client', 'unauthorized_client', 'access_denied', 'invalid_grant']);

async function send(
  egress: Fetcher,
  { displayName }: Integration,
  exchange: ClientExchange,
  { client_id: clientId = '' }: ConnectionConfig,
  clientSecret: string,
  { authentication: clientAuth, scope }: Request,
): Promise<Asked> {
  const { tokenUrl, scopes } = exchange;
  const provider: Provider = {
    block: { type: 'oauth2', authorizeUrl: '', tokenUrl, scopes, clientAuth },
    displayName,
    authorizeUrl: '',
    tokenUrl,
    refreshUrl: tokenUrl,
    clientId,
    clientSecret,
    redirectUri: '',
    found: {
      issuer: new URL(tokenUrl).origin,
      sendsIssuer: false,
      resource: null,
      revokeUrl: null,
      client: 'given',
    },
  };
  const { server, client, authentication, options } = prepareRequest(egress, provider, tokenUrl);
  const parameters = new URLSearchParams(scope === '' ? {} : { scope });
  const asked: Pick<Asked, 'refusal'> = {};
  const answer = await requestTokens(
    provider,
    [],
    async () =>
      oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, options),
      ),
    ({ error: code, status }) => {
      const isUnauthorized = status === 401 && !NOT_THE_CLIENT.has(code);
      asked.refusal = {
        code,
        isAnswer: status < 500 && status !== 429,
        isOfClient: isUnauthorized || code === 'invalid_client' || code === 'invalid_request',
      };
      return isUnauthorized || FINAL.has(code);
    },
  );
  return { answer, ...asked };
}
