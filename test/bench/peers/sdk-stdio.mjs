// A server on standard input and output, which mcp-proxy runs.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { call, list } from './sdk-tools.mjs';

const server = new Server({ name: 'sdk-stdio', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, list);
server.setRequestHandler(CallToolRequestSchema, call);
await server.connect(new StdioServerTransport());
