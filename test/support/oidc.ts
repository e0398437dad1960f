// A real OpenID provider on loopback, with its development log-in pages, at the root or under a path.
import { exportJWK, generateKeyPair } from 'jose';
import { type Account, Provider } from 'oidc-provider';
import { startHttpServer } from './http-server.ts';

export interface OidcOptions {
  /** Where the issuer lives on its host. */
  path?: string;
  redirectUri: string;
  /** What an account says about itself; by default a verified address made of its name. */
  claims?: (login: string) => Record<string, unknown>;
}

export interface Oidc {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The queries of the authorization requests it was sent. */
  asked: URLSearchParams[];
  close(): Promise<void>;
}

const DAY = 86_400;
const byName = (login: string) => ({ email: `${login}@example.com`, email_verified: true });

export async function startOidc({ path = '', redirectUri, claims = byName }: OidcOptions): Promise<Oidc> {
  const server = await startHttpServer();
  const issuer = `http://127.0.0.1:${server.port}${path}`;
  const client = { client_id: 'gateway', client_secret: 'the secret of the gateway' };
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [redirectUri], token_endpoint_auth_method: 'client_secret_post' }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // So that the e-mail address is in the ID token, as it is with the providers people use.
    conformIdTokenClaims: false,
    cookies: { keys: ['a key for tests'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    pkce: { required: () => false },
    // Long enough for tests that move the gateway's clock and not the provider's.
    ttl: {
      AccessToken: DAY,
      AuthorizationCode: 60,
      Grant: DAY,
      IdToken: DAY,
      Interaction: DAY,
      Session: DAY,
    },
    findAccount: (_: unknown, login: string): Account => ({
      accountId: login,
      claims: () => ({ sub: login, ...claims(login) }),
    }),
  });
  const callback = provider.callback();
  const asked: URLSearchParams[] = [];

  server.answer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === `${path}/auth`) {
      asked.push(url.searchParams);
      // Its log-in page stands in for the chooser of accounts, which it does not have.
      if (url.searchParams.get('prompt') === 'select_account') url.searchParams.set('prompt', 'login');
    }
    const target = `${url.pathname}${url.search}`;
    // A mounted application finds its own path in `url`, and the whole one here.
    Object.assign(request, { originalUrl: target, url: target.slice(path.length) });
    void callback(request, response);
  });
  return {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    asked,
    close: () => server.close(),
  };
}
