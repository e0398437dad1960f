// bcrypt in one worker thread: started at the first call, again after a crash, and ended when nobody has called for a while.
import { Worker } from 'node:worker_threads';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { Hasher } from '../../src/ports/hasher.ts';
import { isBcryptHash, whyUnhashable } from './bcrypt-rules.ts';
import type { HasherReply, Task } from './bcrypt-worker.ts';

export interface NodeHasherOptions {
  /** Where the worker's code stands when the application is bundled into one file. */
  workerUrl?: URL;
}

// A thread holds some 25 MiB, and keys are minted seldom.
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
  // The process's own flags (`--input-type`, loaders) are not meant for it.
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
      // An idle thread lets the process end; one with work holds it until the answer is there.
      worker.ref();
      worker.postMessage({ id, task });
      return call.promise;
    },
    stop: () => worker.terminate(),
  };
}
