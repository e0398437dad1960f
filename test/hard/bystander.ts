// Calls in the name of somebody who only wants to be served, and measures how long that person waits. The calls come from a
// thread of their own, because sending a flood keeps this one busy.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { percentile } from './figures.ts';
import type { Started } from './stand.ts';

/** What a bystander may wait for, at the 99th percentile, while somebody floods the gateway. */
export const MAX_FLOOD_P99_MS = 500;

/** What the thread is given. */
export interface BystanderCall {
  origin: string;
  path: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  /** What the body of a right answer has in it. */
  expected: string;
}

export interface Waited {
  milliseconds: number[];
  /** How many calls had no answer, or a wrong one. */
  failed: number;
}

export interface Bystander {
  /** Waits for the calls under way. */
  stop(): Promise<Waited>;
}

export async function startBystander(
  { base }: Started,
  path: string,
  {
    method = 'GET',
    ...call
  }: Omit<BystanderCall, 'origin' | 'path' | 'method'> & Partial<Pick<BystanderCall, 'method'>>,
): Promise<Bystander> {
  const workerData: BystanderCall = { ...call, method, origin: base, path };
  const worker = new Worker(new URL('bystander-thread.ts', import.meta.url), { workerData });
  await once(worker, 'message');
  return {
    async stop() {
      worker.postMessage('stop');
      // The thread sends nothing else.
      const [waited] = (await once(worker, 'message')) as [Waited];
      return waited;
    },
  };
}

export function shownWaits({ milliseconds, failed }: Waited): string {
  const [p99, worst] = [percentile(milliseconds, 0.99), percentile(milliseconds, 1)];
  return `p99 ${p99} ms, worst ${worst} ms of ${milliseconds.length} calls, ${failed} failed`;
}
