// Lists the servers of others that the gateway is tested with: how each is started, in which modes, and what it does not do
// for any client. test/counterparts/servers.test.ts runs them, and the table of docs/mcp-servers.md is made of them.
import { join } from 'node:path';

/** How a mode is written in the table. Each program takes the name of a mode and a port. */
export const MODES = {
  sessions: 'Streamable HTTP',
  json: 'Streamable HTTP, JSON answers',
  stateless: 'Streamable HTTP, no sessions',
  'stateless-json': 'Streamable HTTP, JSON answers, no sessions',
  sse: 'HTTP+SSE',
  stdio: 'stdio',
};

export type Mode = keyof typeof MODES;

/**
 * Progress, that it notices that a call was cancelled, that it tells when its tools have changed, that it keeps each digit of
 * an integer, and that an error of the protocol always arrives.
 */
export type Lack = 'progress' | 'cancelling' | 'changes' | 'digits' | 'refusals';

export interface Counterpart {
  /** The package, as people know it. */
  name: string;
  /** Begins the names of its imports. */
  id: string;
  language: string;
  command: (mode: Mode, port: number) => string[];
  /** What it does not do in each of its modes. */
  modes: Readonly<Partial<Record<Mode, readonly Lack[]>>>;
}

/** What one environment needs. */
export interface Suite {
  name: string;
  /** Is there once the programs are installed. */
  installed: string;
  /** The variable that says why they could not be installed. */
  excuse?: string;
  counterparts: readonly Counterpart[];
}

const FOLDER = import.meta.dirname;

/** An environment of Python with one server. */
function python(
  environment: string,
  program: string,
  counterpart: Omit<Counterpart, 'command' | 'language'>,
): Suite {
  const installed = join(FOLDER, 'python', environment, '.venv/bin/python');
  const file = join(FOLDER, 'python', `${program}.py`);
  const command: Counterpart['command'] = (mode, port) => [installed, file, mode, String(port)];
  const counterparts = [{ ...counterpart, language: 'Python', command }];
  return { name: environment, installed, excuse: 'WITHOUT_PYTHON_SERVERS', counterparts };
}

const goProgram = (name: string) => join(FOLDER, 'go/.bin', name);
const go =
  (name: string): Counterpart['command'] =>
  (mode, port) => [goProgram(name), mode, String(port)];

const JAVA = join(FOLDER, 'java');
const java =
  (generation: number): Counterpart['command'] =>
  (mode, port) => [
    'java',
    // They start in half the time, and no test runs for long enough to want more.
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-cp',
    `${join(JAVA, `.classes/${generation}`)}:${join(JAVA, `.lib/${generation}/*`)}`,
    'Counterpart',
    mode,
    String(port),
  ];

const RUST = join(FOLDER, 'rust/.target/debug/counterpart');

const typescript =
  (program: string): Counterpart['command'] =>
  (mode, port) => [process.execPath, join(FOLDER, 'typescript', `${program}.ts`), mode, String(port)];

export const SUITES: readonly Suite[] = [
  {
    name: 'typescript',
    installed: FOLDER,
    counterparts: [
      {
        name: '@modelcontextprotocol/sdk',
        id: 'ts1',
        language: 'TypeScript',
        command: typescript('v1'),
        modes: {
          sessions: ['digits'],
          json: ['progress', 'digits'],
          stateless: ['changes', 'digits'],
          'stateless-json': ['progress', 'changes', 'digits'],
          sse: ['digits'],
          stdio: ['digits'],
        },
      },
      {
        name: '@modelcontextprotocol/server',
        id: 'ts2',
        language: 'TypeScript',
        command: typescript('v2'),
        modes: {
          sessions: ['digits'],
          json: ['progress', 'digits'],
          stateless: ['digits'],
          'stateless-json': ['progress', 'digits'],
          stdio: ['digits'],
        },
      },
    ],
  },
  python('mcp-1', 'mcp_1', {
    name: 'mcp',
    id: 'py1',
    modes: {
      sessions: [],
      json: ['progress'],
      stateless: ['changes'],
      'stateless-json': ['progress', 'cancelling', 'changes'],
      sse: [],
      stdio: [],
    },
  }),
  python('mcp-2', 'mcp_2', {
    name: 'mcp',
    id: 'py2',
    modes: {
      sessions: [],
      json: ['progress', 'cancelling'],
      stateless: [],
      'stateless-json': ['progress', 'cancelling'],
      sse: [],
      stdio: [],
    },
  }),
  python('fastmcp-3', 'fast_mcp', {
    name: 'fastmcp',
    id: 'fast3',
    modes: {
      sessions: [],
      json: ['progress'],
      stateless: ['cancelling', 'changes'],
      'stateless-json': ['progress', 'cancelling', 'changes'],
      sse: [],
      stdio: [],
    },
  }),
  python('fastmcp-4', 'fast_mcp', {
    name: 'fastmcp',
    id: 'fast4',
    modes: {
      sessions: ['changes'],
      json: ['progress', 'cancelling', 'changes'],
      stateless: [],
      'stateless-json': ['progress', 'cancelling', 'changes'],
      sse: [],
      stdio: [],
    },
  }),
  {
    name: 'go',
    installed: goProgram('official'),
    excuse: 'WITHOUT_GO_SERVERS',
    counterparts: [
      {
        name: 'modelcontextprotocol/go-sdk',
        id: 'go',
        language: 'Go',
        command: go('official'),
        modes: {
          sessions: ['digits'],
          json: ['digits'],
          stateless: ['changes', 'digits'],
          'stateless-json': ['progress', 'changes', 'digits'],
          sse: ['digits'],
          stdio: ['digits'],
        },
      },
      {
        name: 'mark3labs/mcp-go',
        id: 'go3',
        language: 'Go',
        command: go('mark3labs'),
        modes: {
          sessions: ['progress'],
          stateless: ['progress', 'changes'],
          sse: ['progress'],
          stdio: ['progress'],
        },
      },
    ],
  },
  {
    name: 'java',
    installed: join(JAVA, '.classes/2/Counterpart.class'),
    excuse: 'WITHOUT_JAVA_SERVERS',
    counterparts: [1, 2].map((generation) => ({
      name: 'io.modelcontextprotocol.sdk',
      id: `java${generation}`,
      language: 'Java',
      command: java(generation),
      modes: {
        sessions: ['cancelling', 'refusals'],
        'stateless-json': ['progress', 'cancelling', 'changes'],
        sse: ['cancelling', 'refusals'],
        stdio: ['cancelling'],
      },
    })),
  },
  {
    name: 'rust',
    installed: RUST,
    excuse: 'WITHOUT_RUST_SERVERS',
    counterparts: [
      {
        name: 'rmcp',
        id: 'rust',
        language: 'Rust',
        command: (mode, port) => [RUST, mode, String(port)],
        modes: { sessions: [], stateless: [], 'stateless-json': [], stdio: [] },
      },
    ],
  },
];
