// Measures how fast a jot's files are served, compared with nginx and the framework's static middleware, and
// what archive bombs cost.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rawHeader, rawTar } from '../support/raw-tar.ts';
import type { Row } from './main.ts';
import { requestsPerSecond } from './load.ts';
import { median } from './median.ts';
import { processorSeconds } from './proc.ts';
import { type Gateway, type Running, startGateway, startNginx, startStatic } from './servers.ts';

const ROUNDS = 5;
const SECONDS = 2;
const FILES = [
  { what: '1 KiB', name: '1k.bin', size: 1024, bar: 0.6 },
  { what: '1 MiB', name: '1m.bin', size: 1024 * 1024, bar: 0.5 },
];
const STATIC_BAR = 3;
const BOMBS = 8;
const BOMB_BYTES = 1024 ** 3;
const BOMB_MIB = 128;
const BOMB_SECONDS = 2;

interface Side {
  pid: number;
  url: string;
}

export async function jotRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'jots-bench-'));
  const contents = FILES.map(({ name, size }) => [name, randomBytes(size)] as const);
  for (const [name, bytes] of contents) writeFileSync(join(folder, name), bytes);
  const gateway = await startGateway();
  const nginx = await startNginx(folder, 'debian');
  const bareNginx = await startNginx(folder, 'bare');
  const framework = await startStatic(folder);
  try {
    await deploy(gateway, [['index.html', Buffer.from('bench')], ...contents]);
    const rows: Row[] = [];
    for (const { what, name, bar } of FILES) {
      const at = ({ url, pid }: Running, path = ''): Side => ({
        pid,
        url: `${url.replace('localhost', '127.0.0.1')}${path}/${name}`,
      });
      const ours = at(gateway, '/j/bench');
      for (const { how, server, its } of [
        { how: 'as Debian sets it up', server: nginx, its: bar },
        { how: 'without a log, with files held open', server: bareNginx, its: null },
      ]) {
        const work = `${what} files, against nginx static (one worker) ${how}`;
        if (server !== null) rows.push(await against(work, ours, at(server), its));
      }
      const middleware = `${what} files, against the framework's static middleware`;
      rows.push(await against(middleware, ours, at(framework), STATIC_BAR));
    }
    rows.push(...(await bombRows(gateway)));
    return rows;
  } finally {
    await Promise.all([gateway.stop(), nginx?.stop(), bareNginx?.stop(), framework.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns requests per second of the server's own processor time, so that the load of other processes does
 * not count.
 */
async function perProcessorSecond(pid: number, url: string): Promise<number> {
  const before = processorSeconds(pid);
  const rate = await requestsPerSecond({ url, headers: {} }, SECONDS);
  return (rate * SECONDS) / (processorSeconds(pid) - before);
}

async function against(work: string, ours: Side, other: Side, bar: number | null): Promise<Row> {
  // The first rounds warm up both sides and do not count.
  for (const { url } of [ours, other]) await requestsPerSecond({ url, headers: {} }, SECONDS);
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rate = await perProcessorSecond(ours.pid, ours.url);
    rates.push(rate);
    ratios.push(rate / (await perProcessorSecond(other.pid, other.url)));
  }
  const ratio = median(ratios);
  return {
    work: `jots, ${work}, requests per processor second`,
    measured: `${ratio.toFixed(2)} × (${Math.round(median(rates))}/s)`,
    bar: bar === null ? null : `≥ ${bar} ×`,
    holds: ratio >= (bar ?? 0),
  };
}

async function tool(gateway: Gateway, name: string, args: object) {
  const response = await fetch(`${gateway.url}/rest/jots`, {
    method: 'POST',
    headers: { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: name, args }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer.result;
}

async function deploy(gateway: Gateway, files: (readonly [string, Buffer])[]): Promise<void> {
  const { uploadUrl } = await tool(gateway, 'deploy_jot', { name: 'bench' });
  const archive = gzipSync(rawTar(files.map(([name, content]) => ({ name, content }))));
  const response = await fetch(uploadUrl, { method: 'POST', body: archive });
  if (!response.ok) throw new Error(await response.text());
}

/**
 * Makes four bombs: one file of a gibibyte, a gibibyte in files within the limit, endless headers, and
 * endless zeros.
 */
function bombs(): [string, Buffer][] {
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  const repeat = (block: Buffer, bytes: number) => {
    const whole = Buffer.alloc(bytes);
    for (let at = 0; at < bytes; at += block.length) block.copy(whole, at);
    return gzipSync(whole, { level: 1 });
  };
  const member = gzipSync(zeros);
  const plain = Buffer.concat(Array.from({ length: BOMB_BYTES / zeros.length }, () => member));
  const oneFile = Buffer.concat([gzipSync(rawHeader({ name: 'big', size: BOMB_BYTES })), plain]);
  const file = 10 * 1024 * 1024;
  const manyFiles = Buffer.concat(
    Array.from({ length: 100 }, (_, n) => [
      gzipSync(rawHeader({ name: `${n}`, size: file })),
      gzipSync(zeros.subarray(0, file)),
    ]).flat(),
  );
  return [
    ['one file', oneFile],
    ['files of 10 MiB', manyFiles],
    ['a flood of entries', repeat(rawHeader({ name: 'x' }), 256 * 1024 * 1024)],
    ['zeros', plain],
  ];
}

async function bombRows(gateway: Gateway): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, bytes] of bombs()) {
    const packed = `${what}, ${(bytes.length / 1024 ** 2).toFixed(1)} MiB packed`;
    const alone = await blow(gateway, bytes, 1);
    rows.push({
      work: `a bomb alone: ${packed}`,
      measured: `${alone.seconds.toFixed(1)} s, ${alone.statuses}`,
      bar: `≤ ${BOMB_SECONDS} s, refused`,
      holds: alone.seconds <= BOMB_SECONDS && alone.refused,
    });
    const together = await blow(gateway, bytes, BOMBS);
    rows.push({
      work: `${BOMBS} bombs at once: ${packed}`,
      measured: `+${together.added.toFixed(0)} MiB, ${together.statuses}`,
      bar: `≤ +${BOMB_MIB} MiB, refused`,
      holds: together.added <= BOMB_MIB && together.refused,
    });
  }
  return rows;
}

async function blow(gateway: Gateway, bytes: Buffer, count: number) {
  const offers = await Promise.all(
    Array.from({ length: count }, () => tool(gateway, 'deploy_jot', { name: 'bomb' })),
  );
  const before = resident(gateway.pid, 'VmRSS');
  writeFileSync(`/proc/${gateway.pid}/clear_refs`, '5');
  const begun = performance.now();
  const statuses = await Promise.all(
    offers.map(
      async ({ uploadUrl }) =>
        (await fetch(uploadUrl, { method: 'POST', body: new Uint8Array(bytes) })).status,
    ),
  );
  return {
    seconds: (performance.now() - begun) / 1000,
    added: resident(gateway.pid, 'VmHWM') - before,
    statuses: [...new Set(statuses)].join(' '),
    refused: statuses.every((status) => status >= 400 && status < 500),
  };
}

function resident(pid: number, field: string): number {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
