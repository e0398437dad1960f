// Runs a real OpenID provider on loopback, with its development sign-in pages, at the root or under a path.
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type Account, Provider } from 'oidc-provider';
import { startHttpServer } from './http-server.ts';

export interface OidcOptions {
  /** The path of the issuer on its host. */
  path?: string;
  redirectUri: string;
  /** Returns the claims of an account; the default is a verified e-mail address made of its name. */
  claims?: (login: string) => Record<string, unknown>;
}

export interface Oidc {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The queries of the authorization requests so far. */
  asked: URLSearchParams[];
  /** Signs claims with the provider's published key. */
  sign(claims: JWTPayload, header?: { typ?: string }): Promise<string>;
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
    // Puts the e-mail address into the ID token, as common providers do.
    conformIdTokenClaims: false,
    cookies: { keys: ['a key for tests'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    pkce: { required: () => false },
    // These lifetimes are long enough for tests that move the gateway's clock but not the provider's.
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
      // This provider has no account chooser, so its sign-in page replaces it.
      if (url.searchParams.get('prompt') === 'select_account') url.searchParams.set('prompt', 'login');
    }
    const target = `${url.pathname}${url.search}`;
    // oidc-provider expects its mounted path in `url` and the whole path in `originalUrl`.
    Object.assign(request, { originalUrl: target, url: target.slice(path.length) });
    void callback(request, response);
  });
  return {
    issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    asked,
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(privateKey),
    close: () => server.close(),
  };
}
