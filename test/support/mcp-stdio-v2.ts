// An MCP server of the SDK's second generation on standard input and output. It speaks both eras.
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { listed, run } from './mcp-tools.ts';

serveStdio(() => {
  const server = new Server({ name: 'test-server', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => listed());
  // The results are those of the specification; the SDK checks them.
  server.setRequestHandler(
    'tools/call',
    ({ params }) => run(params.name, params.arguments) as { content: [] },
  );
  return server;
});
