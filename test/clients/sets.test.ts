// Runs unmodified clients against a set of the real process: the official SDKs of TypeScript and Python, and the Inspector.
// Each reads the list of the set and runs its tool by name. reference: Sets
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v2 from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import { type Banner, type Gateway, openSite, runProgram, type Site } from '../support/gateway-process.ts';

const PACKAGE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json'));
const INSPECTOR = join(dirname(PACKAGE), 'clients/launcher/build/index.js');
const PYTHON = join(import.meta.dirname, 'python');
const CALL = { name: 'time_now', arguments: { timeZone: 'Europe/Berlin' } };
const NAMES = ['time_now', 'github_list_issues', 'read_result', 'connect'];

let site: Site;
let gateway: Gateway & Banner;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
  const made = await gateway.request('/api/sets', {
    method: 'POST',
    headers: { ...byKey(), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'work', tools: ['time_now', 'github_list_issues'] }),
  });
  expect(made.status).toBe(201);
});
afterAll(() => site.close());

const byKey = () => ({ 'x-service-api-key': gateway.apiKey });
const address = () => new URL('/mcp/sets/work', gateway.base);

interface SetClient {
  listTools(): Promise<{ tools: { name: string; title?: string | undefined; annotations?: unknown }[] }>;
  callTool(call: typeof CALL): Promise<Record<string, unknown>>;
}

async function useSet(client: SetClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(NAMES);
  expect(tools[1]).toMatchObject({ title: 'GitHub: list issues', annotations: { readOnlyHint: true } });
  const { content, isError } = await client.callTool(CALL);
  expect([isError, JSON.stringify(content)]).toEqual([undefined, expect.stringContaining('Europe/Berlin')]);
  const missing = await client.callTool({ ...CALL, name: 'github_list_issues' });
  expect(missing['isError']).toBe(true);
}

it('the SDK v1 uses a set', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(address(), { requestInit: { headers: byKey() } }));
  expect(client.getServerVersion()).toMatchObject({ name: 'work', title: 'work' });
  await useSet(client);
  await client.close();
});

it.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)('the SDK v2 uses a set, %j', async (mode) => {
  const client = new v2.Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(
    new v2.StreamableHTTPClientTransport(address(), { requestInit: { headers: byKey() } }),
  );
  expect(client.getServerVersion()).toMatchObject({ name: 'work' });
  await useSet(client);
  await client.close();
});

describe.each(['legacy', 'auto', 'modern'])('the Inspector, %s', (era) => {
  async function inspect(...args: string[]) {
    const server = ['--server-url', address().href, '--transport', 'http', '--protocol-era', era];
    const header = ['--header', `x-service-api-key: ${gateway.apiKey}`];
    const command = [process.execPath, INSPECTOR, '--cli', ...server, ...header, '--format', 'json'];
    const { exited, output } = runProgram([...command, ...args], { HOME: site.dataDir });
    const { code } = await exited;
    expect(code, output.stderr).toBe(0);
    return JSON.parse(output.stdout).result;
  }

  it('lists a set strictly, and runs its tool', async () => {
    const { tools } = await inspect('--method', 'tools/list', '--strict');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(NAMES);
    const args = JSON.stringify(CALL.arguments);
    const result = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      CALL.name,
      '--tool-args-json',
      args,
    );
    expect(result.content[0].text).toContain('Europe/Berlin');
  });
});

for (const generation of ['1', '2']) {
  const python = join(PYTHON, `mcp-${generation}/.venv/bin/python`);
  const missing = existsSync(python)
    ? undefined
    : `mcp-${generation}/.venv is missing; npm run clients:python`;
  const excuse = process.env['WITHOUT_PYTHON_CLIENTS'];
  describeWith(
    `the Python SDK of generation ${generation}`,
    missing,
    () =>
      it('uses a set', { timeout: 60_000 }, async () => {
        const env = { GATEWAY_URL: gateway.base, GATEWAY_KEY: gateway.apiKey, PYTHONDONTWRITEBYTECODE: '1' };
        const program = [python, join(PYTHON, `set_${generation}.py`)];
        const { exited, output } = runProgram(program, { ...env, HOME: site.dataDir });
        const { code } = await exited;
        expect(code, output.stderr).toBe(0);
        const seen = JSON.parse(output.stdout);
        expect(seen.tools).toEqual(NAMES);
        expect(seen.text).toContain('Europe/Berlin');
        expect(seen.missing).toMatch(/^NOT_CONNECTED/);
      }),
    { excuse },
  );
}
