// Uses servers of the registries of npm and Python: what they list and answer is what the official client gets of them.
// WRITE_COUNTERPARTS=1 writes the table of docs/mcp-servers.md.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, type ExpectStatic, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { integrations } from '../../integrations/all.ts';
import { describeWith } from '../support/describe-with.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { type OpenedServers, openServers } from '../support/local-servers.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { MODES } from './programs.ts';
import { startCounterpart } from './started.ts';
import { openTable } from './table.ts';
import { isThere, type Things, USED_SERVERS, type UsedMode, type UsedServer } from './used-servers.ts';

const TIMEOUT_MS = 180_000;
const POLL = { timeout: 60_000, interval: 100 };
const CELLS = USED_SERVERS.flatMap((server, index) =>
  server.modes.map((mode) => ({
    server,
    mode,
    id: `used${index}_${mode}`,
    name: `${server.name} over ${MODES[mode]}`,
  })),
);

let app: TestApp;
let ana: ImportUser;
let operated: OpenedServers;
let pages: HttpServer;
let things: Things;
let listed: Promise<void>;
const stop = new AbortController();
const table = openTable('| Server | Registry |');

const entryOf = ({ command, env }: UsedServer) => {
  const [program = '', ...args] = command('stdio', 0, things);
  return { command: program, args, env: env?.(things) ?? {} };
};

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'used-servers-'));
  await writeFile(join(folder, 'notes.txt'), 'tea');
  const git = (...args: string[]) => promisify(execFile)('git', ['-C', folder, ...args]);
  await git('init', '--quiet');
  await git('add', '.');
  await git(
    '-c',
    'user.name=Ana',
    '-c',
    'user.email=ana@example.com',
    'commit',
    '--quiet',
    '-m',
    'Add notes',
  );
  const page = '<html><body><article><h1>Tea</h1><p>Tea is a drink.</p></article></body></html>';
  pages = await startHttpServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(page),
  );
  things = { folder, page: `http://127.0.0.1:${pages.port}/tea` };
  const local = CELLS.filter(({ mode, server }) => mode === 'stdio' && isThere(server));
  operated = await openServers(Object.fromEntries(local.map(({ id, server }) => [id, entryOf(server)])));
  const clock = createSystemClock(setImmediate);
  app = await createTestApp({ ports: { clock, integrations, localServers: operated.localServers } });
  ana = createImportUser(app, await app.user('owner@localhost'));
  listed = app.deps.imports.start(stop.signal);
});
afterAll(async () => {
  table.write();
  stop.abort();
  await listed;
  await app.deps.mcp.close();
  await app.close();
  await operated.close();
  await pages.close();
  await rm(things.folder, { recursive: true });
});

for (const registry of ['npm', 'PyPI'] as const) {
  const cells = CELLS.filter(({ server }) => server.registry === registry);
  const isMissing = cells.some(({ server }) => !isThere(server));
  const missing = isMissing ? 'they are missing; npm run counterparts:python' : undefined;
  const excuse = registry === 'PyPI' ? process.env['WITHOUT_PYTHON_SERVERS'] : undefined;
  const title = `the servers of ${registry}`;
  describeWith(
    title,
    missing,
    () =>
      it.concurrent.for(cells)(
        '$name: lists and answers as for the official client',
        { timeout: TIMEOUT_MS },
        async ({ id, mode, server }, { expect }) => {
          const count = await (mode === 'stdio'
            ? useLocal(server, id, expect)
            : useRemote(server, mode, id, expect));
          table.add([`\`${server.name}\``, registry, server.version(), MODES[mode], String(count)], expect);
        },
      ),
    { excuse },
  );
}

async function useLocal(server: UsedServer, id: string, expect: ExpectStatic): Promise<number> {
  const seen = await askOfficially(
    server,
    new StdioClientTransport({ ...entryOf(server), stderr: 'ignore' }),
  );
  await expect.poll(() => namesOf(id), POLL).toEqual(seen.names);
  await compare(server, id, seen, expect);
  return seen.names.length;
}

async function useRemote(
  server: UsedServer,
  mode: UsedMode,
  id: string,
  expect: ExpectStatic,
): Promise<number> {
  const { command, name } = server;
  const started = await startCounterpart({ name, command: (_, port) => command(mode, port, things) }, mode);
  try {
    const url = new URL(started.address);
    const Transport = mode === 'sse' ? SSEClientTransport : StreamableHTTPClientTransport;
    const seen = await askOfficially(server, new Transport(url));
    const added = await ana.send('POST', '/api/imports', { address: started.address, name: id });
    expect(added).toMatchObject({ status: 201 });
    expect(await namesOf(id)).toEqual(seen.names);
    await compare(server, id, seen, expect);
    return seen.names.length;
  } finally {
    await started.close();
  }
}

interface Official {
  names: string[];
  answer: unknown;
}

async function askOfficially(
  { call }: UsedServer,
  transport: Parameters<Client['connect']>[0],
): Promise<Official> {
  const client = new Client({ name: 'official', version: '1' });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const { tool, args } = call(things);
    const { content, structuredContent } = await client.callTool({ name: tool, arguments: args });
    const texts = content.map((block) => (block.type === 'text' ? block.text : ''));
    // The gateway runs no tool that wants to be a task, and a value alone stands for itself.
    const names = tools
      .filter(({ execution }) => execution?.taskSupport !== 'required')
      .map(({ name }) => name.replaceAll('-', '_'));
    const text = texts.join('\n');
    const members: [string, unknown][] = Object.entries(structuredContent ?? {});
    const value = new Map(members).get('result');
    return { names: names.toSorted(), answer: value ?? structuredContent ?? text };
  } finally {
    await client.close();
  }
}

async function namesOf(id: string): Promise<string[]> {
  const { body } = await ana.send('GET', `/api/imports/${id}`);
  const tools: { name: string; state: string }[] = body.tools ?? [];
  return tools
    .filter(({ state }) => state === 'granted')
    .map(({ name }) => name.slice(id.length + 1))
    .toSorted();
}

async function compare(
  { call }: UsedServer,
  id: string,
  { answer }: Official,
  expect: ExpectStatic,
): Promise<void> {
  const ask = async () => {
    const { body, status } = await ana.send('POST', `/rest/${id}`, call(things));
    return { status, result: body.result, error: body.error };
  };
  // A server of the file is shown a moment before its tools can be called.
  await expect.poll(ask, POLL).toEqual({ status: 200, result: answer });
}
