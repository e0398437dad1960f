// A server on the second generation of the SDK of TypeScript: node v2.ts <mode> <port>. It speaks both eras; sessions are of the
// older one.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import {
  createMcpHandler,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { listOf, makeTools, runTool } from './tools.ts';

const [mode = '', port = ''] = process.argv.slice(2);
const tools = makeTools('server');
const servers = new Set<Server>();

function open(): Server {
  const server = new Server(
    { name: 'counterpart', version: '1' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler('tools/list', () => listOf(tools));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    const result = await runTool(tools, params.name, params.arguments, {
      signal: mcpReq.signal,
      async tell(step) {
        if (token === undefined) return;
        const told = { progressToken: token, progress: step, total: 3, message: `step ${step}` };
        await mcpReq.notify({ method: 'notifications/progress', params: told });
      },
      async tellChanged() {
        handler.notify.toolsChanged();
        // Those that have ended cannot be told.
        for (const each of servers) await each.sendToolListChanged().catch(() => {});
      },
      refusal: (words) => new ProtocolError(-32000, words),
    });
    // The results are those of the specification; the SDK checks them.
    return result as { content: [] };
  });
  servers.add(server);
  return server;
}

const handler = createMcpHandler(open, { responseMode: mode.endsWith('json') ? 'json' : 'auto' });
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function answerInSession(request: Request): Promise<Response> {
  const id = request.headers.get('mcp-session-id');
  if (id !== null) return sessions.get(id)?.handleRequest(request) ?? new Response(null, { status: 404 });
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: mode === 'json',
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (sessionId) => void sessions.set(sessionId, transport),
  });
  await open().connect(transport);
  return transport.handleRequest(request);
}

const answer = getRequestListener(
  mode.startsWith('stateless') ? (request) => handler.fetch(request) : answerInSession,
);
if (mode === 'stdio') serveStdio(open);
else createServer((request, response) => void answer(request, response)).listen(Number(port), '127.0.0.1');
