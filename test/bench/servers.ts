// Starts the processes that a bench measures on free ports, each pinned to one core where possible.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../support/listen.ts';

const ROOT = join(import.meta.dirname, '../..');
const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0;

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface Gateway extends Running {
  apiKey: string;
  session: string;
  dataDir: string;
  /** Milliseconds from the start of the process to its first response. */
  startMs: number;
}

/** Pins a command to a core, so that load and server do not compete for it. */
export function pinned(core: number, command: string, args: string[]): [string, string[]] {
  return canPin ? ['taskset', ['-c', String(core), command, ...args]] : [command, args];
}

export async function startBare(bytesFile: string): Promise<Running> {
  const port = await freePort();
  const child = start([join(ROOT, 'test/bench/bare.ts'), bytesFile, String(port)], {});
  await answers(`http://127.0.0.1:${port}/`);
  return { url: `http://127.0.0.1:${port}/`, pid: child.pid ?? 0, stop: () => stop(child) };
}

/** Starts oidc-provider with this many refresh tokens. */
export async function startOidcPeer(count: number): Promise<Running & { tokens: string[] }> {
  const port = await freePort();
  const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'tokens');
  const log = `${file}.log`;
  const child = start([join(ROOT, 'test/bench/oidc-peer.ts'), file, String(port), String(count)], {}, log);
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  return {
    url,
    pid: child.pid ?? 0,
    tokens: readFileSync(file, 'utf8').split('\n'),
    stop: () => stop(child),
  };
}

/** Starts the framework's static middleware over a folder. */
export function startStatic(folder: string): Promise<Running> {
  return startScript('test/bench/static.ts', (port) => [folder, String(port)]);
}

/** Starts one of the bench's scripts. */
export async function startScript(script: string, args: (port: number) => string[]): Promise<Running> {
  const port = await freePort();
  const child = start([join(ROOT, script), ...args(port)], {});
  await answers(`http://127.0.0.1:${port}/`);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => stop(child) };
}

/** Starts the upstream of the peers on the core of the load. */
export async function startUpstream(token: string): Promise<Running> {
  const port = await freePort();
  const child = start([join(ROOT, 'test/bench/peers/upstream.ts'), String(port), token], {}, undefined, 1);
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  return { url, pid: child.pid ?? 0, stop: () => stop(child) };
}

/**
 * Two ways to serve files: Debian's settings, which log each request as the gateway does, and the minimum.
 */
const NGINX_SETTINGS = {
  debian: (home: string) => `access_log ${home}/access;`,
  bare: () => 'access_log off; open_file_cache max=100;',
};

/** Starts nginx with one worker and sendfile over a folder. Returns null where it is not installed. */
export async function startNginx(
  folder: string,
  settings: keyof typeof NGINX_SETTINGS,
): Promise<Running | null> {
  if (spawnSync('nginx', ['-v']).error !== undefined) return null;
  const port = await freePort();
  const home = mkdtempSync(join(tmpdir(), 'nginx-bench-'));
  const file = join(home, 'nginx.conf');
  writeFileSync(
    file,
    `worker_processes 1; daemon off; master_process off; pid ${home}/pid; error_log ${home}/error;
events { worker_connections 1024; }
http {
  ${NGINX_SETTINGS[settings](home)} sendfile on; tcp_nopush on; keepalive_requests 1000000000;
  client_body_temp_path ${home}/a; proxy_temp_path ${home}/b; fastcgi_temp_path ${home}/c;
  uwsgi_temp_path ${home}/d; scgi_temp_path ${home}/e;
  server { listen 127.0.0.1:${port}; root ${folder}; }
}`,
  );
  const [command, args] = pinned(0, 'nginx', ['-c', file]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await answers(`http://127.0.0.1:${port}/`);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => stop(child) };
}

export async function startGateway(
  entry = join(ROOT, 'dist/server/main.js'),
  env: Record<string, string> = {},
  core: number | null = 0,
): Promise<Gateway> {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  const url = `http://localhost:${port}`;
  const settings = { PORT: String(port), DATA_DIR: dataDir, ...env };
  const begun = performance.now();
  const child = start([entry], settings, join(dataDir, 'log'), core);
  await answers(`${url}/mcp`);
  const startMs = performance.now() - begun;
  // The seed of the same version: another one could change the schema.
  const { apiKey, session } = seed(settings, join(dirname(entry), 'seed.js'));
  return {
    url,
    pid: child.pid ?? 0,
    apiKey,
    session,
    dataDir,
    startMs,
    async stop() {
      await stop(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The e-mail of the person that `seed` creates. */
export const BENCH_EMAIL = 'bench@example.com';

/** Creates a person with a key and a session in the store of these settings. */
export function seed(
  settings: Record<string, string>,
  script = join(ROOT, 'adapters/node/seed.ts'),
  email = BENCH_EMAIL,
): { apiKey: string; session: string } {
  const seeded = spawnSync(process.execPath, [script, '--email', email, '--json'], {
    env: { ...process.env, ...settings },
    encoding: 'utf8',
  });
  return JSON.parse(seeded.stdout);
}

/** Starts a process on one core. `null` pins nothing, for a process whose children need the other core. */
function start(
  args: string[],
  env: Record<string, string>,
  logFile?: string,
  core: number | null = 0,
): ChildProcess {
  const [command, rest] = core === null ? [process.execPath, args] : pinned(core, process.execPath, args);
  const out = logFile === undefined ? 'ignore' : openSync(logFile, 'w');
  return spawn(command, rest, { env: { ...process.env, ...env }, stdio: ['ignore', out, 'inherit'] });
}

async function answers(url: string): Promise<void> {
  for (let attempt = 0; attempt < 2_000; attempt++) {
    try {
      await (await fetch(url)).arrayBuffer();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  throw new Error(`${url} does not answer`);
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}
