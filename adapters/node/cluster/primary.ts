// Keeps several gateways behind one port: starts them, passes on their lines, counts and signals, and replaces those that
// end. It serves nothing itself, and its memory holds nothing but this. decision: 010
import type { Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLineLog } from '../../../drivers/system/log.ts';
import { LOG_LEVELS } from '../../../src/ports/log.ts';
import { using } from '../paths.ts';
import { handleSignals } from '../stop-signals.ts';
import { heapOptions, readMachine } from './heap.ts';
import { passLines } from './lines.ts';
import { READY, toEnvironment } from './role.ts';
import { readCounts } from './shared-counts.ts';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** A worker that has run for so long has not failed at its start. */
const SETTLED_MS = 60_000;

interface Slot {
  number: number;
  worker: Worker | null;
  /** Counts the ends that came soon after a start. */
  early: number;
}

export async function runPrimary(count: number, gateway: URL): Promise<void> {
  const { default: cluster } = await import('node:cluster');
  cluster.setupPrimary({
    exec: fileURLToPath(gateway),
    execArgv: [...process.execArgv, ...heapOptions(count, readMachine(process.env))],
    stdio: ['inherit', 'pipe', 'inherit', 'ipc'],
  });
  const peers = openPeersPlace();
  const level = LOG_LEVELS.find((name) => name === process.env['LOG_LEVEL']?.trim());
  // As in each gateway: lines that nobody reads are lost, and nothing else happens.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const write = (chunk: string | Buffer) => process.stdout.write(chunk);
  const log = createLineLog(write, Date.now, setImmediate, level);
  const slots = Array.from({ length: count }, (_, index): Slot => ({
    number: index + 1,
    worker: null,
    early: 0,
  }));
  let isServing = false;
  let isStopping = false;
  let exitCode = 0;

  function start(slot: Slot): void {
    if (isStopping) return;
    const role = { number: slot.number, of: count, peers, announces: !isServing };
    const worker = cluster.fork(toEnvironment(role));
    const startedAt = performance.now();
    slot.worker = worker;
    if (worker.process.stdout !== null) passLines(worker.process.stdout, write);
    worker.on('message', (message) => {
      if (message === READY) serve();
      else if (readCounts(message) !== null) tellOthers(slot, message);
    });
    worker.on('error', (error) => {
      log.write('error', 'worker failed', { worker: slot.number, error: error.message });
      // It could not even be started.
      if (worker.process.pid === undefined) end(1, null);
    });
    // The last lines of the worker have arrived by then.
    worker.process.on('close', end);

    function end(code: number | null, signal: NodeJS.Signals | null): void {
      if (slot.worker !== worker) return;
      slot.worker = null;
      if (isStopping || !isServing) return leave(code, signal);
      slot.early = performance.now() - startedAt < SETTLED_MS ? slot.early + 1 : 0;
      const startsInMs = Math.min(FIRST_DELAY_MS * 2 ** slot.early, MAX_DELAY_MS);
      log.write('warn', 'worker ended', {
        worker: slot.number,
        pid: worker.process.pid,
        code,
        signal,
        startsInMs,
      });
      setTimeout(start, startsInMs, slot);
    }
  }

  function tellOthers(from: Slot, message: object): void {
    // One that ends meanwhile counts no more.
    for (const { number, worker } of slots)
      if (number !== from.number && worker?.isConnected() === true) worker.send(message, () => {});
  }

  /** The first worker has made the tables and the secrets, and its configuration is right. The others follow. */
  function serve(): void {
    if (isServing) return;
    isServing = true;
    for (const slot of slots) if (slot.worker === null) start(slot);
  }

  /** A gateway that does not start has said why. */
  function leave(code: number | null, signal: NodeJS.Signals | null): void {
    if (signal !== null && !isStopping) console.error(`The gateway was ended by ${signal} while it started.`);
    // A worker may get the signal before it can handle it.
    exitCode ||= code ?? (isStopping && signal !== 'SIGKILL' ? 0 : 1);
    if (slots.some(({ worker }) => worker !== null)) return;
    log.flush();
    process.exit(exitCode);
  }

  // Under a terminal the workers get the signal too, and a second one changes nothing for them. decision: 010
  handleSignals(() => {
    isStopping = true;
    for (const { worker } of slots) worker?.process.kill('SIGTERM');
    if (slots.every(({ worker }) => worker === null)) process.exit(0);
  });
  const [first] = slots;
  if (first !== undefined) start(first);
}

/** On Windows these are named pipes; elsewhere sockets in a folder that only this user can enter. */
function openPeersPlace(): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\gateway-${randomUUID()}-`;
  const folder = using(`${tmpdir()} for temporary files`, () => mkdtempSync(join(tmpdir(), 'gateway-')));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'worker-');
}
