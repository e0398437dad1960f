// A server on the first generation of the SDK of TypeScript: node v1.ts <mode> <port>.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { listOf, makeTools, runTool } from './tools.ts';

const [mode = '', port = ''] = process.argv.slice(2);
const tools = makeTools('sdk');
const servers = new Set<Server>();

function open(): Server {
  const server = new Server(
    { name: 'counterpart', version: '1' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => listOf(tools));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { _meta, sendNotification, signal }) => {
    const token = _meta?.progressToken;
    const result = await runTool(tools, params.name, params.arguments, {
      signal,
      async tell(step) {
        if (token === undefined) return;
        const told = { progressToken: token, progress: step, total: 3, message: `step ${step}` };
        await sendNotification({ method: 'notifications/progress', params: told });
      },
      async tellChanged() {
        // Those that have ended cannot be told.
        for (const each of servers) await each.sendToolListChanged().catch(() => {});
      },
      refusal: (words) => new McpError(-32000, words),
    });
    return { ...result };
  });
  servers.add(server);
  return server;
}

// The types of the SDK are not written for exact optional properties.
const connect = (transport: object) => open().connect(transport as Parameters<Server['connect']>[0]);

const sessions = new Map<
  string,
  { handle: (request: IncomingMessage, response: ServerResponse) => unknown }
>();
const enableJsonResponse = mode.endsWith('json');

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const id = request.headers['mcp-session-id'] ?? searchParams.get('sessionId');
  const known = typeof id === 'string' ? sessions.get(id) : undefined;
  if (known !== undefined) await known.handle(request, response);
  else if (mode === 'sse' && request.method === 'GET') {
    const transport = new SSEServerTransport('/message', response);
    sessions.set(transport.sessionId, {
      handle: (...exchange) => transport.handlePostMessage(...exchange),
    });
    await connect(transport);
  } else if (id !== null) response.writeHead(404).end();
  else if (mode.startsWith('stateless')) {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse });
    response.on('close', () => void transport.close());
    await connect(transport);
    await transport.handleRequest(request, response);
  } else {
    const transport = new StreamableHTTPServerTransport({
      enableJsonResponse,
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (sessionId) =>
        void sessions.set(sessionId, { handle: (...exchange) => transport.handleRequest(...exchange) }),
    });
    await connect(transport);
    await transport.handleRequest(request, response);
  }
}

if (mode === 'stdio') await connect(new StdioServerTransport());
else createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1');
