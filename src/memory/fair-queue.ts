// Runs tasks a few at a time. People take turns, so that one who asks for many delays the others by one only. reference: Limits per person; decision: 019
export interface FairQueue {
  /** Runs one task of an owner at a time, in the order they came. Throws `QueueFull` when too many tasks of the owner wait already. */
  run<T>(owner: string, task: () => Promise<T>): Promise<T>;
}

export class QueueFull extends Error {
  constructor() {
    super('Several of your keys or passwords are being made already. Try again in a moment');
    this.name = 'QueueFull';
  }
}

interface Line {
  busy: boolean;
  waiting: (() => void)[];
}

export function createFairQueue({
  maxRunning,
  maxWaitingPerOwner,
}: {
  maxRunning: number;
  maxWaitingPerOwner: number;
}): FairQueue {
  /** The lines of the owners that have a task. An owner whose task has ended goes to the end. */
  const lines = new Map<string, Line>();
  let running = 0;

  function startNext(): void {
    for (const [owner, line] of lines) {
      if (running >= maxRunning) return;
      if (line.busy) continue;
      const start = line.waiting.shift();
      if (start === undefined) {
        lines.delete(owner);
        continue;
      }
      line.busy = true;
      running++;
      start();
    }
  }

  return {
    async run(owner, task) {
      const line = lines.get(owner) ?? { busy: false, waiting: [] };
      lines.set(owner, line);
      if (line.waiting.length >= maxWaitingPerOwner) throw new QueueFull();
      await new Promise<void>((resolve) => {
        line.waiting.push(resolve);
        startNext();
      });
      try {
        return await task();
      } finally {
        line.busy = false;
        running--;
        lines.delete(owner);
        lines.set(owner, line);
        startNext();
      }
    },
  };
}
