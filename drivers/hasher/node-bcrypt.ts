// bcrypt in one worker thread, which starts at the first call, restarts after a crash, and ends when idle.
import { Worker } from 'node:worker_threads';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { Hasher } from '../../src/ports/hasher.ts';
import { isBcryptHash, whyUnhashable } from './bcrypt-rules.ts';
import type { HasherReply, Task } from './bcrypt-worker.ts';

export interface NodeHasherOptions {
  /** The path of the worker's code when the application is bundled into one file. */
  workerUrl?: URL;
}

// An idle thread holds about 25 MiB, and keys are created rarely.
const IDLE_MS = 5_000;

interface Thread {
  ask(task: Task): Promise<string | boolean>;
  stop(): Promise<unknown>;
}

export function createNodeHasher(options: NodeHasherOptions = {}): Hasher {
  const workerUrl = options.workerUrl ?? new URL('./bcrypt-worker.ts', import.meta.url);
  let thread: Thread | null = null;
  let closed = false;

  const start = (): Thread => {
    const started = startThread(workerUrl, () => {
      if (thread === started) thread = null;
    });
    return started;
  };

  const ask = (task: Task) => {
    if (closed) throw new DriverFailure('[hasher] closed');
    thread ??= start();
    return thread.ask(task);
  };

  return {
    async hash(secret) {
      const refusal = whyUnhashable(secret);
      if (refusal !== null) throw new Error(refusal);
      return String(await ask({ kind: 'hash', secret }));
    },
    async verify(secret, hash) {
      if (whyUnhashable(secret) !== null || !isBcryptHash(hash)) return false;
      return (await ask({ kind: 'verify', secret, hash })) === true;
    },
    async close() {
      closed = true;
      await thread?.stop();
    },
  };
}

function startThread(url: URL, onGone: () => void): Thread {
  // The flags of the main process (`--input-type`, loaders) must not reach the worker.
  const worker = new Worker(url, { execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<string | boolean>>();
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;
  worker.unref();

  const rest = () => {
    worker.unref();
    idle = setTimeout(() => {
      onGone();
      void worker.terminate();
    }, IDLE_MS).unref();
  };

  const gone = (cause: unknown) => {
    onGone();
    for (const call of waiting.values())
      call.reject(new DriverFailure('[hasher] the worker stopped', { cause }));
    waiting.clear();
  };
  worker.on('error', gone);
  worker.on('exit', (code) => gone(`exit code ${code}`));

  worker.on('message', (reply: HasherReply) => {
    const call = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (waiting.size === 0) rest();
    if ('answer' in reply) call?.resolve(reply.answer);
    else call?.reject(new DriverFailure('[hasher] bcrypt failed', { cause: reply.failure }));
  });

  return {
    ask(task) {
      const id = ++lastId;
      const call = Promise.withResolvers<string | boolean>();
      waiting.set(id, call);
      clearTimeout(idle);
      // An idle thread does not keep the process alive; a working one does, until it has answered.
      worker.ref();
      worker.postMessage({ id, task });
      return call.promise;
    },
    stop: () => worker.terminate(),
  };
}
