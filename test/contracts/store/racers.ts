// Starts processes that race each other. Their first job is to open a database.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answer, Job } from '../../support/race-child.ts';

const CHILD = fileURLToPath(new URL('../../support/race-child.ts', import.meta.url));

export interface Racers {
  /** Gives every process the same items at the same moment and returns the answer of each process. */
  all(job: Job['job'], items: string[]): Promise<string[][]>;
  stop(): Promise<void>;
}

export async function startRacers(count: number): Promise<Racers> {
  const children = Array.from({ length: count }, () => fork(CHILD, { execArgv: [], stdio: 'inherit' }));
  await Promise.all(children.map((child) => once(child, 'spawn')));
  return {
    async all(job, items) {
      const answers = children.map(async (child): Promise<string[]> => {
        const [message]: Answer[] = await once(child, 'message');
        if (message === undefined || !('answer' in message)) throw new Error(JSON.stringify(message));
        return message.answer;
      });
      for (const child of children) child.send({ job, items } satisfies Job);
      return Promise.all(answers);
    },
    async stop() {
      const gone = children.map((child) => once(child, 'exit'));
      for (const child of children) child.disconnect();
      await Promise.all(gone);
    },
  };
}

/**
 * Appends audit rows in a process until it is killed with -9, and returns how many appends it had
 * acknowledged.
 */
export async function appendUntilKilled(url: string, userId: string, appends: number): Promise<number> {
  const child = fork(CHILD, { execArgv: [], stdio: 'inherit' });
  let last = 0;
  child.on('message', (message: Answer) => {
    if ('answer' in message) child.send({ job: 'append', items: [userId] } satisfies Job);
    if ('acknowledged' in message) last = message.acknowledged;
    if (last >= appends) child.kill('SIGKILL');
  });
  child.send({ job: 'open', items: [url] } satisfies Job);
  await once(child, 'exit');
  return last;
}

/** Starts a process that is killed with -9 while it changes the key of a table, and returns what ended it. */
export async function dieInSetUp(url: string): Promise<string | null> {
  const child = fork(CHILD, { execArgv: [], stdio: 'inherit' });
  child.on('message', (message: Answer) => {
    if ('answer' in message) child.send({ job: 'dieInSetUp', items: [] } satisfies Job);
    else child.disconnect();
  });
  child.send({ job: 'open', items: [url] } satisfies Job);
  const [, signal]: (string | null)[] = await once(child, 'exit');
  return signal ?? null;
}
