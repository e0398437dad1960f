// Runs the official SDK's first generation (sessions of its own era), unmodified, against the real process.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { useTools } from './use-tools.ts';

let site: Site;
let gateway: Gateway & Banner;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
});
afterAll(() => site.close());

async function connected(headers: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', gateway.base), { requestInit: { headers } }),
  );
  return client;
}

describe('SDK v1', () => {
  it.each([
    ['an API key', () => ({ 'x-service-api-key': gateway.apiKey })],
    ['a session token', () => ({ authorization: `Bearer ${gateway.session}` })],
  ])('connects with %s, lists nine tools, uses them, pings and closes', async (_kind, credential) => {
    const client = await connected(credential());
    expect(client.getServerVersion()).toMatchObject({ name: 'service', version: '0.1.0' });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    await useTools(client);
    expect(await client.ping()).toEqual({});
    await client.close();
  });

  it('reads a wrong tool name as a protocol error, and continues', async () => {
    const client = await connected({ 'x-service-api-key': gateway.apiKey });
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    expect((await client.listTools()).tools).toHaveLength(9);
    await client.close();
  });

  it('reports that it is not authorized', async () => {
    await expect(connected({})).rejects.toThrow(/authoriz/i);
  });
});
