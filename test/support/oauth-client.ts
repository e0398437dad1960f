// Performs an MCP client's part of the OAuth flow by hand, for tests that check or change single steps.
import { createHash, randomBytes } from 'node:crypto';
import type { TestApp, TestUser } from './test-app.ts';

export const CALLBACK = 'https://client.example/app/callback';

export const s256 = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

type Target = Pick<TestApp, 'request'>;

export async function register(
  app: Target,
  body: unknown = { client_name: 'A client', redirect_uris: [CALLBACK] },
): Promise<Response> {
  return app.request('/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export async function registered(app: Target, ...redirectUris: string[]): Promise<string> {
  const redirect_uris = redirectUris.length === 0 ? [CALLBACK] : redirectUris;
  return (await (await register(app, { client_name: 'A client', redirect_uris })).json()).client_id;
}

export const authorizeQuery = (
  client_id: string,
  changes: Record<string, string | undefined> = {},
): string => {
  const query = {
    client_id,
    response_type: 'code',
    redirect_uri: CALLBACK,
    code_challenge: s256('v'.repeat(43)),
    code_challenge_method: 'S256',
    state: 'the state of the client',
    ...changes,
  };
  return `/authorize?${new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )}`;
};

export interface TokenAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { access_token: string; refresh_token: string; error: string };
}

export async function token(app: Target, fields: Record<string, string>): Promise<TokenAnswer> {
  const response = await app.request('/token', { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export interface Code {
  code: string;
  client_id: string;
  redirect_uri: string;
  code_verifier: string;
}

/** Issues a code as a sign-in would. */
export async function issueCode(
  app: TestApp,
  user: Pick<TestUser, 'id'>,
  client_id: string,
  code_verifier = randomBytes(32).toString('base64url'),
): Promise<Code> {
  const code = randomBytes(32).toString('hex');
  await app.deps.store.codes.put({
    code,
    client_id,
    user_id: user.id,
    redirect_uri: CALLBACK,
    code_challenge: s256(code_verifier),
    scope: 'mcp',
    resource: `${app.deps.config.SERVER_PUBLIC_URL}/mcp`,
    expires_at: app.deps.clock.now() + 60,
  });
  return { code, client_id, redirect_uri: CALLBACK, code_verifier };
}

export async function connected(
  app: TestApp,
  user: Pick<TestUser, 'id'>,
  client_id: string,
): Promise<TokenAnswer['body']> {
  const { body } = await token(app, {
    grant_type: 'authorization_code',
    ...(await issueCode(app, user, client_id)),
  });
  return body;
}

export const refresh = (app: Target, client_id: string, refresh_token: string): Promise<TokenAnswer> =>
  token(app, { grant_type: 'refresh_token', client_id, refresh_token });
