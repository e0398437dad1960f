// Measures the time from start to first response, and the memory of an idle gateway.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { pinned, startGateway } from './servers.ts';

const ROUNDS = 5;
const IDLE_SECONDS = 12;

export async function processRows(): Promise<Row[]> {
  const starts: number[] = [];
  const empties: number[] = [];
  let idle = Number.NaN;
  for (let round = 0; round < ROUNDS; round++) {
    empties.push(emptyProcess());
    const gateway = await startGateway();
    starts.push(gateway.startMs);
    if (round === ROUNDS - 1) {
      await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1_000));
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
      work: 'Idle resident memory, embedded default, bundle',
      measured: `${idle.toFixed(0)} MiB`,
      bar: '≤ 120 MiB',
      holds: idle <= 120,
    },
  ];
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
