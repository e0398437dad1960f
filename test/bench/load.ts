// Requests per second that a URL answers: wrk where it is installed, autocannon otherwise.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { pinned } from './servers.ts';

export interface Shot {
  url: string;
  headers: Record<string, string>;
  /** A POST; without one it is a GET. */
  body?: string;
}

const CONNECTIONS = 32;
const hasWrk = spawnSync('wrk', ['--version']).error === undefined;
export const LOAD_TOOL = hasWrk ? 'wrk' : 'autocannon';

export function requestsPerSecond(shot: Shot, seconds: number): Promise<number> {
  return hasWrk ? byWrk(shot, seconds) : byAutocannon(shot, seconds);
}

async function byWrk({ url, headers, body }: Shot, seconds: number): Promise<number> {
  const script = join(mkdtempSync(join(tmpdir(), 'bench-')), 'shot.lua');
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`);
  const post = body === undefined ? [] : ['wrk.method = "POST"', `wrk.body = [==[${body}]==]`];
  writeFileSync(script, `${[...post, ...lines].join('\n')}\n`);
  const [command, args] = pinned(1, 'wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, url]);
  const output = await run(command, args);
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1];
  if (refused !== undefined) throw new Error(`${url}: ${refused} answers were not 2xx`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1] ?? Number.NaN);
}

async function byAutocannon({ url, headers, body }: Shot, seconds: number): Promise<number> {
  const result = await autocannon({
    url,
    headers,
    ...(body === undefined ? {} : { method: 'POST' as const, body }),
    connections: CONNECTIONS,
    duration: seconds,
  });
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} answers were not 2xx`);
  return result.requests.average;
}

function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} ${args.join(' ')} ended with ${code}`)),
    );
  });
}
