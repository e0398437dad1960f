// Starts local MCP servers for tests: each is a command, and each start is a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { LocalProcess, LocalServers } from '../../src/ports/local-servers.ts';

export interface LocalProcesses extends LocalServers {
  /** Every process that was ever started. */
  readonly started: ChildProcess[];
}

export function createLocalProcesses(
  commands: Record<string, readonly string[]>,
  env: Record<string, string> = {},
): LocalProcesses {
  const started: ChildProcess[] = [];

  async function start(name: string): Promise<LocalProcess> {
    const [command = '', ...args] = commands[name] ?? [];
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    started.push(child);
    const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
    const running: LocalProcess = {
      onMessage: null,
      onEnd: null,
      send: (message) =>
        new Promise((resolve, reject) => {
          child.stdin.write(`${message}\n`, (error) =>
            error === null || error === undefined ? resolve() : reject(new Error('the process has ended')),
          );
        }),
      async end() {
        child.kill();
        await ended;
      },
    };
    createInterface({ input: child.stdout }).on('line', (line) => running.onMessage?.(line));
    child.stdin.on('error', () => {});
    void ended.then(() => running.onEnd?.({ reason: `The local server ${name} has ended`, words: '' }));
    return running;
  }

  return {
    maxProcesses: 50,
    servers: Object.keys(commands).map((name) => ({ name, fields: [] })),
    started,
    start,
    async close() {
      for (const child of started) child.kill();
    },
  };
}
