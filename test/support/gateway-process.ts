// The real program, started as a user starts it, in a process group, folder and port of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './listen.ts';
import { waitFor } from './wait.ts';

export const ROOT = join(import.meta.dirname, '../..');
const LAUNCHER = ['node', 'adapters/node/launch.mjs'];
const MAIN = [...LAUNCHER, 'adapters/node/main.ts'];
const SEED = [...LAUNCHER, 'adapters/node/seed.ts'];

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  /** What it has said so far. */
  readonly output: Output;
  /** Settles when it and everything it started have let go of its output. */
  readonly exited: Promise<Exit>;
  /** Settles when its stdout holds the text; rejects when it ends before. */
  says(text: string): Promise<void>;
  /** To the process itself, or to its whole group as a terminal would. */
  signal(name: NodeJS.Signals, whom?: 'process' | 'group'): void;
  /** Whether any process of its group still runs. */
  hasProcesses(): boolean;
}

export interface Gateway extends Program {
  base: string;
  port: number;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** SIGTERM, and the end of it. */
  stop(): Promise<Exit>;
}

/** What a first start prints; empty where it prints none. */
export interface Banner {
  portalLink: string;
  session: string;
  apiKey: string;
}

export interface GatewayOptions {
  env?: Record<string, string>;
  /** What to start instead of the program itself. */
  command?: readonly string[];
  port?: number;
}

/** One DATA_DIR and all that runs on it. */
export interface Site {
  /** Not there before something makes it. */
  dataDir: string;
  spawn(options?: GatewayOptions): Promise<Gateway>;
  /** The same, once it listens. */
  start(options?: GatewayOptions): Promise<Gateway & Banner>;
  /** Runs the seed script to its end. */
  seed(args: readonly string[], env?: Record<string, string>): Promise<Exit & Output>;
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
    const base = `http://localhost:${own}`;
    const program = run(command, { PORT: String(own), ...env });
    return {
      ...program,
      base,
      port: own,
      request: (path, init) => fetch(new URL(path, base), init),
      stop() {
        program.signal('SIGTERM');
        return program.exited;
      },
    };
  }

  return {
    dataDir,
    spawn: spawnGateway,
    async start(options) {
      const gateway = await spawnGateway(options);
      await gateway.says('"event":"listening"');
      return { ...gateway, ...readBanner(gateway.output.stdout) };
    },
    async seed(args, env = {}) {
      const { exited, output } = run([...SEED, ...args], env);
      return { ...(await exited), ...output };
    },
    async close() {
      for (const program of programs) program.signal('SIGKILL', 'group');
      await Promise.all(programs.map(({ exited }) => exited));
      // A browser whose gateway was killed may write for a moment yet.
      await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

function readBanner(stdout: string): Banner {
  const first = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? '';
  return {
    portalLink: first(/^ {2}Portal +(\S+)$/m),
    session: first(/^ {2}Portal +\S+#token=(\S+)$/m),
    apiKey: first(/^ {2}API key +([0-9a-f]{64})$/m),
  };
}

/** Nothing of the tests' own environment but the PATH that a user has. */
export function runProgram(
  [file = '', ...args]: readonly string[],
  env: Record<string, string>,
  cwd = ROOT,
): Program {
  const child = spawn(file, args, {
    cwd,
    env: { PATH: hostPath(), ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const exited = exitOf(child);

  return {
    output,
    exited,
    async says(text) {
      while (!output.stdout.includes(text)) {
        const exit = await waitFor(
          `"${text}"`,
          Promise.race([exited, once(child.stdout, 'data').then(() => null)]),
          () => `\n${output.stdout}${output.stderr}`,
        );
        if (exit !== null) throw new Error(`it ended without "${text}":\n${output.stdout}${output.stderr}`);
      }
    },
    signal(name, whom = 'process') {
      if (child.pid !== undefined) send(whom === 'group' ? -child.pid : child.pid, name);
    },
    hasProcesses: () => child.pid !== undefined && groupRuns(child.pid),
  };
}

// Without what npm and our launcher put in front of it for the tests.
function hostPath(): string {
  const places = process.env['PATH']?.split(delimiter) ?? [];
  return places.filter((place) => !place.includes('node_modules')).join(delimiter);
}

async function exitOf(child: ChildProcess): Promise<Exit> {
  // 'close', not 'exit': a launcher may be gone before the process it has started.
  const [code, signal] = await once(child, 'close');
  return { code, signal };
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function groupRuns(group: number): boolean {
  if (process.platform !== 'linux') return send(-group, 0);
  // Signal 0 would count processes that are dead and only wait for a parent to ask: init may never.
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      const [state, , itsGroup] = statOf(pid);
      return itsGroup === String(group) && state !== 'Z';
    });
}

/** The fields after the name of the program, which may hold anything. */
function statOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
