// Measures the requests per second of a URL with wrk, where it is installed, and with autocannon.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { pinned } from './servers.ts';

export interface Shot {
  url: string;
  headers: Record<string, string>;
  /** The body of a POST; without a body the request is a GET. Each request replaces `[<id>]` by a new id. */
  body?: string;
  /** The number of concurrent connections. */
  connections?: number | undefined;
}

export const CONNECTIONS = 32;
const ID = '[<id>]';
const WRK_IDS = `local sent = 0
request = function()
  sent = sent + 1
  return wrk.format(nil, nil, nil, (wrk.body:gsub("%[<id>%]", sent)))
end
`;
export type LoadTool = 'wrk' | 'autocannon';

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;
/** wrk can send more than any server here answers. autocannon itself limits the fastest servers. */
export const LOAD_TOOL: LoadTool = hasWrk ? 'wrk' : 'autocannon';
export const LOAD_TOOLS: readonly LoadTool[] = hasWrk ? ['wrk', 'autocannon'] : ['autocannon'];

export function requestsPerSecond(shot: Shot, seconds: number, tool = LOAD_TOOL): Promise<number> {
  return tool === 'wrk' ? byWrk(shot, seconds) : byAutocannon(shot, seconds);
}

function byWrk({ url, headers, body, connections }: Shot, seconds: number): Promise<number> {
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`);
  const request = body === undefined ? '' : `wrk.method = "POST"\nwrk.body = [==[${body}]==]\n`;
  const each = body?.includes(ID) === true ? WRK_IDS : '';
  return wrkPerSecond(url, `${request}${lines.join('\n')}\n${each}`, seconds, connections);
}

/** Measures requests per second with a custom wrk script. */
export async function wrkPerSecond(
  url: string,
  script: string,
  seconds: number,
  connections = CONNECTIONS,
): Promise<number> {
  const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'shot.lua');
  writeFileSync(file, script);
  const [command, args] = pinned(1, 'wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', file, url]);
  const output = await run(command, args);
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1];
  if (refused !== undefined) throw new Error(`${url}: ${refused} answers were not 2xx`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1] ?? Number.NaN);
}

async function byAutocannon(
  { url, headers, body, connections = CONNECTIONS }: Shot,
  seconds: number,
): Promise<number> {
  const result = await autocannon({
    url,
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body === undefined ? {} : { body }),
    connections,
    duration: seconds,
    idReplacement: body?.includes(ID) === true,
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
