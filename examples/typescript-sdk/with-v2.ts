// Runs the agent with the second generation of the official SDK, @modelcontextprotocol/client.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { mcpUrl, readVariables } from '../variables.ts';
import { runTask, TIMEOUT_MS } from './agent.ts';

const { GATEWAY_KEY } = readVariables('GATEWAY_KEY');
// Uses MCP 2026-07-28 where the server speaks it.
const options = { versionNegotiation: { mode: 'auto' } } as const;
const client = new Client({ name: 'example', version: '1.0.0' }, options);
await client.connect(
  new StreamableHTTPClientTransport(mcpUrl, {
    requestInit: { headers: { 'x-service-api-key': GATEWAY_KEY } },
  }),
);
try {
  await runTask((name, args) => client.callTool({ name, arguments: args }, { timeout: TIMEOUT_MS }));
} finally {
  await client.close();
}
