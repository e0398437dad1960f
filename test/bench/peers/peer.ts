// Starts, stops and restarts the servers under comparison over the same 2,000 tools.
import { spawn } from 'node:child_process';
import { openSync, readFileSync, writeSync } from 'node:fs';
import { childrenOf } from '../proc.ts';
import { pinned, stop as end } from '../servers.ts';
import { ask, type Ask, type Conversation, converse } from './conversation.ts';

export type Work = 'list' | 'search' | 'call' | 'builtin';

export interface Peer {
  name: string;
  version: string;
  url: string;
  credentials: Record<string, string>;
  command: [string, string[]];
  env: Record<string, string>;
  log: string;
  /** A string says why the peer cannot do this work. */
  asks: Record<Work, Ask | string>;
  /** Adds the 2,000 tools once while the peer runs. The peer keeps them across a restart. */
  prepare?: () => Promise<void>;
}

export interface Running {
  conversation: Conversation;
  /** Milliseconds from the start of the process to its first correct response about its tools. */
  startMs: number;
  residentMegabytes(): number;
  stop(): Promise<void>;
}

const PATIENCE_MS = 30_000;

export async function start(peer: Peer): Promise<Running> {
  const [command, args] = pinned(0, ...peer.command);
  const out = openSync(peer.log, 'a');
  const begun = performance.now();
  const child = spawn(command, args, { env: { ...process.env, ...peer.env }, stdio: ['ignore', out, out] });
  // Reports a command that does not exist.
  child.once('error', (error) => writeSync(out, String(error)));
  const stop = async () => {
    if (child.pid !== undefined) await end(child);
  };
  try {
    for (;;) {
      const conversation = await firstAnswer(peer);
      const startMs = performance.now() - begun;
      if (conversation !== null)
        return { conversation, startMs, residentMegabytes: () => residentMegabytes(child.pid ?? 0), stop };
      if (child.pid === undefined || child.exitCode !== null || startMs > PATIENCE_MS)
        throw new Error(readFileSync(peer.log, 'utf8').trim().split('\n').at(-1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstAnswer({ url, credentials, asks: { list } }: Peer): Promise<Conversation | null> {
  try {
    const conversation = await converse(url, credentials);
    return typeof list === 'string' || (await ask(conversation, list)).ok ? conversation : null;
  } catch {
    return null;
  }
}

/** Returns the memory of the process and all processes that it started. */
function residentMegabytes(pid: number): number {
  const own = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return childrenOf(pid).reduce((sum, child) => sum + residentMegabytes(child), Number(own) / 1024);
}
