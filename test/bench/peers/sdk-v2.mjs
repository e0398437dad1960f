// A stateless server of the official SDK, version 2.
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { Server } from '@modelcontextprotocol/server';
import { call, list, serve } from './sdk-tools.mjs';

serve(() => {
  const server = new Server({ name: 'sdk-v2', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', list);
  server.setRequestHandler('tools/call', call);
  return server;
}, NodeStreamableHTTPServerTransport);
