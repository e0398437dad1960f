// Runs the agent with the first generation of the official SDK, @modelcontextprotocol/sdk.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mcpUrl, readVariables } from '../variables.ts';
import { runTask, TIMEOUT_MS } from './agent.ts';

const { GATEWAY_KEY } = readVariables('GATEWAY_KEY');
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(mcpUrl, {
    requestInit: { headers: { 'x-service-api-key': GATEWAY_KEY } },
  }),
);
try {
  await runTask((name, args) =>
    client.callTool({ name, arguments: args }, undefined, { timeout: TIMEOUT_MS }),
  );
} finally {
  await client.close();
}
