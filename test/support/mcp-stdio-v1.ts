// An MCP server of the SDK's first generation on standard input and output.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listed, run } from './mcp-tools.ts';

const server = new Server({ name: 'test-server', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => listed());
server.setRequestHandler(CallToolRequestSchema, ({ params }) => run(params.name, params.arguments));
await server.connect(new StdioServerTransport());
