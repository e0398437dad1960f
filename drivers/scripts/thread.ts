// The thread of one run as seen from outside: its turns, its calls, and its end.
import { MessageChannel, Worker } from 'node:worker_threads';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { ScriptAnswer, ScriptEnd, ScriptRun } from '../../src/ports/script-runner.ts';
import { GRACE, STACK_MIB, WATCH } from './limits.ts';
import { type Answer, type End, type FromThread, SIGNALS, type Start } from './messages.ts';
import type { Turns } from './turns.ts';

interface Thread {
  run: ScriptRun;
  module: WebAssembly.Module;
  chance: readonly number[];
  workerUrl: URL;
  heapMib: number;
  turns: Turns;
  /** Where all threads hear that others want to compute. */
  signals: Set<Int32Array<SharedArrayBuffer>>;
}

export async function runInThread({
  run,
  module,
  chance,
  workerUrl,
  heapMib,
  turns,
  signals,
}: Thread): Promise<ScriptEnd> {
  const { code, input, now, limits, signal } = run;
  if (!(await turns.take(signal))) return { kind: 'stopped', log: '' };

  const shared = new Int32Array(new SharedArrayBuffer(4 * Object.keys(SIGNALS).length));
  Atomics.store(shared, SIGNALS.wanted, turns.waiting());
  signals.add(shared);
  const { port1: selections, port2: answers } = new MessageChannel();
  const data: Start = { module, code, input, now, chance, limits, signals: shared, answers };
  const worker = new Worker(workerUrl, {
    name: 'script',
    workerData: data,
    transferList: [answers],
    argv: [],
    env: {},
    // The flags of the main process must not reach the thread.
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    trackUnmanagedFds: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMib, maxYoungGenerationSizeMb: 16, stackSizeMb: STACK_MIB },
  });

  const { promise: ended, resolve, reject } = Promise.withResolvers<End>();
  const ready: Answer[] = [];
  let log = '';
  /** Whether the run holds a turn, and whether its thread has nothing to do. */
  let hasTurn = true;
  let isIdle = false;
  let isDone = false;

  const wake = (place: number): void => {
    Atomics.store(shared, place, 1);
    Atomics.notify(shared, place);
  };
  const giveTurn = (): void => {
    if (hasTurn) turns.give();
    hasTurn = false;
  };
  async function takeTurn(): Promise<boolean> {
    if (!(await turns.take(signal))) return false;
    hasTurn = true;
    if (isDone) giveTurn();
    return hasTurn;
  }

  /** Gives the next answer to a thread that has nothing to do. */
  let isTaking = false;
  async function goOn(): Promise<void> {
    if (!isIdle || isTaking || isDone) return;
    if (ready.length === 0) return giveTurn();
    if (!hasTurn) {
      isTaking = true;
      const has = await takeTurn();
      isTaking = false;
      if (!has) return;
    }
    const answer = ready.shift();
    if (answer === undefined) return;
    isIdle = false;
    worker.postMessage(answer);
  }

  async function stepBack(): Promise<void> {
    giveTurn();
    if (await takeTurn()) wake(SIGNALS.mayGoOn);
  }

  async function answerSelect(value: string, expression: string): Promise<void> {
    const answer: ScriptAnswer = await run.select(value, expression);
    selections.postMessage(answer);
    wake(SIGNALS.selected);
  }

  function hear(message: FromThread): void {
    switch (message.kind) {
      case 'call': {
        const { index } = message.call;
        run.call(message.call).then((answer) => {
          ready.push({ index, answer });
          void goOn();
        }, reject);
        break;
      }
      case 'log':
        log += message.text;
        break;
      case 'select':
        answerSelect(message.value, message.expression).catch(reject);
        break;
      case 'idle':
        isIdle = true;
        void goOn();
        break;
      case 'stepped-back':
        void stepBack();
        break;
      case 'end':
        resolve(message.end);
        break;
    }
  }

  /** Work that QuickJS cannot interrupt, such as a search in a long text, ends here. */
  async function watch(): Promise<void> {
    if (isDone || !hasTurn) return;
    const { user, system } = await worker.cpuUsage();
    if ((user + system) / 1_000 > limits.processor + GRACE) resolve({ kind: 'exceeded', limit: 'processor' });
  }
  // A thread that has just ended has no usage to tell.
  const watching = setInterval(() => void watch().catch(() => {}), WATCH);

  const stop = (): void => resolve({ kind: 'stopped' });
  signal.addEventListener('abort', stop, { once: true });
  worker.on('message', hear);
  worker.on('error', (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      resolve({ kind: 'exceeded', limit: 'memory' });
    else reject(new DriverFailure('[scripts] the sandbox failed', { cause: error }));
  });
  worker.on('exit', (status) => reject(new DriverFailure(`[scripts] the thread ended with ${status}`)));

  try {
    const end = await ended;
    return { ...end, log };
  } finally {
    isDone = true;
    clearInterval(watching);
    signal.removeEventListener('abort', stop);
    selections.close();
    await worker.terminate();
    signals.delete(shared);
    giveTurn();
  }
}
