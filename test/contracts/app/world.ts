// Runs what a gateway needs in the application suite: a sign-in provider, an API that its integrations call,
// and people.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startHttpServer } from '../../support/http-server.ts';
import { CALLBACK, authorizeQuery } from '../../support/oauth-client.ts';
import { startScriptedProvider } from '../../support/scripted-provider.ts';

/** A running gateway. Adapters differ only in `proxies`. */
export interface Running {
  /** The gateway's SERVER_PUBLIC_URL. */
  publicUrl: string;
  /** Sends a request and does not follow redirects. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Whether a Node process serves raw streams. */
  proxies: boolean;
  close(): Promise<void>;
}

export interface Call {
  method: string;
  path: string;
  authorization: string | undefined;
  body: string;
}

export interface Person {
  email: string;
  session: Record<string, string>;
  key: Record<string, string>;
}

export interface World {
  /** The settings that connect a gateway to this world. */
  env: Record<string, string>;
  /** The calls of the upstream API, in order. */
  calls: Call[];
  /** Signs in as the person with this name. */
  signIn(gateway: Running, name: string): Promise<Person['session']>;
  /** The same, and makes a key. */
  person(gateway: Running, name: string): Promise<Person>;
  /** Signs in as that person for an MCP client and returns the code from the redirect. */
  authorize(gateway: Running, name: string, clientId: string): Promise<string>;
  close(): Promise<void>;
}

export const UPSTREAM_TOKEN = 'the token of the product';

export async function openWorld(): Promise<World> {
  const calls: Call[] = [];
  const product = await startHttpServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url: path = '', headers } = request;
    response.setHeader('content-type', 'application/json');
    if (path === '/login/oauth/access_token')
      return response.end(JSON.stringify({ access_token: UPSTREAM_TOKEN, token_type: 'bearer' }));
    calls.push({ method, path, authorization: headers.authorization, body });
    const size = Number(/[?&]limit=(\d+)/.exec(path)?.[1] ?? 1);
    const data = Array.from({ length: size }, (_, index) => ({ index, subject: 'x'.repeat(900) }));
    return response.end(JSON.stringify({ path, data }));
  }

  let nonce = '';
  const provider = await startScriptedProvider({
    now: () => Math.floor(Date.now() / 1000),
    nonce: () => nonce,
  });

  /** Calls the gateway's callback as the provider would redirect the person. */
  async function comeBack(gateway: Running, name: string, asked: string, cookie?: string): Promise<URL> {
    const { searchParams } = new URL(asked);
    nonce = searchParams.get('nonce') ?? '';
    provider.script.claims = { sub: `the subject of ${name}`, email: `${name}@example.com` };
    const query = new URLSearchParams({ code: 'a code', state: searchParams.get('state') ?? '' });
    const response = await gateway.request(`/api/auth/hosted/callback?${query}`, {
      headers: cookie === undefined ? {} : { cookie },
    });
    if (response.status !== 302) throw new Error(`signing in: ${response.status} ${await response.text()}`);
    return new URL(response.headers.get('location') ?? '');
  }

  async function signIn(gateway: Running, name: string): Promise<Person['session']> {
    const { url } = await (await gateway.request('/api/auth/hosted')).json();
    const arrived = await comeBack(gateway, name, url);
    const token = new URLSearchParams(arrived.hash.slice(1)).get('token') ?? '';
    return { authorization: `Bearer ${token}` };
  }

  return {
    calls,
    signIn,
    env: {
      SESSION_SECRET: '0123456789abcdef'.repeat(4),
      ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4),
      HOSTED_ISSUER_URL: provider.issuer,
      HOSTED_CLIENT_ID: 'gateway',
      HOSTED_CLIENT_SECRET: 'secret',
      GITHUB_CLIENT_ID: 'id',
      GITHUB_CLIENT_SECRET: 'secret',
      UPSTREAM_MAP: ['https://github.com', 'https://api.github.com', 'https://api.resend.com']
        .map((origin) => `${origin}=http://127.0.0.1:${product.port}`)
        .join(','),
    },
    async person(gateway, name) {
      const session = await signIn(gateway, name);
      const made = await gateway.request('/api/keys', { method: 'POST', headers: session });
      const { apiKey } = await made.json();
      return { email: `${name}@example.com`, session, key: { 'x-service-api-key': apiKey } };
    },
    async authorize(gateway, name, clientId) {
      const sent = await gateway.request(authorizeQuery(clientId));
      const cookie = sent.headers.getSetCookie().map((line) => line.split(';')[0]);
      const arrived = await comeBack(gateway, name, sent.headers.get('location') ?? '', cookie.join('; '));
      if (!arrived.href.startsWith(CALLBACK)) throw new Error(`arrived at ${arrived.href}`);
      return arrived.searchParams.get('code') ?? '';
    },
    async close() {
      await provider.close();
      await product.close();
    },
  };
}
