// The real program, started as a user starts it, in a process group, folder and port of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const LAUNCHER = ['node', 'adapters/node/launch.mjs'];
const MAIN = [...LAUNCHER, 'adapters/node/main.ts'];

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Program {
  /** Everything it has said so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** Settles when it and everything it started have let go of its output. */
  readonly exited: Promise<Exit>;
  /** Settles when its stdout holds the text; rejects when it ends before. */
  says(text: string): Promise<void>;
  /** To the process itself, or to its whole group as a terminal would. */
  signal(name: NodeJS.Signals, whom?: 'process' | 'group'): void;
  /** Whether any process of its group is left. */
  hasProcesses(): boolean;
}

export interface Gateway extends Program {
  readonly base: string;
  readonly port: number;
  /** From the banner; empty where it shows none. */
  readonly portalLink: string;
  readonly session: string;
  readonly apiKey: string;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** SIGTERM, and the end of it. */
  stop(): Promise<Exit>;
}

export interface GatewayOptions {
  env?: Record<string, string>;
  /** What to start instead, in words: `npm start`. */
  command?: readonly string[];
  port?: number;
}

/** One DATA_DIR and all that runs on it. */
export interface Site {
  /** Not there before something makes it. */
  dataDir: string;
  spawn(options?: GatewayOptions): Promise<Gateway>;
  /** The same, and waits until it listens. */
  start(options?: GatewayOptions): Promise<Gateway>;
  /** Runs the seed script to its end. */
  seed(
    args: readonly string[],
    env?: Record<string, string>,
  ): Promise<Exit & Pick<Program, 'stdout' | 'stderr'>>;
  close(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-site-'));
  const dataDir = join(folder, 'data');
  const programs: Program[] = [];

  function run(command: readonly string[], env: Record<string, string>): Program {
    const program = runProgram(command, { HOME: folder, DATA_DIR: dataDir, ...env });
    programs.push(program);
    return program;
  }

  async function spawnGateway({ env = {}, command = MAIN, port }: GatewayOptions = {}): Promise<Gateway> {
    const own = port ?? (await freePort());
    return asGateway(run(command, { PORT: String(own), ...env }), own);
  }

  return {
    dataDir,
    spawn: spawnGateway,
    async start(options) {
      const gateway = await spawnGateway(options);
      await gateway.says('"event":"listening"');
      return gateway;
    },
    async seed(args, env = {}) {
      const program = run([...LAUNCHER, 'adapters/node/seed.ts', ...args], env);
      return { ...(await program.exited), stdout: program.stdout, stderr: program.stderr };
    },
    async close() {
      for (const program of programs) program.signal('SIGKILL', 'group');
      await Promise.all(programs.map(({ exited }) => exited));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  // A server that listens on TCP has this kind of address.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

// A user's PATH: without what npm and our launcher put in front of it for the tests.
function hostPath(): string {
  const places = process.env['PATH']?.split(delimiter) ?? [];
  return places.filter((place) => !place.includes('node_modules')).join(delimiter);
}

function runProgram([file = '', ...args]: readonly string[], env: Record<string, string>): Program {
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { PATH: hostPath(), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const exited = exitOf(child);

  return {
    get stdout() {
      return said.stdout;
    },
    get stderr() {
      return said.stderr;
    },
    exited,
    async says(text) {
      while (!said.stdout.includes(text)) {
        const exit = await Promise.race([exited, once(child.stdout, 'data').then(() => null)]);
        if (exit !== null) throw new Error(`it ended without "${text}":\n${said.stdout}${said.stderr}`);
      }
    },
    signal: (name, whom = 'process') => void send(child, name, whom),
    hasProcesses: () => send(child, 0, 'group'),
  };
}

async function exitOf(child: ChildProcess): Promise<Exit> {
  // 'close', not 'exit': the launcher on an old Node may be gone before the process it has started.
  const [code, signal] = await once(child, 'close');
  return { code, signal };
}

function send({ pid }: ChildProcess, signal: NodeJS.Signals | 0, whom: 'process' | 'group'): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(whom === 'group' ? -pid : pid, signal);
  } catch {
    return false;
  }
}

function asGateway(program: Program, port: number): Gateway {
  const base = `http://localhost:${port}`;
  const banner = (pattern: RegExp) => pattern.exec(program.stdout)?.[1] ?? '';
  const properties = {
    base,
    port,
    request: (path: string, init?: RequestInit) => fetch(new URL(path, base), init),
    stop() {
      program.signal('SIGTERM');
      return program.exited;
    },
    get portalLink() {
      return banner(/^ {2}Portal +(\S+)$/m);
    },
    get session() {
      return banner(/^ {2}Portal +\S+#token=(\S+)$/m);
    },
    get apiKey() {
      return banner(/^ {2}API key +([0-9a-f]{64})$/m);
    },
  };
  // Not a spread: what it has said is read when it is asked for.
  return Object.create(program, Object.getOwnPropertyDescriptors(properties));
}
