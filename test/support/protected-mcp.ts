// Runs real MCP servers behind OAuth, made with the SDK of version 1 and of version 2, and the import that connects to one.
import { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { requireBearerAuth as requireBearerAuthV1 } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import { InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import {
  getOAuthProtectedResourceMetadataUrl as metadataUrlV1,
  mcpAuthMetadataRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  buildOAuthProtectedResourceMetadata,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
} from '@modelcontextprotocol/server';
import { getRequestListener } from '@hono/node-server';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { blocksOf } from '../../src/imports/model/auth-blocks.ts';
import type { ImportAuth } from '../../src/imports/model/source-description.ts';
import { type Integration, tool } from '../../src/kit/integration.ts';
import { startHttpServer } from './http-server.ts';
import type { ImportProvider } from './import-provider.ts';

export interface ProtectedMcp {
  address: string;
  /** The requests so far, as `METHOD /path status`. */
  requests: string[];
  /** Changes the resource metadata before it is sent; null answers 404. */
  alter: (metadata: Record<string, unknown>) => Record<string, unknown> | null;
  /** The scopes that a token has to have. */
  required: string[];
  /** An import of this server. Its tool asks the server who the caller is. */
  integration(name: string, auth?: Partial<ImportAuth & { type: 'oauth2' }>): Integration;
  close(): Promise<void>;
}

const WHOAMI = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } };

type Verify = (token: string) => Promise<{
  token: string;
  clientId: string;
  scopes: string[];
  expiresAt: number;
  extra: { sub: string };
} | null>;

/** `sdk` is the version of the SDK that the server is made with. */
export async function startProtectedMcp(
  sdk: 1 | 2,
  provider: Pick<ImportProvider, 'issuer' | 'find'>,
): Promise<ProtectedMcp> {
  const server = await startHttpServer();
  const origin = `http://127.0.0.1:${server.port}`;
  const address = `${origin}/mcp`;
  const stand: ProtectedMcp = {
    address,
    requests: [],
    alter: (metadata) => metadata,
    required: ['files:read'],
    integration: (name, auth = {}) => importOf(name, address, { type: 'oauth2', ...auth }),
    close: () => server.close(),
  };
  const verify: Verify = async (token) => {
    const found = await provider.find(token);
    const audience = [found?.aud ?? []].flat();
    if (found === undefined || !audience.includes(address)) return null;
    const scopes = (found.scope ?? '').split(' ');
    return { token, clientId: found.clientId, scopes, expiresAt: found.exp, extra: { sub: found.accountId } };
  };
  const listen =
    sdk === 1 ? serveV1(stand, provider.issuer, verify) : serveV2(stand, provider.issuer, verify);
  server.answer((request, response) => {
    response.once('finish', () =>
      stand.requests.push(`${request.method} ${request.url} ${response.statusCode}`),
    );
    listen(request, response);
  });
  return stand;
}

const oauthMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ['code'],
});

type Parsed = IncomingMessage & { body?: unknown };
type SendJson = (body: Record<string, unknown>) => unknown;

function serveV1(stand: ProtectedMcp, issuer: string, verify: Verify): RequestListener {
  const app = createMcpExpressApp();
  const url = new URL(stand.address);
  app.use((request: Parsed, response: ServerResponse & { json: SendJson }, next: () => void) => {
    const send = response.json.bind(response);
    const isMetadata = request.url?.startsWith('/.well-known/oauth-protected-resource') === true;
    response.json = (body) => {
      const altered = isMetadata ? stand.alter(body) : body;
      return altered === null ? response.writeHead(404).end() : send(altered);
    };
    // Only the metadata of the resource is this server's.
    if (request.url?.startsWith('/.well-known/oauth-authorization-server')) response.writeHead(404).end();
    else next();
  });
  app.use(
    mcpAuthMetadataRouter({
      oauthMetadata: oauthMetadata(issuer),
      resourceServerUrl: url,
      scopesSupported: ['files:read'],
    }),
  );
  const verifier = {
    async verifyAccessToken(token: string) {
      const found = await verify(token);
      if (found === null) throw new InvalidTokenError('unknown token');
      return found;
    },
  };
  app.use('/mcp', (request: Parsed, response: ServerResponse, next: () => void) =>
    requireBearerAuthV1({
      verifier,
      requiredScopes: stand.required,
      resourceMetadataUrl: metadataUrlV1(url),
    })(request, response, next),
  );
  app.post('/mcp', async (request: Parsed, response: ServerResponse) => {
    const mcp = new McpServerV1({ name: 'protected', version: '1.0.0' });
    mcp.registerTool('whoami', { description: 'Who the token belongs to' }, ({ authInfo }) => ({
      content: [{ type: 'text', text: String(authInfo?.extra?.['sub']) }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await mcp.connect(transport);
    await transport.handleRequest(request, response, request.body);
  });
  return app;
}

function serveV2(stand: ProtectedMcp, issuer: string, verify: Verify): RequestListener {
  const url = new URL(stand.address);
  const handler = createMcpHandler(({ authInfo }) => {
    const mcp = new McpServer({ name: 'protected', version: '2.0.0' });
    mcp.registerTool('whoami', { description: 'Who the token belongs to' }, () => ({
      content: [{ type: 'text', text: String(authInfo?.extra?.['sub']) }],
    }));
    return mcp;
  });
  const verifier = {
    async verifyAccessToken(token: string) {
      const found = await verify(token);
      if (found === null) throw new OAuthError(OAuthErrorCode.InvalidToken, 'unknown token');
      return found;
    },
  };
  const metadataUrl = getOAuthProtectedResourceMetadataUrl(url);
  const listener = getRequestListener(
    async (request) => {
      if (request.url === metadataUrl) {
        const document = buildOAuthProtectedResourceMetadata({
          oauthMetadata: oauthMetadata(issuer),
          resourceServerUrl: url,
          scopesSupported: ['files:read'],
        });
        const altered = stand.alter({ ...document });
        return altered === null ? new Response(null, { status: 404 }) : Response.json(altered);
      }
      if (new URL(request.url).pathname !== '/mcp') return new Response(null, { status: 404 });
      const auth = await requireBearerAuth({
        verifier,
        requiredScopes: stand.required,
        resourceMetadataUrl: metadataUrl,
      })(request);
      return auth instanceof Response ? auth : handler.fetch(request, { authInfo: auth });
    },
    { overrideGlobalObjects: false },
  );
  return (request, response) => void listener(request, response);
}

function importOf(name: string, address: string, auth: ImportAuth): Integration {
  const blocks = blocksOf(auth, { address });
  if (!blocks.ok) throw new Error(blocks.message);
  const { origin, pathname } = new URL(address);
  return {
    name,
    version: '1',
    displayName: `Import ${name}`,
    description: 'A server that somebody has added',
    categories: [],
    logo: null,
    auth: blocks.auth,
    api: { base: origin, ...blocks.api },
    imported: { id: `id-of-${name}`, kind: 'mcp', for: 'everyone' },
    tools: [
      tool(
        `${name}_whoami`,
        'Who the token belongs to',
        () => ({}),
        async (_args, { upstream }) => {
          const response = await upstream({
            method: 'POST',
            path: pathname,
            headers: {
              accept: 'application/json, text/event-stream',
              'content-type': 'application/json',
            },
            body: JSON.stringify(WHOAMI),
          });
          const text = await response.text();
          const message = /^data: (.*)$/m.exec(text)?.[1] ?? text;
          return response.ok
            ? JSON.parse(message).result.content[0].text
            : { status: response.status, challenge: response.headers.get('www-authenticate') };
        },
      ),
    ],
  };
}
