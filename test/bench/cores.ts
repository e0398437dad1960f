// Measures what a second process behind the same port adds, compared with one process. Load, gateway and PostgreSQL share the
// cores, so the load should cost little beside the work. A loop that does nothing else shows what the machine has to give,
// and the processor time of a request shows what the processes would do with cores of their own.
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresSchema, isReachable, postgresUrl } from '../support/services.ts';
import { requestsPerSecond, type Shot } from './load.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { childrenOf, processorSeconds } from './proc.ts';
import { curlToken } from './proxy.ts';
import { type Gateway, startBare, startGateway } from './servers.ts';

const WORKERS = 2;
/** Counts the rate, where the load and the database take their share of the same cores. */
const BAR = 1.7;
/** Counts the processor time of a call, as if PostgreSQL had cores of its own. */
const BAR_ON_POSTGRES = 1.5;
const BATCH = 20;
const LOOPS = 5;
const LOOP = `
  const end = performance.now() + 1000;
  let rounds = 0;
  for (; performance.now() < end; rounds++)
    for (let n = 0; n < 1000; n++) JSON.parse(JSON.stringify({ n, text: 'x'.repeat(n % 50) }));
  console.log(rounds)`;

const ROUNDS = 5;
const SECONDS = 3;

interface Work {
  work: string;
  /** Whether PostgreSQL is measured too. */
  stores?: boolean;
  shot(gateway: Gateway): Shot | Promise<Shot>;
}

const WORK: Work[] = [
  {
    work: 'search_tools',
    shot: toolCall('search_tools', { query: 'send an email with an attachment' }),
  },
  {
    work: `execute_tools, a batch of ${BATCH} built-in tools, audited durably`,
    stores: true,
    shot: toolCall('execute_tools', {
      executions: Array.from({ length: BATCH }, () => ({ tool: 'time_now', args: {} })),
    }),
  },
  {
    work: 'execute_tools, one built-in tool, audited durably',
    stores: true,
    shot: toolCall('execute_tools', { executions: [{ tool: 'time_now', args: {} }] }),
  },
  {
    work: '/c, 1 KiB down',
    stores: true,
    shot: async (gateway) => ({
      url: `${gateway.url}/c/resend/small`,
      headers: { authorization: `Bearer ${await curlToken(gateway)}` },
      // The upstream answers POST only.
      body: '{}',
    }),
  },
];

export async function coreRows(): Promise<Row[]> {
  if (cpus().length < WORKERS) {
    process.stderr.write('SKIPPED several processes: this machine has one core\n');
    return [];
  }
  const bytes = join(mkdtempSync(join(tmpdir(), 'bench-')), 'bytes');
  writeFileSync(bytes, 'x'.repeat(1024));
  const upstream = await startBare(bytes);
  const env = { UPSTREAM_MAP: `https://api.resend.com=${new URL(upstream.url).origin}` };
  try {
    const rows = [await loopRow(), ...(await rowsOn('SQLite', WORK, [env, env]))];
    if (!(await isReachable(postgresUrl()))) {
      process.stderr.write('SKIPPED several processes on PostgreSQL: it does not answer\n');
      return rows;
    }
    // A person has one key, and each gateway makes its own.
    const schemas = [await createPostgresSchema(), await createPostgresSchema()];
    const environments = schemas.map(({ url }) => ({ ...env, DATABASE_URL: url }));
    const stored = WORK.filter(({ stores }) => stores);
    const more = await rowsOn('PostgreSQL', stored, environments);
    for (const schema of schemas) await schema.drop();
    return [...rows, ...more];
  } finally {
    await upstream.stop();
  }
}

async function rowsOn(
  store: 'SQLite' | 'PostgreSQL',
  works: readonly Work[],
  [env, other]: readonly Record<string, string>[],
): Promise<Row[]> {
  const one = await startGateway(undefined, env, null);
  const several = await startGateway(undefined, { ...other, WORKERS: String(WORKERS) }, null);
  try {
    await isWhole(several);
    const rows: Row[] = [];
    for (const { work, shot } of works) {
      const { ratio, rate, perProcessorSecond } = await compare(
        [several, await shot(several)],
        [one, await shot(one)],
      );
      const byProcessor = WORKERS * perProcessorSecond;
      const onPostgres = store === 'PostgreSQL';
      rows.push({
        work: `${WORKERS} processes behind one port against one, ${work}, ${store}`,
        measured: `${ratio.toFixed(2)} × (${Math.round(rate)}/s), by processor time ${byProcessor.toFixed(2)} ×`,
        bar: onPostgres ? `≥ ${BAR_ON_POSTGRES} × by processor time` : `≥ ${BAR} ×`,
        holds: onPostgres ? byProcessor >= BAR_ON_POSTGRES : ratio >= BAR,
      });
    }
    return rows;
  } finally {
    await Promise.all([one.stop(), several.stop()]);
  }
}

/** The rounds alternate, so that a machine that slows down slows both sides. The first ones warm up both sides. */
async function compare(...[ours, theirs]: [[Gateway, Shot], [Gateway, Shot]]) {
  const rounds: { ratio: number; rate: number; perProcessorSecond: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const our = await measure(...ours);
    const their = await measure(...theirs);
    const perProcessorSecond = our.perProcessorSecond / their.perProcessorSecond;
    if (round > 0) rounds.push({ ratio: our.rate / their.rate, rate: our.rate, perProcessorSecond });
  }
  const middle = (of: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[of]));
  return {
    ratio: middle('ratio'),
    rate: middle('rate'),
    perProcessorSecond: middle('perProcessorSecond'),
  };
}

async function measure({ pid }: Gateway, shot: Shot) {
  const before = secondsOfAll(pid);
  const rate = await requestsPerSecond(shot, SECONDS);
  return { rate, perProcessorSecond: (rate * SECONDS) / (secondsOfAll(pid) - before) };
}

/** The processor time of a process and its children so far. NaN where there is no /proc. */
function secondsOfAll(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  return [pid, ...childrenOf(pid)].map(processorSeconds).reduce((sum, seconds) => sum + seconds);
}

/** Connections that open before all processes serve would go to the first one only. */
async function isWhole({ url }: Gateway): Promise<void> {
  const up = `service_worker_up{worker="${WORKERS}"} 1`;
  while (!(await (await fetch(`${url}/metrics`)).text()).includes(up)) await sleep(100);
}

async function loopRow(): Promise<Row> {
  const ratios: number[] = [];
  for (let round = 0; round < LOOPS; round++) {
    const alone = await loop();
    const together = await Promise.all(Array.from({ length: WORKERS }, loop));
    ratios.push(together.reduce((sum, rounds) => sum + rounds) / alone);
  }
  return {
    work: `${WORKERS} processes against one, an empty loop: the most that this machine gave`,
    measured: `${median(ratios).toFixed(2)} ×`,
    bar: null,
    holds: true,
  };
}

/** Counts the rounds of a loop in a process of its own. */
async function loop(): Promise<number> {
  const child = spawn(process.execPath, ['-e', LOOP], { stdio: ['ignore', 'pipe', 'inherit'] });
  return Number(await text(child.stdout));
}

function toolCall(name: string, args: object) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  return ({ url, apiKey }: Gateway): Shot => ({
    url: `${url}/mcp`,
    headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey },
    body,
  });
}
