// Runs oidc-provider as an integration's OAuth provider: it enforces PKCE, rotates refresh tokens, and ends
// the family on reuse.
import { exportJWK, generateKeyPair } from 'jose';
import { type Account, Provider } from 'oidc-provider';
import type { Integration } from '../../src/kit/integration.ts';
import { tool } from '../../src/kit/integration.ts';
import { startHttpServer } from './http-server.ts';

export interface StrictProvider {
  issuer: string;
  /** The grant type and status of each token request. */
  grants: { type: string; status: number }[];
  /** An integration that connects to this provider and calls it. */
  integration: Integration;
  close(): Promise<void>;
}

const DAY = 86_400;
export const STRICT_CLIENT = { id: 'gateway', secret: 'the secret of the gateway' };

export async function startStrictProvider(
  redirectUri: string,
  accessSeconds: () => number,
): Promise<StrictProvider> {
  const server = await startHttpServer();
  const issuer = `http://127.0.0.1:${server.port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: STRICT_CLIENT.id,
        client_secret: STRICT_CLIENT.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    cookies: { keys: ['a key for tests'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    ttl: {
      AccessToken: accessSeconds,
      AuthorizationCode: 60,
      Grant: DAY,
      IdToken: DAY,
      Interaction: DAY,
      RefreshToken: DAY,
      Session: DAY,
    },
    findAccount: (_: unknown, login: string): Account => ({
      accountId: login,
      claims: () => ({ sub: login }),
    }),
  });
  const callback = provider.callback();
  const grants: StrictProvider['grants'] = [];
  server.answer((request, response) => {
    if (request.url === '/token')
      response.once('finish', () => grants.push({ type: 'token', status: response.statusCode }));
    void callback(request, response);
  });

  const integration: Integration = {
    name: 'strict',
    version: '1.0.0',
    displayName: 'Strict',
    description: 'A provider that forgives nothing',
    categories: [],
    logo: null,
    auth: {
      type: 'oauth2',
      authorizeUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      scopes: ['openid'],
      clientAuth: 'basic',
      authorizeParameters: { prompt: 'consent' },
    },
    api: { base: issuer, credential: { in: 'bearer' } },
    tools: [
      tool(
        'strict_me',
        'Who the token belongs to',
        () => ({}),
        async (_args, { upstream }) => {
          const response = await upstream({ method: 'GET', path: '/me' });
          return response.ok ? response.json() : { status: response.status };
        },
      ),
    ],
  };
  return { issuer, grants, integration, close: () => server.close() };
}
