// The provider of the `probed` fixture: OAuth grants, personal tokens, the account behind them, and a revocation endpoint.
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer } from './http-server.ts';

export interface Grant {
  access: string;
  refresh: string;
}

export interface FakeProbed {
  /** The environment that maps the integration to this server. */
  env: Record<string, string>;
  /** The live grants of OAuth sign-ins. */
  grants: Grant[];
  /** The live personal tokens. */
  tokens: Set<string>;
  /** Every request, such as `GET /api/whoami`, in order. */
  seen: string[];
  /** The requests of the revocation endpoint. */
  revocations: Record<string, string>[];
  /** Answers in place of the next requests of this path. */
  script: { path: string; answer: (response: ServerResponse, request: IncomingMessage) => unknown }[];
  /** Makes an authorization code valid for this challenge. */
  expect(code: string, challenge: string): void;
  /** Whether a revocation really ends the grant. */
  revokes: boolean;
  expiresIn: number;
  /** The scopes that the token endpoint lists; without them it lists none. */
  scope?: string;
  close(): Promise<void>;
}

export async function startProbed(): Promise<FakeProbed> {
  const codes = new Map<string, string>();
  const draw = (kind: string) => `${kind}-${randomBytes(12).toString('hex')}`;
  const server = await startHttpServer((request, response) => void answer(request, response));
  const probed: FakeProbed = {
    env: {
      PROBED_CLIENT_ID: 'probed-id',
      PROBED_CLIENT_SECRET: 'probed-secret',
      UPSTREAM_MAP: `https://probed.example=http://127.0.0.1:${server.port}`,
    },
    grants: [],
    tokens: new Set(),
    seen: [],
    revocations: [],
    script: [],
    expect: (code, challenge) => void codes.set(code, challenge),
    revokes: true,
    expiresIn: 3600,
    close: () => server.close(),
  };

  function tokenAnswer(form: Record<string, string>): [number, object] {
    const old = probed.grants.find(({ refresh }) => refresh === form['refresh_token']);
    const proof = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url');
    const isCode = codes.get(form['code'] ?? '') === proof;
    codes.delete(form['code'] ?? '');
    if (old === undefined && !isCode) return [400, { error: 'invalid_grant' }];
    probed.grants = probed.grants.filter((grant) => grant !== old);
    const grant = { access: draw('access'), refresh: draw('refresh') };
    probed.grants.push(grant);
    const { access: access_token, refresh: refresh_token } = grant;
    const { expiresIn: expires_in, scope } = probed;
    return [200, { access_token, refresh_token, token_type: 'bearer', expires_in, scope }];
  }

  function revokeAnswer(form: Record<string, string>): [number, object] {
    probed.revocations.push(form);
    const isKnown = probed.grants.some(({ refresh }) => refresh === form['token']);
    if (probed.revokes) probed.grants = probed.grants.filter(({ refresh }) => refresh !== form['token']);
    return isKnown ? [200, {}] : [410, { message: 'That token is gone' }];
  }

  /** A credential at a wrong place counts as none. */
  function whoIs(path: string, { headers }: IncomingMessage): 'known' | 'stranger' | 'refused' {
    if (path.startsWith('/personal')) {
      const token = String(headers['x-token'] ?? '');
      if (headers.authorization !== undefined || token === '') return 'stranger';
      return probed.tokens.has(token) && headers['x-email'] === 'ana@corp.example' ? 'known' : 'refused';
    }
    const bearer = headers.authorization;
    if (bearer === undefined) return 'stranger';
    return probed.grants.some(({ access }) => bearer === `Bearer ${access}`) ? 'known' : 'refused';
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const [path = ''] = (request.url ?? '').split('?');
    probed.seen.push(`${request.method} ${path}`);
    const at = probed.script.findIndex((each) => each.path === path);
    if (at !== -1) return probed.script.splice(at, 1)[0]?.answer(response, request);
    const send = ([status, value]: [number, object]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const form = Object.fromEntries(new URLSearchParams(body));
    if (path === '/token') return send(tokenAnswer(form));
    if (path === '/revoke') return send(revokeAnswer({ ...form, ...basicOf(request) }));
    const who = whoIs(path, request);
    if (who === 'refused')
      return send([401, { message: `Bad credentials: ${String(request.headers['x-token'])}` }]);
    if (!path.endsWith('/whoami')) return send([200, { hello: path }]);
    return send([
      200,
      { user: who === 'known' ? { id: 583231, name: 'octocat' } : { id: 0, name: 'guest' } },
    ]);
  }

  return probed;
}

function basicOf({ headers }: IncomingMessage): Record<string, string> {
  const [, pair] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
  return pair === undefined ? {} : { basic: Buffer.from(pair, 'base64').toString() };
}

/** Answers with this status, and JSON or a text. */
export const respond =
  (status: number, value: unknown = {}, headers: Record<string, string> = {}) =>
  (response: ServerResponse): unknown =>
    typeof value === 'string'
      ? response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(value)
      : response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify(value));
