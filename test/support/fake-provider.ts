// A fake provider: a strictly rotating token endpoint, an API that checks its tokens, and the quirks that a
// test asks for.
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface TokenRequest {
  headers: IncomingMessage['headers'];
  body: string;
  form: Record<string, string>;
}

export interface FakeProvider {
  url: string;
  /** Every request to the token endpoint, in order. */
  tokenRequests: TokenRequest[];
  /** The path and headers of every API call. */
  calls: { path: string; headers: IncomingMessage['headers'] }[];
  /** The valid pair of tokens. */
  current: { access: string; refresh: string };
  /** Functions that answer the next token requests in place of the normal response. */
  script: ((request: TokenRequest, response: ServerResponse) => void | Promise<void>)[];
  /** Makes an authorization code valid for this challenge. */
  expect(code: string, challenge: string): void;
  /** Ends the current access token, as a revocation does. */
  revokeAccess(): void;
  expiresIn: number | null;
  /** Returns the Set-Cookie header of the nth API call. */
  setCookie: ((count: number) => string) | null;
  /** Rewrites a normal token response. */
  shape: (tokens: Record<string, unknown>) => { body: string; type?: string; status?: number };
  close(): Promise<void>;
}

const draw = (kind: string) => `${kind}-${randomBytes(12).toString('hex')}`;

export async function startProvider(): Promise<FakeProvider> {
  const codes = new Map<string, string>();
  const used = new Set<string>();
  const provider: FakeProvider = {
    url: '',
    tokenRequests: [],
    calls: [],
    current: { access: draw('access'), refresh: draw('refresh') },
    script: [],
    expect: (code, challenge) => void codes.set(code, challenge),
    revokeAccess: () => void (provider.current = { ...provider.current, access: draw('access') }),
    expiresIn: 3600,
    setCookie: null,
    shape: (tokens) => ({ body: JSON.stringify(tokens) }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  function issue(response: ServerResponse): void {
    provider.current = { access: draw('access'), refresh: draw('refresh') };
    const lifetime = provider.expiresIn === null ? {} : { expires_in: provider.expiresIn };
    const tokens = {
      access_token: provider.current.access,
      refresh_token: provider.current.refresh,
      token_type: 'bearer',
      ...lifetime,
    };
    const { body, type = 'application/json', status = 200 } = provider.shape(tokens);
    response.writeHead(status, { 'content-type': type }).end(body);
  }

  async function token(request: TokenRequest, response: ServerResponse): Promise<void> {
    provider.tokenRequests.push(request);
    const scripted = provider.script.shift();
    if (scripted !== undefined) return scripted(request, response);
    const { form } = request;
    const refuse = () =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
    if (form['grant_type'] === 'refresh_token') {
      const presented = form['refresh_token'] ?? '';
      // The reuse of an old refresh token ends the whole family.
      if (used.has(presented)) provider.current = { access: draw('access'), refresh: draw('refresh') };
      if (presented !== provider.current.refresh) return void refuse();
      used.add(presented);
      return issue(response);
    }
    const challenge = codes.get(form['code'] ?? '');
    codes.delete(form['code'] ?? '');
    const proof = createHash('sha256')
      .update(form['code_verifier'] ?? '')
      .digest('base64url');
    return challenge === proof ? issue(response) : void refuse();
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const body = await readAll(incoming);
    const path = incoming.url ?? '';
    if (path === '/token') {
      const form = incoming.headers['content-type']?.includes('json')
        ? JSON.parse(body)
        : Object.fromEntries(new URLSearchParams(body));
      return token({ headers: incoming.headers, body, form }, response);
    }
    provider.calls.push({ path, headers: incoming.headers });
    if (provider.setCookie !== null)
      response.setHeader('set-cookie', provider.setCookie(provider.calls.length));
    if (path.startsWith('/open')) return response.end('open');
    const known = incoming.headers.authorization === `Bearer ${provider.current.access}`;
    return response.writeHead(known ? 200 : 401).end(known ? `hello from ${path}` : 'who are you');
  }
  const server = createServer((incoming, response) => void answer(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  provider.url = `http://127.0.0.1:${address.port}`;
  return provider;
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
  return body;
}
