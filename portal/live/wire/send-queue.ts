// Commands out: one request under way, everything that comes up meanwhile in the next. live view: ≤ 64 a batch
import { type Command, enqueue } from './commands.ts';

const BUSY_RETRY_MS = 400;
const MOST_BUSY_RETRIES = 75;
/** A dialog that a paste brought up holds back the paste's end, and its own answer comes after that. */
const LONGEST_WAIT_MS = 1000;

export interface Outbox {
  /** What comes after it waits for `done`, where there is something to wait for, though not for good. */
  add: (command: Command, done?: Promise<unknown>) => void;
  stop: () => void;
}

interface Options {
  maxBatch: number;
  post: (batch: readonly Command[]) => Promise<unknown>;
  /** Another request is starting the browser right now: the same batch again, a little later. */
  isBusy: (error: unknown) => boolean;
  onBusy: () => void;
  onFailed: (error: unknown) => void;
  wait?: (ms: number) => Promise<void>;
}

const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createOutbox({ maxBatch, post, isBusy, onBusy, onFailed, wait = pass }: Options): Outbox {
  let queue: Command[] = [];
  const awaited = new Map<number, Promise<unknown>>();
  let running = false;
  let stopped = false;

  async function run(): Promise<void> {
    running = true;
    // Everything of this turn goes together.
    await Promise.resolve();
    while (queue.length > 0 && !stopped) {
      const last = queue.findIndex(({ id }) => awaited.has(id));
      const batch = queue.slice(0, last === -1 ? maxBatch : Math.min(maxBatch, last + 1));
      queue = queue.slice(batch.length);
      await deliver(batch);
      await settle(batch.at(-1)?.id);
    }
    running = false;
  }

  async function deliver(batch: readonly Command[]): Promise<void> {
    for (let tries = 0; !stopped; tries += 1) {
      try {
        await post(batch);
        return;
      } catch (error) {
        if (!isBusy(error) || tries === MOST_BUSY_RETRIES) {
          if (!stopped) onFailed(error);
          stopped = true;
          return;
        }
        onBusy();
        await wait(BUSY_RETRY_MS);
      }
    }
  }

  async function settle(id: number | undefined): Promise<void> {
    const done = id === undefined ? undefined : awaited.get(id);
    if (id === undefined || done === undefined || stopped) return;
    // Refused or not, it is over.
    await Promise.race([done.catch(() => undefined), wait(LONGEST_WAIT_MS)]);
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
