// Lets real, unmodified clients drive a script over the real process: it pauses, a person says yes, and it goes on.
// reference: Scripts; decision: 059
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v2 from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';

const MCP_REMOTE = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'));
const MODERN = '2026-07-28';
const ABOUT = { name: 'test', version: '1.0.0' };

let site: Site;
let gateway: Gateway & Banner;
let home: string;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
  home = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
  const rules = [{ tool: 'time_convert', decision: 'ask' }];
  expect(await asPerson('PUT', '/api/policy', { rules })).toMatchObject({ rules });
});
afterAll(async () => {
  await site.close();
  await rm(home, { recursive: true, force: true });
});

async function asPerson(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${gateway.session}`, 'content-type': 'application/json' };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await gateway.request(path, { method, headers, ...init })).json();
}
const approve = async (url: string) =>
  expect(
    await asPerson('POST', `/api/approvals/${url.split('/').at(-1)}`, { decision: 'approve' }),
  ).toMatchObject({ state: 'approved' });

const address = () => new URL('/mcp', gateway.base);
const requestInit = () => ({ headers: { 'x-service-api-key': gateway.apiKey } });

interface Calls {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

async function overV1(): Promise<Calls> {
  const client = new Client(ABOUT);
  await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: requestInit() }));
  return client;
}

async function overV2(options: ConstructorParameters<typeof v2.Client>[1]): Promise<v2.Client> {
  const client = new v2.Client(ABOUT, options);
  await client.connect(new v2.StreamableHTTPClientTransport(address(), { requestInit: requestInit() }));
  return client;
}

async function overMcpRemote(): Promise<Calls> {
  const client = new Client(ABOUT);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MCP_REMOTE, address().href, '--header', `x-service-api-key:${gateway.apiKey}`],
      env: { PATH: '/usr/bin:/bin', HOME: home, MCP_REMOTE_CONFIG_DIR: home, BROWSER: '/bin/true' },
      stderr: 'ignore',
    }),
  );
  return client;
}

/** What an agent writes. The clock and the name make each test's call another one. */
const codeFor = (name: string) => `
const cities: string[] = input.cities;
const here = [];
for (const city of cities) here.push((await tools.time_now({ timeZone: city })).timeZone);
const later = await tools.time_convert({ time: '2026-01-02T10:00:00', from: cities[0], to: cities[1] });
return { name: '${name}', here, later: select(later, 'type(@)') };`;
const CITIES = ['Europe/Berlin', 'Asia/Tokyo'];

async function execute(client: Calls, args: object) {
  const executions = [{ tool: 'script_run', args }];
  const answer = await client.callTool({ name: 'execute_tools', arguments: { executions } });
  const { content } = answer as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? '').results[0];
}

/** The calls of a run, by the audit log. */
async function callsOf(run: string): Promise<string[]> {
  const { entries } = await asPerson('GET', '/api/audit?limit=200');
  return entries
    .filter((entry: { script?: string; success: boolean }) => entry.script === run && entry.success)
    .map(({ tool }: { tool: string }) => tool)
    .toSorted();
}
const wanted = (name: string) => ({ result: { name, here: CITIES, later: 'object' } });
const ALL_CALLS = ['time_convert', 'time_now', 'time_now'];

describe.each<[string, () => Promise<Calls>]>([
  ['the SDK of TypeScript, first generation', overV1],
  [
    'the SDK of TypeScript, second generation, in the era before',
    () => overV2({ versionNegotiation: { mode: 'legacy' } }),
  ],
  [
    'the SDK of TypeScript, second generation, in the modern era',
    () => overV2({ versionNegotiation: { mode: { pin: MODERN } } }),
  ],
  ['mcp-remote', overMcpRemote],
])('%s', (name, connect) => {
  it.each(['resume', 'the same call'])('drives a script over a pause, and goes on with %s', async (how) => {
    const client = await connect();
    const code = codeFor(`${name} ${how}`);
    const sent = { code, input: { cities: CITIES } };
    const asked = await execute(client, sent);
    expect(asked).toMatchObject({
      error: 'APPROVAL_REQUIRED',
      message: expect.stringContaining('What has already run is not repeated'),
      script: { run: expect.any(String) },
    });
    await approve(asked.approval.url);
    const { run } = asked.script;
    const ran = await execute(client, how === 'resume' ? { resume: run } : sent);
    expect(ran).toEqual({ ...wanted(`${name} ${how}`), script: { run } });
    await expect.poll(() => callsOf(run)).toEqual(ALL_CALLS);
    await client.close();
  });
});

describe('the SDK of TypeScript, in a client that opens addresses', () => {
  it('drives a script to its end with one call, while the person says yes', async () => {
    const client = await overV2({
      versionNegotiation: { mode: { pin: MODERN } },
      capabilities: { elicitation: { url: {} } },
    });
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('the gateway only asks by URL');
      await approve(params.url);
      return { action: 'accept' };
    });
    const ran = await execute(client, { code: codeFor('opens'), input: { cities: CITIES } });
    expect(ran).toMatchObject(wanted('opens'));
    await expect.poll(() => callsOf(ran.script.run)).toEqual(ALL_CALLS);
    await client.close();
  });
});
