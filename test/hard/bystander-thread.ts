// The thread of a bystander. It begins a call every few milliseconds, whether or not earlier ones have ended: a stall
// delays all that it meets. The calls go round connections that stay open, as those of clients and proxies do, because
// Node takes one new connection in a turn of its event loop.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { Client } from 'undici';
import type { BystanderCall, Waited } from './bystander.ts';

const BETWEEN_CALLS_MS = 20;
const CONNECTIONS = 32;

// `startBystander` gives exactly this.
const { origin, expected, ...request } = workerData as BystanderCall;
const clients = Array.from({ length: CONNECTIONS }, () => new Client(origin));
const calls: Promise<void>[] = [];
let waited: Waited = { milliseconds: [], failed: 0 };

async function call(client: Client): Promise<void> {
  const begun = performance.now();
  try {
    const { statusCode, body } = await client.request(request);
    const text = await body.text();
    if (statusCode !== 200 || !text.includes(expected)) waited.failed++;
  } catch {
    waited.failed++;
  }
  waited.milliseconds.push(performance.now() - begun);
}

// The connections begin before anything is measured.
await Promise.all(clients.map(call));
waited = { milliseconds: [], failed: waited.failed };
parentPort?.postMessage('started');
const timer = setInterval(() => {
  const client = clients[calls.length % CONNECTIONS];
  if (client !== undefined) calls.push(call(client));
}, BETWEEN_CALLS_MS);
if (parentPort !== null) await once(parentPort, 'message');
clearInterval(timer);
await Promise.all(calls);
await Promise.all(clients.map((client) => client.close()));
parentPort?.postMessage(waited);
