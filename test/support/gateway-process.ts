// Starts the real program as a user does, in its own process group, folder and port.
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
/**
 * What `npm start` runs. npm and the launcher cost more than the start itself, so only tests of a person's first steps pay
 * for them.
 */
export const START = [process.execPath, 'adapters/node/start.mjs'];
const SEED = [...LAUNCHER, 'adapters/node/seed.ts'];
const USERS = [...LAUNCHER, 'adapters/node/users.ts'];
const AUDIT = [...LAUNCHER, 'adapters/node/audit.ts'];
const BACKUP = [...LAUNCHER, 'adapters/node/backup/backup.ts'];
const RESTORE = [...LAUNCHER, 'adapters/node/backup/restore.ts'];
const LINK = [...LAUNCHER, 'adapters/node/link.ts'];

// A program finds the compiled modules of the programs before it here. Compiling them costs more than any other part of a
// start.
const COMPILED = join(tmpdir(), 'gateway-compiled');

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  /** The output so far. */
  readonly output: Output;
  /** Resolves when the program and all processes that it started have closed the output. */
  readonly exited: Promise<Exit>;
  /** Resolves when stdout contains the text, and rejects when the program ends before. */
  says(text: string): Promise<void>;
  /** Signals the process itself, or its whole group as a terminal does. */
  signal(name: NodeJS.Signals, whom?: 'process' | 'group'): void;
  /** Tells whether any process of the group still runs. */
  hasProcesses(): boolean;
}

export interface Gateway extends Program {
  base: string;
  port: number;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<Exit>;
}

/** What a first start prints; the fields are empty on later starts. */
export interface Banner {
  portalLink: string;
  session: string;
  apiKey: string;
}

export interface GatewayOptions {
  env?: Record<string, string>;
  /** A command to start instead of the program itself. */
  command?: readonly string[];
  port?: number;
}

/** One DATA_DIR and everything that runs on it. */
export interface Site {
  /** The folder does not exist before a program makes it. */
  dataDir: string;
  spawn(options?: GatewayOptions): Promise<Gateway>;
  /** Spawns the program and waits until it listens. */
  start(options?: GatewayOptions): Promise<Gateway & Banner>;
  /** Runs the seed script to its end. */
  seed(args: readonly string[], env?: Record<string, string>): Promise<Exit & Output>;
  /** Runs the link script to its end. */
  link(args: readonly string[], env?: Record<string, string>): Promise<Exit & Output>;
  /** Runs the audit script to its end. */
  audit(args: readonly string[], env?: Record<string, string>): Promise<Exit & Output>;
  /** Runs the users script to its end. */
  users(args: readonly string[], env?: Record<string, string>): Promise<Exit & Output>;
  /** Runs the backup script to its end. */
  backup(args: readonly string[], env?: Record<string, string>): Promise<Exit & Output>;
  /** Runs the restore script to its end. */
  restore(args: readonly string[], env?: Record<string, string>): Promise<Exit & Output>;
  close(): Promise<void>;
}

export async function openSite(): Promise<Site> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-site-'));
  const dataDir = join(folder, 'data');
  const programs: Program[] = [];

  function run(command: readonly string[], env: Record<string, string>): Program {
    const program = runProgram(command, {
      HOME: folder,
      DATA_DIR: dataDir,
      NODE_COMPILE_CACHE: COMPILED,
      ...env,
    });
    programs.push(program);
    return program;
  }

  async function runToEnd(
    command: readonly string[],
    env: Record<string, string> = {},
  ): Promise<Exit & Output> {
    const { exited, output } = run(command, env);
    return { ...(await exited), ...output };
  }

  async function spawnGateway({ env = {}, command = MAIN, port }: GatewayOptions = {}): Promise<Gateway> {
    const own = port ?? (await freePort());
    const base = `http://localhost:${own}`;
    // Chromium would start after each published jot.
    const program = run(command, { PORT: String(own), JOT_THUMBNAILS: 'off', ...env });
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
    seed: (args, env) => runToEnd([...SEED, ...args], env),
    link: (args, env) => runToEnd([...LINK, ...args], env),
    audit: (args, env) => runToEnd([...AUDIT, ...args], env),
    users: (args, env) => runToEnd([...USERS, ...args], env),
    backup: (args, env) => runToEnd([...BACKUP, ...args], env),
    restore: (args, env) => runToEnd([...RESTORE, ...args], env),
    async close() {
      for (const program of programs) program.signal('SIGKILL', 'group');
      await Promise.all(programs.map(({ exited }) => exited));
      // A browser may still write for a moment after its gateway was killed.
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

/** Starts a program with only PATH from the tests' own environment. */
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

// Returns the PATH without the folders that npm and our launcher put first for the tests.
function hostPath(): string {
  const places = process.env['PATH']?.split(delimiter) ?? [];
  return places.filter((place) => !place.includes('node_modules')).join(delimiter);
}

async function exitOf(child: ChildProcess): Promise<Exit> {
  // Waits for 'close' and not for 'exit', because a launcher may end before the process that it started.
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
  // Signal 0 would also count zombies, and init may never reap them.
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      const [state, , itsGroup] = statOf(pid);
      return itsGroup === String(group) && state !== 'Z';
    });
}

/** Returns the fields after the program's name, because the name may contain anything. */
function statOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
