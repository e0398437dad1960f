// An administrator with a named key, and the machines that act with it.
import { makeKey, send } from './policy.ts';
import { userWithRole } from './people.ts';
import type { TestApp, TestUser } from './test-app.ts';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const SUBJECT = 'repo:acme/web:ref:refs/heads/main';

let administrators = 0;

export const administratorOf = (app: TestApp): Promise<TestUser> =>
  userWithRole(app, `administrator-${++administrators}@example.com`, 'administrator');

/** A key that may only read, with what its person has. */
export async function keyOf(app: TestApp, owner: TestUser, form: object = {}) {
  return makeKey(app, owner, { name: 'deploy', ...form });
}

export interface Asked {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { access_token: string };
}

export async function askToken(
  app: Pick<TestApp, 'request'>,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Asked> {
  const response = await app.request('/token', {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

export async function trust(app: TestApp, owner: TestUser, form: object) {
  const answer = await send(app, owner.sessionHeader, 'POST', '/api/trusted-issuers', form);
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A claim that is undefined is left out. */
export type Claims = Record<string, unknown>;

/** The claims of a token as GitHub Actions makes them. */
export function jobClaims(app: TestApp, issuer: string, changes: Claims = {}): Claims {
  const { clock, config } = app.deps;
  return {
    iss: issuer,
    aud: config.SERVER_PUBLIC_URL,
    sub: SUBJECT,
    jti: crypto.randomUUID(),
    iat: clock.now(),
    nbf: clock.now() - 5,
    exp: clock.now() + 300,
    repository: 'acme/web',
    repository_owner: 'acme',
    ref: 'refs/heads/main',
    environment: 'prod',
    ...changes,
  };
}
