// Lists servers that people install from the registries of npm and Python: how each is started, and one harmless call.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAMS } from '../support/mcp-servers.ts';
import type { MODES } from './programs.ts';

export type UsedMode = Extract<keyof typeof MODES, 'sessions' | 'sse' | 'stdio'>;

/** What the calls are about: a folder that is a repository, and the address of a page. */
export interface Things {
  folder: string;
  page: string;
}

export interface UsedServer {
  name: string;
  registry: 'npm' | 'PyPI';
  /** The program that has to be there. */
  program: string;
  version: () => string;
  command: (mode: UsedMode, port: number, things: Things) => string[];
  env?: (things: Things) => Record<string, string>;
  modes: readonly UsedMode[];
  call: (things: Things) => { tool: string; args: Record<string, unknown> };
}

type Given = Pick<UsedServer, 'name' | 'call'> & Partial<UsedServer>;

function fromPython(environment: string, given: Given): UsedServer {
  const folder = join(import.meta.dirname, 'python', environment);
  const program = join(folder, '.venv/bin', given.name);
  const pins = () => readFileSync(join(folder, 'requirements.in'), 'utf8').split('\n');
  const pin = `${given.name}==`;
  return {
    registry: 'PyPI',
    program,
    version: () =>
      pins()
        .find((line) => line.startsWith(pin))
        ?.slice(pin.length) ?? '',
    command: () => [program],
    modes: ['stdio'],
    ...given,
  };
}

function fromNpm(key: keyof typeof PROGRAMS, given: Omit<Given, 'name'>): UsedServer {
  const program = PROGRAMS[key];
  return {
    name: `@modelcontextprotocol/server-${key}`,
    registry: 'npm',
    program,
    version: () => JSON.parse(readFileSync(join(program, '../../package.json'), 'utf8')).version,
    command: () => [process.execPath, program],
    modes: ['stdio'],
    ...given,
  };
}

const SEARCH = 'servers-1/.venv/bin/duckduckgo-mcp-server';
const EVERYTHING = { sessions: 'streamableHttp', sse: 'sse', stdio: 'stdio' };

export const USED_SERVERS: readonly UsedServer[] = [
  fromNpm('everything', {
    command: (mode, port) => ['env', `PORT=${port}`, process.execPath, PROGRAMS.everything, EVERYTHING[mode]],
    modes: ['stdio', 'sessions', 'sse'],
    call: () => ({ tool: 'get-sum', args: { a: 2, b: 3 } }),
  }),
  fromNpm('filesystem', {
    command: (_mode, _port, { folder }) => [process.execPath, PROGRAMS.filesystem, folder],
    call: ({ folder }) => ({ tool: 'list_directory', args: { path: folder } }),
  }),
  fromNpm('memory', {
    env: ({ folder }) => ({ MEMORY_FILE_PATH: join(folder, '.git/memory.json') }),
    call: () => ({ tool: 'read_graph', args: {} }),
  }),
  fromNpm('sequential-thinking', {
    call: () => ({
      tool: 'sequentialthinking',
      args: { thought: 'Tea is a drink.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    }),
  }),
  fromPython('servers-1', {
    name: 'duckduckgo-mcp-server',
    command: (mode, port) => [
      join(import.meta.dirname, 'python', SEARCH),
      '--allow-private-urls',
      '--cache-ttl',
      '0',
      ...(mode === 'stdio' ? [] : ['--host', '127.0.0.1', '--port', String(port)]),
      '--transport',
      mode === 'sessions' ? 'streamable-http' : mode,
    ],
    modes: ['stdio', 'sessions', 'sse'],
    call: ({ page }) => ({ tool: 'fetch_content', args: { url: page } }),
  }),
  fromPython('servers-1', {
    name: 'mcp-server-fetch',
    command: () => [
      join(import.meta.dirname, 'python/servers-1/.venv/bin/mcp-server-fetch'),
      '--ignore-robots-txt',
      '--allow-private-ips',
    ],
    call: ({ page }) => ({ tool: 'fetch', args: { url: page, raw: true } }),
  }),
  fromPython('servers-1', {
    name: 'mcp-server-git',
    call: ({ folder }) => ({ tool: 'git_log', args: { repo_path: folder, max_count: 1 } }),
  }),
  fromPython('servers-1', {
    name: 'mcp-server-time',
    call: () => ({
      tool: 'convert_time',
      args: { source_timezone: 'Asia/Tokyo', time: '12:00', target_timezone: 'Asia/Kolkata' },
    }),
  }),
  fromPython('servers-2', {
    name: 'mcp-server-calculator',
    call: () => ({ tool: 'calculate', args: { expression: '6 * 7' } }),
  }),
  fromPython('servers-2', {
    name: 'mcp-server-sqlite',
    command: (_mode, _port, { folder }) => [
      join(import.meta.dirname, 'python/servers-2/.venv/bin/mcp-server-sqlite'),
      '--db-path',
      join(folder, '.git/teas.db'),
    ],
    call: () => ({ tool: 'read_query', args: { query: 'SELECT 6 * 7 AS answer' } }),
  }),
];

export const isThere = ({ program }: UsedServer) => existsSync(program);
