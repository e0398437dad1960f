// Runs the clients and frameworks of Python, unmodified, against the real process: each lists, searches and runs, and its
// model mends a wrong argument and a failed call from what it reads. WRITE_CLIENTS=1 writes the table of docs/clients.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import { type Banner, type Gateway, openSite, ROOT, type Site } from '../support/gateway-process.ts';
import { NINE } from '../support/mcp.ts';
import { type ClientProgram, rowOf, runClient, type Seen } from './client-programs.ts';

const FOLDER = join(import.meta.dirname, 'python');
const PAGE = join(ROOT, 'docs/clients.md');
/** Why Python packages could not be installed: their registry cannot be reached from everywhere. */
const WITHOUT_PYTHON = process.env['WITHOUT_PYTHON_CLIENTS'];

type Row = Omit<ClientProgram, 'language' | 'command'> & { program: string };

/** The clients of each environment: not all of them fit together. */
const CLIENTS: Record<string, Row[]> = {
  'mcp-1': [
    { name: 'mcp', program: 'mcp_1' },
    { name: 'langchain-mcp-adapters', program: 'langchain_adapters' },
    { name: 'semantic-kernel', program: 'semantic_kernel_client', lacks: ['connect'] },
    { name: 'smolagents', program: 'smol_agents' },
    { name: 'google-adk', program: 'google_adk' },
    { name: 'strands-agents', program: 'strands_agents' },
  ],
  'mcp-2': [
    { name: 'mcp', program: 'mcp_2' },
    { name: 'fastmcp', program: 'fast_mcp', throws: true },
    { name: 'openai-agents', program: 'openai_agents' },
    { name: 'llama-index-tools-mcp', program: 'llama_index_tools', losesMembers: true },
    { name: 'pydantic-ai-slim', program: 'pydantic_ai_client' },
  ],
  crewai: [{ name: 'crewai-tools', program: 'crew_ai' }],
};

let site: Site;
let gateway: Gateway & Banner;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
});
afterAll(() => site.close());

for (const [environment, rows] of Object.entries(CLIENTS)) {
  const python = join(FOLDER, environment, '.venv/bin/python');
  const missing = existsSync(python) ? undefined : `${environment}/.venv is missing; npm run clients:python`;
  const clients = rows.map(({ program, ...row }): ClientProgram => {
    const command = [python, join(FOLDER, `${program}.py`)];
    return { ...row, language: 'Python', command };
  });
  if (missing !== undefined && WITHOUT_PYTHON !== undefined) {
    process.stderr.write(`SKIPPED the Python clients of ${environment}: ${WITHOUT_PYTHON}\n`);
    describe.skip(environment, () => it('needs packages that could not be installed'));
  } else describeWith(`the Python clients of ${environment}`, missing, () => testClients(clients));
}

function testClients(clients: readonly ClientProgram[]): void {
  it.each(clients)('$name does what an agent does, and mends its mistakes', { timeout: 180_000 }, use);
}

async function use(client: ClientProgram): Promise<void> {
  const { base, apiKey } = gateway;
  const seen = await runClient(client, {
    GATEWAY_URL: base,
    GATEWAY_KEY: apiKey,
    HOME: site.dataDir,
    PYTHONDONTWRITEBYTECODE: '1',
  });
  const lacks = client.lacks ?? [];
  expect(seen.tools).toEqual(NINE.filter((name) => !lacks.includes(name)).toSorted());
  expect(seen.keepsMembers).toBe(client.losesMembers !== true);
  const isThrown = client.throws === true;
  expect(shown(seen, 'search')).toEqual({ text: expect.stringContaining('time_now'), thrown: false });
  expect(shown(seen, 'run')).toEqual({ text: expect.stringContaining('Europe/Berlin'), thrown: false });
  const mistake = 'Invalid arguments: tool: must be a name, or a list of 1 to 50 names';
  expect(shown(seen, 'wrong')).toEqual({ text: expect.stringContaining(mistake), thrown: isThrown });
  expect(shown(seen, 'mended')).toEqual({ text: expect.stringContaining('IANA time zone'), thrown: false });
  expect(shown(seen, 'failing')).toEqual({
    text: expect.stringMatching(/Unrecognized key.*timezone.*known: timeZone/),
    thrown: isThrown,
  });
  expect(shown(seen, 'repaired')).toEqual({ text: expect.stringContaining('Europe/Berlin'), thrown: false });
  checkRow(rowOf(client, seen));
}

function shown({ steps }: Seen, step: string) {
  const found = steps.get(step);
  return found === undefined ? `no step ${step}` : { text: found.text, thrown: found.thrown };
}

/** Looks for the row in the page, or writes it there in the place of the client's last one. */
function checkRow(row: string): void {
  const page = readFileSync(PAGE, 'utf8');
  if (process.env['WRITE_CLIENTS'] !== '1') return expect(page.split('\n')).toContain(row);
  const [, name = '', , version = ''] = row.split('|').map((cell) => cell.trim());
  const isSame = (line: string) =>
    line.startsWith(`| ${name} | Python | ${version.split('.', 1)[0]}.`) && line !== row;
  const kept = page.split('\n').filter((line) => !isSame(line) && line !== row);
  const at = kept.findIndex((line) => line.startsWith('| Client |')) + 2;
  const end = kept.findIndex((line, index) => index >= at && !line.startsWith('|'));
  const rows = [...kept.slice(at, end), row].toSorted();
  writeFileSync(PAGE, [...kept.slice(0, at), ...rows, ...kept.slice(end)].join('\n'));
}
