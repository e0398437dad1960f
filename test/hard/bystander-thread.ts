// The thread of a bystander. It begins a call every few milliseconds, whether or not earlier ones have ended: a stall
// delays all that it meets.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { BystanderCall, Waited } from './bystander.ts';

const BETWEEN_CALLS_MS = 20;

// `startBystander` gives exactly this.
const { url, expected, ...init } = workerData as BystanderCall;
const waited: Waited = { milliseconds: [], failed: 0 };
const calls: Promise<void>[] = [];

async function call(): Promise<void> {
  const begun = performance.now();
  try {
    const response = await fetch(url, init);
    const body = await response.text();
    if (response.status !== 200 || !body.includes(expected)) waited.failed++;
  } catch {
    waited.failed++;
  }
  waited.milliseconds.push(performance.now() - begun);
}

// The first call compiles what all calls need.
await call();
waited.milliseconds.pop();
parentPort?.postMessage('started');
const timer = setInterval(() => calls.push(call()), BETWEEN_CALLS_MS);
if (parentPort !== null) await once(parentPort, 'message');
clearInterval(timer);
await Promise.all(calls);
parentPort?.postMessage(waited);
