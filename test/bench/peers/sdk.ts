// Runs the official SDK's stateless servers, and mcp-proxy before the SDK's server on standard input and
// output.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/listen.ts';
import { ARGUMENTS, CALLED, mcpCatalog, PROOF, TOKEN } from './catalog.ts';
import { VERSIONS } from './install.ts';
import type { Peer } from './peer.ts';

const CLOCK = { name: 'time_now', description: 'The time', inputSchema: { type: 'object', properties: {} } };
const asks: Peer['asks'] = {
  list: { method: 'tools/list', params: {}, proof: new RegExp(CALLED.tool) },
  search: 'MCP lists tools, it does not search them',
  call: {
    method: 'tools/call',
    params: { name: CALLED.tool, arguments: ARGUMENTS },
    proof: new RegExp(PROOF),
  },
  builtin: {
    method: 'tools/call',
    params: { name: CLOCK.name, arguments: {} },
    proof: /\d{4}-\d\d-\d\dT/,
  },
};

export async function sdkPeers(folder: string, upstream: string): Promise<Peer[]> {
  const catalog = join(folder, 'catalog.json');
  writeFileSync(catalog, JSON.stringify([...mcpCatalog(), { tool: CLOCK }]));
  return [
    await sdk(1, folder, catalog, upstream),
    await sdk(2, folder, catalog, upstream),
    await mcpProxy(folder, catalog, upstream),
  ];
}

/** Runs the same servers with only the tools that they are given. */
export async function sdkListing(folder: string, listed: object[]): Promise<Peer[]> {
  const catalog = join(folder, 'listed.json');
  writeFileSync(catalog, JSON.stringify(listed.map((tool) => ({ tool }))));
  const peers = [await sdk(1, folder, catalog, ''), await sdk(2, folder, catalog, '')];
  return peers.map((peer) => ({
    ...peer,
    asks: { ...asks, list: { method: 'tools/list', params: {}, proof: /"execute_tools"/ } },
  }));
}

async function sdk(major: 1 | 2, folder: string, catalog: string, upstream: string): Promise<Peer> {
  const port = await freePort();
  const version = VERSIONS[major === 1 ? '@modelcontextprotocol/sdk' : '@modelcontextprotocol/server'];
  return {
    name: 'Official SDK',
    version,
    url: `http://127.0.0.1:${port}/mcp`,
    credentials: {},
    command: [process.execPath, [join(folder, `sdk-v${major}.mjs`), catalog, upstream, TOKEN, String(port)]],
    env: {},
    log: join(folder, `sdk-v${major}.log`),
    asks,
  };
}

async function mcpProxy(folder: string, catalog: string, upstream: string): Promise<Peer> {
  const port = await freePort();
  const bin = join(folder, 'node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs');
  const behind = [process.execPath, join(folder, 'sdk-stdio.mjs'), catalog, upstream, TOKEN];
  return {
    name: 'mcp-proxy',
    version: VERSIONS['mcp-proxy'],
    url: `http://127.0.0.1:${port}/mcp`,
    credentials: {},
    command: [
      process.execPath,
      [bin, '--port', String(port), '--server', 'stream', '--stateless', '--', ...behind],
    ],
    env: {},
    log: join(folder, 'mcp-proxy.log'),
    asks,
  };
}
