// An OpenID provider whose responses a test defines, for everything that a correct provider never does.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import { startHttpServer } from './http-server.ts';

export interface ScriptedProvider {
  issuer: string;
  /** The next responses, each with a correct default. */
  script: {
    discovery: Answer | null;
    keys: Answer | null;
    token: Answer | null;
    userinfo: Answer | null;
    /** Overrides claims of a correct ID token; undefined removes a claim. */
    claims: Record<string, unknown>;
    /** Overrides claims of a correct answer at userinfo. */
    info: Record<string, unknown>;
    /**
     * How the ID token is signed: correctly, with an unpublished key, not at all, or with the client secret.
     */
    signature: 'good' | 'foreign' | 'none' | 'hs256';
  };
  /** How often each document was requested. */
  asked: { discovery: number; keys: number; token: number };
  /** The access tokens that userinfo received. */
  presented: (string | undefined)[];
  /** The forms that the token endpoint received. */
  forms: URLSearchParams[];
  /** The published form of the signing key. */
  published(): JWK;
  /** Signs claims with the published key. */
  sign(claims: JWTPayload, header: { typ: string }): Promise<string>;
  /** Switches to a new key, which only a freshly loaded key set contains. */
  rotateKeys(): Promise<void>;
  reset(): void;
  close(): Promise<void>;
}

interface Answer {
  status?: number;
  body: string;
  /** The target of a redirect. */
  location?: string;
  /** Whether the response never ends. */
  hangs?: boolean;
}

export interface ScriptedOptions {
  path?: string;
  clientId?: string;
  now: () => number;
  /** Returns the nonce of the sign-in whose code was presented. */
  nonce: (code: string) => string;
}

export async function startScriptedProvider(options: ScriptedOptions): Promise<ScriptedProvider> {
  const { path = '', clientId = 'gateway', now, nonce } = options;
  const server = await startHttpServer();
  const issuer = `http://127.0.0.1:${server.port}${path}`;
  const foreign = (await generateKeyPair('RS256')).privateKey;
  let published = await newKey('first');
  const provider: ScriptedProvider = {
    issuer,
    script: good(),
    asked: { discovery: 0, keys: 0, token: 0 },
    presented: [],
    forms: [],
    published: () => published.jwk,
    sign: (claims, header) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: published.kid, ...header })
        .sign(published.key),
    async rotateKeys() {
      published = await newKey(crypto.randomUUID());
    },
    reset: () =>
      Object.assign(provider, {
        script: good(),
        asked: { discovery: 0, keys: 0, token: 0 },
        presented: [],
        forms: [],
      }),
    close: () => server.close(),
  };

  async function idToken(code: string): Promise<string> {
    const claims: JWTPayload = {
      iss: issuer,
      aud: clientId,
      sub: 'subject',
      iat: now(),
      exp: now() + 300,
      nonce: nonce(code),
      email: 'person@example.com',
      email_verified: true,
    };
    const payload = JSON.parse(JSON.stringify({ ...claims, ...provider.script.claims }, withoutUndefined));
    switch (provider.script.signature) {
      case 'good':
        return new SignJWT(payload)
          .setProtectedHeader({ alg: 'RS256', kid: published.kid })
          .sign(published.key);
      case 'foreign':
        return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: published.kid }).sign(foreign);
      case 'hs256':
        return new SignJWT(payload)
          .setProtectedHeader({ alg: 'HS256', kid: published.kid })
          .sign(new TextEncoder().encode(JSON.stringify(published.jwk)));
      case 'none':
        return (
          [{ alg: 'none' }, payload].map((part) => btoa(JSON.stringify(part)).replaceAll('=', '')).join('.') +
          '.'
        );
    }
  }

  async function answerTo(pathname: string, body: string, credential?: string): Promise<Answer> {
    const { script, asked } = provider;
    switch (pathname.slice(path.length)) {
      case '/.well-known/openid-configuration':
        asked.discovery++;
        return (
          script.discovery ?? {
            body: JSON.stringify({
              issuer,
              authorization_endpoint: `${issuer}/auth`,
              token_endpoint: `${issuer}/token`,
              userinfo_endpoint: `${issuer}/userinfo`,
              jwks_uri: `${issuer}/keys`,
            }),
          }
        );
      case '/keys':
        asked.keys++;
        return script.keys ?? { body: JSON.stringify({ keys: [published.jwk] }) };
      case '/userinfo': {
        provider.presented.push(credential);
        const { sub = 'subject' } = script.claims;
        return script.userinfo ?? { body: JSON.stringify({ sub, ...script.info }) };
      }
      case '/token': {
        asked.token++;
        const form = new URLSearchParams(body);
        provider.forms.push(form);
        const code = form.get('code') ?? '';
        return (
          script.token ?? {
            body: JSON.stringify({ access_token: 'x', token_type: 'Bearer', id_token: await idToken(code) }),
          }
        );
      }
      default:
        return { status: 404, body: '{}' };
    }
  }

  server.answer((request, response) => void respond(request, response));

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const {
      status = 200,
      body: text,
      location,
      hangs,
    } = await answerTo(new URL(request.url ?? '/', issuer).pathname, body, request.headers.authorization);
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(location === undefined ? {} : { location }),
    });
    response.write(text);
    if (!hangs) response.end();
  }

  return provider;
}

const good = (): ScriptedProvider['script'] => ({
  discovery: null,
  keys: null,
  token: null,
  userinfo: null,
  claims: {},
  info: {},
  signature: 'good',
});

const withoutUndefined = (_: string, value: unknown): unknown => value;

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  return { kid, key: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}
