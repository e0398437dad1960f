// Runs a real OpenID provider on loopback, with its development sign-in pages, at the root or under a path.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { type Account, interactionPolicy, Provider } from 'oidc-provider';
import { startHttpServer } from './http-server.ts';

export interface OidcOptions {
  /** The path of the issuer on its host. */
  path?: string;
  redirectUris: string[];
  /** Returns the claims of an account; the default is a verified e-mail address made of its name. */
  claims?: (login: string, use: 'id_token' | 'userinfo') => Record<string, unknown>;
  /** Whether it has a page where people choose the account, and lists its prompts. Without one it refuses such a request. */
  hasChooser?: boolean;
  /** Whether it has its own defaults: then only userinfo has the e-mail address. */
  hasDefaults?: boolean;
}

export interface Oidc {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The queries of the authorization requests so far. */
  asked: URLSearchParams[];
  /** Signs claims with the provider's published key. */
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
  close(): Promise<void>;
}

const DAY = 86_400;
const byName = (login: string) => ({ email: `${login}@example.com`, email_verified: true });

function policyWithChooser() {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}

const CHOOSER = {
  interactions: { policy: policyWithChooser() },
  discovery: { prompt_values_supported: ['none', 'login', 'consent', 'select_account'] },
};

/** Returns false for an interaction that the pages of the provider handle. */
async function showChooser(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { prompt } = await provider.interactionDetails(request, response);
  if (prompt.name !== 'select_account') return false;
  if (request.method === 'POST') {
    let body = '';
    for await (const chunk of request) body += chunk;
    const accountId = new URLSearchParams(body).get('login');
    await provider.interactionFinished(request, response, { select_account: {}, login: { accountId } });
    return true;
  }
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<h1>Choose an account</h1><form method="post" action=""><input name="login" /></form>');
  return true;
}

export async function startOidc({
  path = '',
  redirectUris,
  claims = byName,
  hasChooser = false,
  hasDefaults = false,
}: OidcOptions): Promise<Oidc> {
  const server = await startHttpServer();
  const issuer = `http://127.0.0.1:${server.port}${path}`;
  const client = { client_id: 'gateway', client_secret: 'the secret of the gateway' };
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: redirectUris, token_endpoint_auth_method: 'client_secret_post' }],
    // Without this line it knows no e-mail addresses at all.
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    // Puts the e-mail address into the ID token, as common providers do.
    ...(hasDefaults ? {} : { conformIdTokenClaims: false, pkce: { required: () => false } }),
    cookies: { keys: ['a key for tests'] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    ...(hasChooser ? CHOOSER : {}),
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
      claims: (use) => ({ sub: login, ...claims(login, use) }),
    }),
  });
  const callback = provider.callback();
  const asked: URLSearchParams[] = [];

  server.answer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === `${path}/auth`) asked.push(url.searchParams);
    const target = `${url.pathname}${url.search}`;
    // oidc-provider expects its mounted path in `url` and the whole path in `originalUrl`.
    Object.assign(request, { originalUrl: target, url: target.slice(path.length) });
    if (hasChooser && url.pathname.startsWith(`${path}/interaction/`))
      return void answerInteraction(request, response);
    void callback(request, response);
  });
  async function answerInteraction(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!(await showChooser(provider, request, response))) await callback(request, response);
  }
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
