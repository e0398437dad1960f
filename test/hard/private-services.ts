// Starts a private PostgreSQL and Redis, so that a test can kill them without disturbing others.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/listen.ts';
import { isReachable } from '../support/services.ts';

export interface PrivateService {
  url: string;
  start(): Promise<void>;
  /** Sends SIGKILL, which has the effect of a power cut. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Returns null when PostgreSQL is not installed. */
export async function createPrivatePostgres(): Promise<PrivateService | null> {
  const bin = postgresBin();
  if (bin === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'hard-postgres-'));
  const data = join(folder, 'data');
  // PostgreSQL refuses to run as root.
  const other = userInfo().uid === 0 ? idsOf('postgres') : null;
  if (other !== null) chownSync(folder, other.uid, other.gid);
  const owner = other ?? {};
  spawnSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'], owner);
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return service(url, () => spawn(join(bin, 'postgres'), args, { ...owner, stdio: 'ignore' }), folder);
}

export async function createPrivateRedis(): Promise<PrivateService | null> {
  if (spawnSync('redis-server', ['--version']).error !== undefined) return null;
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  return service(`redis://127.0.0.1:${port}`, () => spawn('redis-server', args, { stdio: 'ignore' }));
}

function service(url: string, run: () => ChildProcess, folder?: string): PrivateService {
  let child: ChildProcess | null = null;
  // Kills the service also when the suite itself crashes.
  process.once('exit', () => child?.kill('SIGKILL'));
  const kill = async () => {
    if (child === null || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    child = null;
  };
  return {
    url,
    kill,
    async start() {
      child = run();
      while (!(await isReachable(url))) await pause(50);
    },
    async close() {
      await kill();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function postgresBin(): string | null {
  const root = '/usr/lib/postgresql';
  try {
    const newest = readdirSync(root).toSorted().at(-1);
    return newest === undefined ? null : join(root, newest, 'bin');
  } catch {
    return null;
  }
}

function idsOf(user: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
