// Starts a counterpart that listens on a port, and starts it again on the same port.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';
import { freePort } from '../support/listen.ts';
import { isReachable } from '../support/services.ts';
import type { Counterpart, Mode } from './programs.ts';

export interface StartedCounterpart {
  address: string;
  /** Waits for the end of the process, and starts another one. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startCounterpart(
  { command, name }: Pick<Counterpart, 'command' | 'name'>,
  mode: Mode,
): Promise<StartedCounterpart> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: ChildProcess;
  let ended: Promise<unknown>;
  let said = '';

  async function start(): Promise<void> {
    const [program = '', ...args] = command(mode, port);
    child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
    ended = once(child, 'exit');
    const listens = async () => {
      if (!(await isReachable(origin))) throw new Error(`${name} does not listen: ${said}`);
    };
    await vi.waitFor(listens, { timeout: 90_000, interval: 100 });
  }

  await start();
  return {
    address: `${origin}/${mode === 'sse' ? 'sse' : 'mcp'}`,
    async restart() {
      await ended;
      await start();
    },
    async close() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
