// An MCP server whose tools a test changes, built with the official SDK. It may want a token in a header.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { startHttpServer } from './http-server.ts';

export interface ServedTool {
  name: string;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; openWorldHint?: boolean };
  outputSchema?: { type: 'object'; [keyword: string]: unknown };
  _meta?: Record<string, unknown>;
}

export interface ServedPage {
  mimeType?: string;
  text?: string;
  blob?: string;
  _meta?: Record<string, unknown>;
  /** What the list of resources says of it. */
  listed?: Record<string, unknown>;
}

export interface ServedPrompt {
  name: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
}

export interface ChangingServer {
  address: string;
  /** What the server lists. A test replaces it. */
  tools: ServedTool[];
  /** The resources of the server, by their address. */
  pages: Record<string, ServedPage>;
  /** The prompts of the server. Each answers with its name and the arguments. */
  prompts: ServedPrompt[];
  /** What the server answers, in place of a text. */
  result: Record<string, unknown> | null;
  /** What the last client that began a session said of itself. */
  capabilities: unknown;
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
    pages: {},
    prompts: [],
    result: null,
    capabilities: undefined,
    calls: [],
    listings: 0,
    beforeCall: async () => {},
    beforeListing: async () => {},
    refuse: null,
    close: async () => {},
  };

  function make(token: string | null): Server {
    const server = new Server(
      { name, version: '1.0.0' },
      {
        capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
      },
    );
    server.setRequestHandler(ListToolsRequestSchema, async () => {
      served.listings += 1;
      await served.beforeListing();
      return { tools: served.tools };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      served.calls.push({ tool: params.name, args: params.arguments, token });
      await served.beforeCall();
      if (served.result !== null) return served.result;
      return { content: [{ type: 'text', text: `${params.name} for ${token ?? 'nobody'}` }] };
    });
    server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: served.prompts }));
    server.setRequestHandler(GetPromptRequestSchema, ({ params }) => ({
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: `${params.name} ${JSON.stringify(params.arguments ?? {})}` },
        },
      ],
    }));
    server.setRequestHandler(ListResourcesRequestSchema, () => ({
      resources: Object.entries(served.pages).map(([uri, { listed }]) => ({
        uri,
        name: uri,
        ...(listed === undefined ? {} : { _meta: listed }),
      })),
    }));
    server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
      const { [uri]: page } = served.pages;
      if (page === undefined) throw new Error(`There is no ${uri}`);
      const { listed, text, blob, ...more } = page;
      const content = { uri, mimeType: 'text/html;profile=mcp-app', ...more };
      return { contents: [blob === undefined ? { ...content, text: text ?? '' } : { ...content, blob }] };
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
    const server = make(token);
    await server.connect(transport as Parameters<Server['connect']>[0]);
    await transport.handleRequest(request, response);
    served.capabilities = server.getClientCapabilities() ?? served.capabilities;
  }

  const front = await startHttpServer((request, response) => void answer(request, response));
  served.address = `http://127.0.0.1:${front.port}/mcp`;
  served.close = () => front.close();
  return served;
}
