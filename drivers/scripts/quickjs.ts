// Runs each script in a QuickJS of its own, in a thread of its own that can be killed. decision: 058
import { createHash } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import type { ScriptEnd, ScriptRun, ScriptRunner } from '../../src/ports/script-runner.ts';
import { Busy } from '../../src/ports/unavailable.ts';
import { compileEngine } from './engine.ts';
import { HEADROOM, HEAP_MIB, MAX_QUEUED } from './limits.ts';
import { createTurns, type Turns } from './turns.ts';
import { runInThread } from './thread.ts';

export interface QuickJsOptions {
  /** The thread's code and the engine, where the application is bundled into one file. */
  workerUrl?: URL;
  wasmUrl?: URL;
  /** Runs that have a thread at one time. */
  threads?: number;
  /** Runs that compute at one time. Runs that wait for their calls do not. */
  computing?: number;
}

export interface QuickJsRunner extends ScriptRunner {
  /** Ends all runs as stopped. */
  close: () => Promise<void>;
}

const MIB = 1024 * 1024;
const MAX_THREADS = 16;

/** A quarter of the machine's memory, if every script takes all that it may. */
const threadsThatFit = (): number => {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.max(2, Math.min(MAX_THREADS, Math.floor(bytes / 4 / (128 * MIB))));
};

export function createQuickJsRunner({
  workerUrl = new URL('./script-worker.ts', import.meta.url),
  wasmUrl = new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm')),
  threads = threadsThatFit(),
  computing = Math.max(1, availableParallelism() - 1),
}: QuickJsOptions = {}): QuickJsRunner {
  const closing = new AbortController();
  const running = new Set<Promise<ScriptEnd>>();
  const modules = new Map<number, Promise<WebAssembly.Module>>();
  /** The threads, which step back while others want to compute. */
  const signals = new Set<Int32Array<SharedArrayBuffer>>();
  const places = createTurns(threads);
  const turns: Turns = createTurns(computing, (count) => {
    for (const each of signals) Atomics.store(each, 0, count);
  });

  /** Compiled at the first script, and shared by all threads. */
  function engine(memory: number): Promise<WebAssembly.Module> {
    let module = modules.get(memory);
    if (module === undefined) {
      module = compileEngine(wasmUrl, memory + HEADROOM);
      modules.set(memory, module);
      module.catch(() => modules.delete(memory));
    }
    return module;
  }

  async function runNow(given: ScriptRun): Promise<ScriptEnd> {
    const signal = AbortSignal.any([given.signal, closing.signal]);
    if (!(await places.take(signal))) return { kind: 'stopped', log: '' };
    try {
      const hash = createHash('sha256').update(given.seed).digest();
      return await runInThread({
        run: { ...given, signal },
        module: await engine(given.limits.memory),
        chance: [0, 4, 8, 12].map((place) => hash.readInt32LE(place)),
        workerUrl,
        heapMib: HEAP_MIB,
        turns,
        signals,
      });
    } finally {
      places.give();
    }
  }

  return {
    async run(given) {
      if (places.waiting() >= MAX_QUEUED)
        throw new Busy('Too many scripts are waiting to run. Try again in a minute');
      const ended = runNow(given);
      running.add(ended);
      try {
        return await ended;
      } finally {
        running.delete(ended);
      }
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}
