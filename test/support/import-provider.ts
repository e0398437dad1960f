// Runs oidc-provider as the authorization server of MCP servers: resource indicators, registration, client documents, revocation.
import { exportJWK, generateKeyPair } from 'jose';
import { type Account, type FoundToken, Provider } from 'oidc-provider';
import { startHttpServer } from './http-server.ts';

export interface ImportProviderOptions {
  /** The path of the issuer on its host. */
  path?: string;
  registration?: boolean;
  /** Fetches client documents. Without it the provider takes none. */
  fetchDocument?: (url: string) => Promise<Response>;
  /** Clients that were registered by hand. */
  clients?: object[];
  /** Whether answers and metadata have `iss`. */
  iss?: boolean;
  accessSeconds?: () => number;
}

export interface ImportProvider {
  issuer: string;
  /** The requests so far, as `METHOD /path`. */
  requests: string[];
  /** The queries of the authorization requests. */
  asked: URLSearchParams[];
  /** The bodies of token, revocation and registration requests, with their Authorization header. */
  posted: { path: string; body: string; authorization: string | undefined; status: number }[];
  /** Changes the metadata before it is sent. */
  alter: (metadata: Record<string, unknown>) => Record<string, unknown>;
  /** Changes the address that the browser is sent back to. */
  back: (location: URL) => URL;
  find(token: string): Promise<FoundToken | undefined>;
  /** Loses all registrations, as a restart without a disk does. */
  restart(): void;
  close(): Promise<void>;
}

const DAY = 86_400;
const SCOPES = ['openid', 'offline_access', 'files:read', 'files:write'];

export async function startImportProvider({
  path = '',
  registration = true,
  fetchDocument,
  clients = [],
  iss = true,
  accessSeconds = () => DAY,
}: ImportProviderOptions = {}): Promise<ImportProvider> {
  const server = await startHttpServer();
  const issuer = `http://127.0.0.1:${server.port}${path}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const start = () =>
    new Provider(issuer, {
      clients,
      cookies: { keys: ['a key for tests'] },
      jwks: { keys: [key] },
      scopes: SCOPES,
      pkce: { required: () => true },
      rotateRefreshToken: true,
      clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
      features: {
        registration: { enabled: registration },
        revocation: { enabled: true },
        clientIdMetadataDocument: { enabled: fetchDocument !== undefined, ack: 'draft-02' },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_: unknown, resource: string) => ({
            scope: 'files:read files:write',
            audience: resource,
            accessTokenFormat: 'opaque',
          }),
        },
      },
      fetch: (url: string | URL) => fetchDocument?.(String(url)),
      ttl: {
        AccessToken: accessSeconds,
        AuthorizationCode: 60,
        Grant: DAY,
        IdToken: DAY,
        Interaction: DAY,
        RefreshToken: DAY,
        Session: DAY,
      },
      findAccount: (_: unknown, login: string): Account => ({
        accountId: login,
        claims: () => ({ sub: login }),
      }),
    });
  let provider = start();
  let callback = provider.callback();

  const stand: ImportProvider = {
    issuer,
    requests: [],
    asked: [],
    posted: [],
    alter: (metadata) => metadata,
    back: (location) => location,
    find: (token) => provider.AccessToken.find(token),
    restart() {
      provider = start();
      callback = provider.callback();
    },
    close: () => server.close(),
  };

  async function metadata(): Promise<Record<string, unknown>> {
    const response = await fetch(`${issuer}/.well-known/openid-configuration?plain`);
    const document: Record<string, unknown> = await response.json();
    if (!iss) delete document['authorization_response_iss_parameter_supported'];
    return stand.alter(document);
  }

  server.answer((request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    const isPlain = url.searchParams.has('plain');
    if (!isPlain) stand.requests.push(`${request.method} ${url.pathname}`);
    if (url.pathname.includes('/.well-known/') && !isPlain) {
      const known = [
        `/.well-known/oauth-authorization-server${path}`,
        `/.well-known/openid-configuration${path}`,
        `${path}/.well-known/openid-configuration`,
      ];
      if (!known.includes(url.pathname)) return void response.writeHead(404).end();
      void metadata().then((document) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document)),
      );
      return;
    }
    const local = url.pathname.slice(path.length);
    if (local === '/auth') stand.asked.push(url.searchParams);
    if (request.method === 'POST' && ['/token', '/token/revocation', '/reg'].includes(local)) {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('finish', () =>
        stand.posted.push({
          path: local,
          body: Buffer.concat(chunks).toString(),
          authorization: request.headers.authorization,
          status: response.statusCode,
        }),
      );
    }
    const setHeader = response.setHeader.bind(response);
    response.setHeader = (name, value) => {
      if (name.toLowerCase() !== 'location') return setHeader(name, value);
      const location = new URL(String(value), issuer);
      if (!iss) location.searchParams.delete('iss');
      const isBack = location.searchParams.has('state') && location.origin !== new URL(issuer).origin;
      return setHeader(name, isBack ? stand.back(location).href : location.href);
    };
    // oidc-provider expects its mounted path in `url` and the whole path in `originalUrl`.
    const target = `${url.pathname}${url.search}`;
    Object.assign(request, { originalUrl: target, url: target.slice(path.length) });
    void callback(request, response);
  });
  return stand;
}
