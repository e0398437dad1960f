// Measures what scripts cost: a small one, the memory of a thread, and how long others wait while two people attack.
import { readFileSync } from 'node:fs';
import type { Row } from './main.ts';
import { processorSeconds } from './proc.ts';
import { type Gateway, seed, startGateway } from './servers.ts';

const SECONDS = 6;
const BAR = 200;
const SMALL = 40;
const THREADS = 4;

/** Each uses up what one run may take, in its own way. */
const ATTACKS = [
  ['infinite loop', 'while (true) {}'],
  ['bad regular expression', 'return /^(a+)+$/.test("a".repeat(50) + "b")'],
  [
    'allocation loop',
    'for (;;) { const all = []; try { for (;;) all.push(new Array(1000).fill(1)) } catch {} }',
  ],
  ['native indexOf', 'return "a".repeat(1.6e7).indexOf("a".repeat(8e6) + "b")'],
  [
    'JSON bomb',
    'tools.time_now({ text: "x".repeat(4e6) }); for (;;) try { JSON.stringify(JSON.parse("[" + "[1,2,3],".repeat(5e5) + "1]")) } catch {}',
  ],
] as const;

export async function scriptRows(): Promise<Row[]> {
  // Not pinned: the threads of scripts need the other core.
  const gateway = await startGateway(undefined, {}, null);
  try {
    return await measure(gateway);
  } finally {
    await gateway.stop();
  }
}

async function measure(gateway: Gateway): Promise<Row[]> {
  const people = ['bystander', 'first', 'second'].map((name) =>
    seed({ DATA_DIR: gateway.dataDir }, undefined, `${name}@example.com`),
  );
  const [bystander = '', first = '', second = ''] = people.map(({ apiKey }) => apiKey);
  const bystand = async () => {
    const end = performance.now() + SECONDS * 1_000;
    return sample(
      () => performance.now() < end,
      () => post(gateway, bystander, 'time', 'time_now', {}),
    );
  };
  await bystand();
  await script(gateway, bystander, 'return 1');
  const memory = await threadMemory(gateway, second);
  let left = SMALL;
  const small = await sample(
    () => left-- > 0,
    () => script(gateway, bystander, 'return await tools.time_now()'),
  );
  const rows: Row[] = [
    { work: 'A script of one call', measured: shown(small), bar: null, holds: true },
    {
      work: 'Memory of a thread with a small script',
      measured: memory,
      bar: null,
      holds: true,
    },
    { work: "A bystander's calls, alone", measured: shown(await bystand()), bar: null, holds: true },
  ];
  for (const [name, code] of ATTACKS) {
    const stop = new AbortController();
    const attacks = [first, second].map((key) => attack(gateway, key, code, stop.signal));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const before = processorSeconds(gateway.pid);
    const times = await bystand();
    const used = (processorSeconds(gateway.pid) - before) / SECONDS;
    stop.abort();
    await Promise.all(attacks);
    rows.push({
      work: `The same beside two people whose scripts attack: ${name}`,
      measured: `${shown(times)}, the gateway took ${used.toFixed(1)} processors`,
      bar: `p99 < ${BAR} ms`,
      holds: percentile(times, 0.99) < BAR,
    });
  }
  return rows;
}

/** Runs one script after the other until it is told to stop. */
async function attack(gateway: Gateway, key: string, code: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await script(gateway, key, code, signal).catch(() => {});
}

/** Scripts that compute for some seconds at once; what the process takes more, for each of them. */
async function threadMemory(gateway: Gateway, key: string): Promise<string> {
  const before = residentMebibytes(gateway.pid);
  const stop = new AbortController();
  // The same script would be the same run.
  const runs = Array.from({ length: THREADS }, (_, at) =>
    script(gateway, key, `while (true) {} // ${at}`, stop.signal).catch(() => {}),
  );
  let most = before;
  for (let look = 0; look < 20; look++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    most = Math.max(most, residentMebibytes(gateway.pid));
  }
  stop.abort();
  await Promise.all(runs);
  return `${((most - before) / THREADS).toFixed(0)} MiB, of ${THREADS} at once`;
}

function script(gateway: Gateway, key: string, code: string, signal?: AbortSignal): Promise<void> {
  return post(gateway, key, 'scripts', 'script_run', { code }, signal);
}

async function post(
  { url }: Gateway,
  key: string,
  integration: string,
  tool: string,
  args: object,
  signal: AbortSignal | null = null,
): Promise<void> {
  const answer = await fetch(`${url}/rest/${integration}`, {
    method: 'POST',
    headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ tool, args }),
    signal,
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
}

/** The milliseconds of each call, sorted. One caller makes one after the other. */
async function sample(goesOn: () => boolean, call: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  while (goesOn()) {
    const begun = performance.now();
    await call();
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b);
}

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN;

const shown = (sorted: readonly number[]): string =>
  `p50 ${percentile(sorted, 0.5).toFixed(1)} ms, p99 ${percentile(sorted, 0.99).toFixed(1)} ms`;

function residentMebibytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
