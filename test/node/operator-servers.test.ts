// Tests that the servers of MCP_SERVERS are integrations of the real program, for unmodified clients. decision: 044
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ChangingServer, startChangingServer, tool } from '../support/changing-server.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { official } from '../support/local-servers.ts';
import { call } from '../support/mcp.ts';
import { createPostgresSchema, describeService, postgresUrl } from '../support/services.ts';

let site: Site;
const servers: ChangingServer[] = [];
beforeEach(async () => {
  site = await openSite();
});
afterEach(async () => {
  await site.close();
  for (const server of servers.splice(0)) await server.close();
});

async function writeServers(mcpServers: object): Promise<Record<string, string>> {
  const file = join(dirname(site.dataDir), 'mcp.json');
  await writeFile(file, JSON.stringify({ mcpServers }));
  return { MCP_SERVERS: file, TMPDIR: dirname(file) };
}

/** One person with a key, who is the first owner where the banner says so. */
interface Asker {
  gateway: Gateway;
  key: Record<string, string>;
}
const ownerOf = (gateway: Gateway & Banner): Asker => ({
  gateway,
  key: { 'x-service-api-key': gateway.apiKey },
});

async function run({ gateway, key }: Asker, name: string, args: object): Promise<Record<string, unknown>> {
  const { results } = await call(gateway, key, 'execute_tools', { executions: [{ tool: name, args }] });
  return results[0];
}

const untilIt = (asker: Asker, name: string, args: object = {}) =>
  expect.poll(async () => run(asker, name, args), { timeout: 25_000 });

async function addImport({ gateway, key }: Asker, form: object): Promise<{ status: number; error?: string }> {
  const headers = { ...key, 'content-type': 'application/json' };
  const response = await gateway.request('/api/imports', {
    method: 'POST',
    headers,
    body: JSON.stringify(form),
  });
  return { status: response.status, ...(await response.json()) };
}

const HELLO = { executions: [{ tool: 'everything_echo', args: { message: 'hello' } }] };
const ECHOED = { results: [{ result: 'Echo: hello' }] };
const textOf = ({ content }: Record<string, unknown>): unknown =>
  Array.isArray(content) ? JSON.parse(content[0].text) : null;

describe('a server of the operator’s file', () => {
  it('is called by unmodified clients of both generations of the SDK', async () => {
    const gateway = await site.start({ env: await writeServers({ everything: official('everything') }) });
    const owner = ownerOf(gateway);
    await untilIt(owner, 'everything_echo', { message: 'hello' }).toEqual({ result: 'Echo: hello' });

    const url = new URL('/mcp', gateway.base);
    const requestInit = { headers: owner.key };
    const first = new ClientV1({ name: 'test', version: '1.0.0' });
    await first.connect(new TransportV1(url, { requestInit }));
    const second = new Client({ name: 'test', version: '1.0.0' });
    await second.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    for (const client of [first, second]) {
      const said = await client.callTool({ name: 'execute_tools', arguments: HELLO });
      expect(textOf(said)).toMatchObject(ECHOED);
      await client.close();
    }
    expect((await gateway.stop()).code).toBe(0);
  });

  it('is gone at the start after its removal, and the others stay', async () => {
    const both = { everything: official('everything'), memory: official('memory') };
    const before = await site.start({ env: await writeServers(both) });
    const owner = ownerOf(before);
    await untilIt(owner, 'everything_echo', { message: 'hello' }).toEqual({ result: 'Echo: hello' });
    await untilIt(owner, 'memory_read_graph').toMatchObject({ result: expect.anything() });
    await before.stop();

    const after = await site.start({ env: await writeServers({ memory: both.memory }) });
    const later = { ...owner, gateway: after };
    await untilIt(later, 'everything_echo').toMatchObject({ error: 'Tool not found' });
    await untilIt(later, 'memory_read_graph').toMatchObject({ result: expect.anything() });
  });

  it('does not take the name of an import that a person has already', async () => {
    const server = await startChangingServer([tool('get')]);
    servers.push(server);
    const without = await site.start();
    const owner = ownerOf(without);
    expect(await addImport(owner, { address: server.address, name: 'everything' })).toMatchObject({
      status: 201,
    });
    await without.stop();

    const gateway = await site.start({ env: await writeServers({ everything: official('everything') }) });
    await gateway.says('a server of MCP_SERVERS could not be added');
    const later = { ...owner, gateway };
    expect(await run(later, 'everything_get', {})).toEqual({ result: 'get for nobody' });
    expect(await run(later, 'everything_echo', {})).toMatchObject({ error: 'Tool not found' });
  });

  it('keeps its name from the imports of people', async () => {
    const server = await startChangingServer([tool('get')]);
    servers.push(server);
    const gateway = await site.start({ env: await writeServers({ everything: official('everything') }) });
    const owner = ownerOf(gateway);
    await untilIt(owner, 'everything_echo', { message: 'hello' }).toEqual({ result: 'Echo: hello' });
    expect(await addImport(owner, { address: server.address, name: 'everything' })).toMatchObject({
      status: 409,
      error: expect.stringContaining('Choose another name'),
    });
  });
});

await describeService('on PostgreSQL', postgresUrl(), () => {
  it('is there once when two gateways start on one database at the same time', async () => {
    const schema = await createPostgresSchema();
    const server = await startChangingServer([tool('get')]);
    servers.push(server);
    const entries = { everything: official('everything'), shop: { url: server.address } };
    const env = { ...(await writeServers(entries)), DATABASE_URL: schema.url };
    const gateways = await Promise.all([site.start({ env }), site.start({ env })]);
    const owner = gateways.map(ownerOf).find(({ key }) => key['x-service-api-key'] !== '');
    if (owner === undefined) throw new Error('no gateway has made a key');
    for (const gateway of gateways) {
      const asker = { ...owner, gateway };
      await untilIt(asker, 'everything_echo', { message: 'hello' }).toEqual({ result: 'Echo: hello' });
      await untilIt(asker, 'shop_get').toEqual({ result: 'get for nobody' });
      const { imports } = await (await gateway.request('/api/imports', { headers: owner.key })).json();
      expect(imports.map(({ name }: { name: string }) => name)).toEqual(['everything', 'shop']);
    }
    for (const gateway of gateways) await gateway.stop();
    await schema.drop();
  });
});
