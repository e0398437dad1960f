// Measures the time from start to first response, and the memory of an idle gateway.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readVitals } from '../hard/vitals.ts';
import { openSite, type Site, START } from '../support/gateway-process.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { pinned, startGateway } from './servers.ts';

const ROUNDS = 5;
const IDLE_SECONDS = 12;
const IDLE_MIB = 130;
/** The compiled code is where npm start keeps it. */
const NPM_START = { command: START, env: { JOT_THUMBNAILS: 'on', NODE_COMPILE_CACHE: '' } };

export async function processRows(): Promise<Row[]> {
  const starts: number[] = [];
  const empties: number[] = [];
  let idle = Number.NaN;
  for (let round = 0; round < ROUNDS; round++) {
    empties.push(emptyProcess());
    const gateway = await startGateway();
    starts.push(gateway.startMs);
    if (round === ROUNDS - 1) {
      await sleep(IDLE_SECONDS * 1_000);
      idle = residentMegabytes(gateway.pid);
    }
    await gateway.stop();
  }
  const [start, empty] = [median(starts), median(empties)];
  const bar = 1.5 * empty + 500;
  return [
    {
      work: 'Start to first response, embedded default, bundle',
      measured: `${start.toFixed(0)} ms (an empty process ${empty.toFixed(0)} ms)`,
      bar: `≤ 1.5 × empty + 500 ms = ${bar.toFixed(0)} ms`,
      holds: start <= bar,
    },
    {
      work: 'Idle resident memory, embedded default, bundle whose code is compiled at its start',
      measured: `${idle.toFixed(0)} MiB`,
      bar: null,
      holds: true,
    },
    await idleUnderNpm(),
  ];
}

/** The first start makes the database and the keys, and compiles the code that later starts read. */
async function idleUnderNpm(): Promise<Row> {
  const site = await openSite();
  try {
    const first = await idleMiB(site);
    const later = await idleMiB(site);
    return {
      work: 'Idle resident memory, npm start, the first and a later start',
      measured: `${first} MiB, ${later} MiB`,
      bar: `≤ ${IDLE_MIB} MiB`,
      holds: Math.max(first, later) <= IDLE_MIB,
    };
  } finally {
    await site.close();
  }
}

async function idleMiB(site: Site): Promise<number> {
  const gateway = await site.start(NPM_START);
  await sleep(IDLE_SECONDS * 1_000);
  const { resident } = await readVitals(gateway);
  await gateway.stop();
  return resident;
}

function emptyProcess(): number {
  const [command, args] = pinned(0, process.execPath, ['-e', '0']);
  const begun = performance.now();
  spawnSync(command, args);
  return performance.now() - begun;
}

function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
