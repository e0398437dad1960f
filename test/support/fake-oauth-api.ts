// An API behind OAuth, as strict as the provider's documentation about who may ask for tokens, where and in
// which form, with the responses that its tools need.
import { createHash, randomBytes } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import { startHttpServer } from './http-server.ts';
import type { Person } from './person.ts';
import type { TestApp } from './test-app.ts';

export const CLIENT = { id: 'the-gateway', secret: 's/e+c:ret' };

export interface Rules {
  tokenPath: string;
  refreshPath: string;
  body: 'form' | 'json';
  /** How the client authenticates: by Basic unless it sends both values in the body. */
  clientAuth?: 'basic' | 'post';
  /** Whether a refresh returns a new refresh token and ends the old one. */
  rotates: boolean;
  expiresIn: number | null;
}

export interface ApiCall {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Headers;
  body: unknown;
}

export interface OAuthApi {
  url: string;
  /** The calls with a valid token. */
  calls: ApiCall[];
  /** Every token request: its path, its grant type and the status. */
  grants: { path: string; type: string; status: number }[];
  /** Consents at the provider and returns the query of the redirect. */
  allow(authorizeUrl: string): URLSearchParams;
  /** Ends the access token, as a revocation does. */
  revoke(): void;
  close(): Promise<void>;
}

const draw = (kind: string) => `${kind}_${randomBytes(9).toString('base64url')}`;

export async function startOAuthApi(
  rules: Rules,
  answer: (call: ApiCall) => Response | Promise<Response>,
): Promise<OAuthApi> {
  const codes = new Map<string, URLSearchParams>();
  const calls: ApiCall[] = [];
  const grants: OAuthApi['grants'] = [];
  let access = '';
  let refresh = '';

  function issue(withRefresh: boolean): Response {
    access = draw('access');
    if (withRefresh) refresh = draw('refresh');
    return Response.json({
      access_token: access,
      token_type: 'bearer',
      ...(withRefresh ? { refresh_token: refresh } : {}),
      ...(rules.expiresIn === null ? {} : { expires_in: rules.expiresIn }),
    });
  }

  function grant(path: string, headers: Headers, form: Map<string, string>): Response {
    const refuse = (error: string) => Response.json({ error }, { status: 400 });
    const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`;
    const isClient =
      rules.clientAuth === 'post'
        ? form.get('client_id') === CLIENT.id &&
          form.get('client_secret') === CLIENT.secret &&
          !headers.has('authorization')
        : headers.get('authorization') === basic && !form.has('client_secret');
    if (!isClient) return refuse('invalid_client');
    if (form.get('grant_type') === 'refresh_token') {
      if (path !== rules.refreshPath || form.get('refresh_token') !== refresh) return refuse('invalid_grant');
      return issue(rules.rotates);
    }
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isSame =
      asked?.get('redirect_uri') === form.get('redirect_uri') && asked?.get('code_challenge') === proof;
    return path === rules.tokenPath && isSame ? issue(true) : refuse('invalid_grant');
  }

  async function respond(request: Request): Promise<Response> {
    const { pathname: path, searchParams } = new URL(request.url);
    const { method, headers } = request;
    const text = await request.text();
    if (path === rules.tokenPath || path === rules.refreshPath) {
      const isJson = headers.get('content-type') === 'application/json';
      const form = new Map<string, string>(
        isJson ? Object.entries(JSON.parse(text)) : new URLSearchParams(text),
      );
      const given =
        isJson === (rules.body === 'json') ? grant(path, headers, form) : new Response('', { status: 400 });
      grants.push({ path, type: form.get('grant_type') ?? '', status: given.status });
      return given;
    }
    if (headers.get('authorization') !== `Bearer ${access}`)
      return Response.json({ status: 401, message: 'API token is invalid.' }, { status: 401 });
    const body: unknown = text === '' ? null : JSON.parse(text);
    const call = { method, path, query: Object.fromEntries(searchParams), headers, body };
    calls.push(call);
    return answer(call);
  }

  const listener = getRequestListener(respond);
  const server = await startHttpServer((incoming, outgoing) => void listener(incoming, outgoing));
  return {
    url: `http://127.0.0.1:${server.port}`,
    calls,
    grants,
    allow(authorizeUrl) {
      const { searchParams } = new URL(authorizeUrl);
      const code = draw('code');
      codes.set(code, searchParams);
      return new URLSearchParams({ code, state: searchParams.get('state') ?? '' });
    },
    revoke: () => (access = ''),
    close: () => server.close(),
  };
}

/** Connects an integration, and returns the provider's address and the final address. */
export async function connectTo(
  api: OAuthApi,
  { app, person, integration }: { app: TestApp; person: Person; integration: string },
): Promise<{ authorize: URL; end: string }> {
  const { body } = await person.get(`/api/auth/${integration}`);
  const authorize = new URL(Reflect.get(Object(body), 'url'));
  const done = await app.request(
    `/api/auth/plugin/${integration}/callback?${api.allow(authorize.href).toString()}`,
  );
  return { authorize, end: done.headers.get('location') ?? `${done.status} ${await done.text()}` };
}
