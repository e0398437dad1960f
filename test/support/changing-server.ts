// An MCP server whose tools a test changes, built with the official SDK. It may want a token in a header.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { startHttpServer } from './http-server.ts';

export interface ServedTool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
}

export interface ChangingServer {
  address: string;
  /** What the server lists. A test replaces it. */
  tools: ServedTool[];
  /** The calls that arrived: the tool, its arguments and the token. */
  calls: { tool: string; args: unknown; token: string | null }[];
  /** How many listings arrived. */
  listings: number;
  /** A call is answered after this, and a listing after the other one. */
  beforeCall: () => Promise<void>;
  beforeListing: () => Promise<void>;
  /** Refuses every MCP request in this way. Other paths answer 404. */
  refuse: { status: number; challenge: string } | null;
  close(): Promise<void>;
}

interface Options {
  name?: string;
  /** A request needs one of these as its Bearer token. */
  tokens?: readonly string[];
}

export const tool = (name: string, more: Partial<ServedTool> = {}): ServedTool => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  ...more,
});

export async function startChangingServer(
  tools: ServedTool[],
  { name = 'changing', tokens }: Options = {},
): Promise<ChangingServer> {
  const served: ChangingServer = {
    address: '',
    tools,
    calls: [],
    listings: 0,
    beforeCall: async () => {},
    beforeListing: async () => {},
    refuse: null,
    close: async () => {},
  };

  function make(token: string | null): Server {
    const server = new Server({ name, version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } });
    server.setRequestHandler(ListToolsRequestSchema, async () => {
      served.listings += 1;
      await served.beforeListing();
      return { tools: served.tools };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      served.calls.push({ tool: params.name, args: params.arguments, token });
      await served.beforeCall();
      return { content: [{ type: 'text', text: `${params.name} for ${token ?? 'nobody'}` }] };
    });
    return server;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token = null] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (tokens !== undefined && (token === null || !tokens.includes(token))) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    if (served.refuse !== null) {
      const { challenge } = served.refuse;
      const status = request.url === '/mcp' ? served.refuse.status : 404;
      response.writeHead(status, { 'www-authenticate': challenge }).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({});
    // The types of the SDK are not written for exact optional properties.
    await make(token).connect(transport as Parameters<Server['connect']>[0]);
    await transport.handleRequest(request, response);
  }

  const front = await startHttpServer((request, response) => void answer(request, response));
  served.address = `http://127.0.0.1:${front.port}/mcp`;
  served.close = () => front.close();
  return served;
}
