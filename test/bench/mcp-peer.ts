// An MCP server made with version 2 of the official SDK. It is called directly and through the gateway.
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  const inputSchema = z.object({ message: z.string() });
  server.registerTool('echo', { description: 'Says the same again', inputSchema }, ({ message }) => ({
    content: [{ type: 'text', text: `Echo: ${message}` }],
  }));
  return server;
});
const listener = getRequestListener((request) => handler.fetch(request), { overrideGlobalObjects: false });
createServer((request, response) => void listener(request, response)).listen(
  Number(process.argv[2]),
  '127.0.0.1',
);
