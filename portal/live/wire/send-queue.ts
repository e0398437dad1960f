// Sends commands in batches: one request at a time, and everything queued meanwhile in the next one, at most 64.
import { type Command, enqueue } from './commands.ts';

const BUSY_RETRY_MS = 400;
const MAX_BUSY_RETRIES = 75;
/** A paste that opens a dialog ends only after the dialog is answered, and the answer waits in this queue. */
const MAX_WAIT_MS = 1000;

export interface SendQueue {
  /** Adds a command. With `done`, later commands wait until it settles, or for a second. */
  add: (command: Command, done?: Promise<unknown>) => void;
  stop: () => void;
}

interface Options {
  maxBatch: number;
  post: (batch: readonly Command[]) => Promise<unknown>;
  /** Tells whether another request is starting the browser. The queue then sends the same batch again later. */
  isBusy: (error: unknown) => boolean;
  onBusy: () => void;
  onFailed: (error: unknown) => void;
  wait?: (ms: number) => Promise<void>;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createSendQueue({
  maxBatch,
  post,
  isBusy,
  onBusy,
  onFailed,
  wait = sleep,
}: Options): SendQueue {
  let queue: Command[] = [];
  const awaited = new Map<number, Promise<unknown>>();
  let running = false;
  let stopped = false;

  async function run(): Promise<void> {
    running = true;
    // Collects all commands of this turn of the event loop in one batch.
    await Promise.resolve();
    while (queue.length > 0 && !stopped) {
      const last = queue.findIndex(({ id }) => awaited.has(id));
      const batch = queue.slice(0, last === -1 ? maxBatch : Math.min(maxBatch, last + 1));
      queue = queue.slice(batch.length);
      await deliver(batch);
      await waitUntilDone(batch.at(-1)?.id);
    }
    running = false;
  }

  async function deliver(batch: readonly Command[]): Promise<void> {
    for (let tries = 0; !stopped; tries += 1) {
      try {
        await post(batch);
        return;
      } catch (error) {
        if (!isBusy(error) || tries === MAX_BUSY_RETRIES) {
          if (!stopped) onFailed(error);
          stopped = true;
          return;
        }
        onBusy();
        await wait(BUSY_RETRY_MS);
      }
    }
  }

  async function waitUntilDone(id: number | undefined): Promise<void> {
    const done = id === undefined ? undefined : awaited.get(id);
    if (id === undefined || done === undefined || stopped) return;
    // A rejected command is over, too.
    await Promise.race([done.catch(() => undefined), wait(MAX_WAIT_MS)]);
    awaited.delete(id);
  }

  return {
    add(command, done) {
      if (done !== undefined) awaited.set(command.id, done);
      queue = enqueue(queue, command);
      if (!running && !stopped) void run();
    },
    stop() {
      stopped = true;
      queue = [];
    },
  };
}
