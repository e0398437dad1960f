// The thread of one run: hands calls of the script to the runner, and answers to the script.
import { setPriority } from 'node:os';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { ScriptAnswer } from '../../src/ports/script-runner.ts';
import { SLICE } from './limits.ts';
import { lockDown } from './lock-down.ts';
import { type Answer, type End, type FromThread, SIGNALS, type Start } from './messages.ts';
import { createSandbox } from './sandbox.ts';

// The runner starts this file with nothing else.
const { code, input, signals, answers, ...rest } = workerData as Start;
const { limits } = rest;
// Kept, because the lock-down below removes the global.
const ownProcess = process;
const now = (): number => performance.now();

// On Linux the priority is the thread's own; elsewhere it would be that of the whole process.
if (ownProcess.platform === 'linux') setPriority(0, 10);
lockDown();

const send = (message: FromThread): void => parentPort?.postMessage(message);

let log = '';
function sendLog(): void {
  if (log !== '') send({ kind: 'log', text: log });
  log = '';
}

function select(value: string, expression: string): ScriptAnswer {
  Atomics.store(signals, SIGNALS.selected, 0);
  send({ kind: 'select', value, expression });
  Atomics.wait(signals, SIGNALS.selected, 0);
  // The runner sends one answer before it wakes the thread.
  return receiveMessageOnPort(answers)?.message as ScriptAnswer;
}

const processor = (): number => {
  const { user, system } = ownProcess.threadCpuUsage();
  return (user + system) / 1_000;
};
const begun = processor();
let sliceEnds = 0;
let asked = 0;

function isOver(): boolean {
  // QuickJS asks after some microseconds of work, and reading the clocks takes as long.
  if (++asked % 16 !== 0) return false;
  if (now() < sliceEnds) return false;
  sendLog();
  if (Atomics.load(signals, SIGNALS.wanted) !== 0) {
    Atomics.store(signals, SIGNALS.mayGoOn, 0);
    send({ kind: 'stepped-back' });
    Atomics.wait(signals, SIGNALS.mayGoOn, 0);
  }
  sliceEnds = now() + SLICE;
  return processor() - begun > limits.processor;
}

function after(end: End | null): void {
  sendLog();
  send(end === null ? { kind: 'idle' } : { kind: 'end', end });
}

const sandbox = await createSandbox(rest, {
  call: (call) => send({ kind: 'call', call }),
  log: (text) => {
    log += text;
  },
  select,
  isOver,
});
parentPort?.on('message', (answer: Answer) => {
  sliceEnds = now() + SLICE;
  after(sandbox.settle(answer));
});
sliceEnds = now() + SLICE;
after(sandbox.start(code, input));
