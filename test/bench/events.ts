// Measures how many deliveries of webhooks are stored durably in a second, and what a thousand waiting readers take.
import { pathOf, readAll, subscribe } from '../support/events.ts';
import { createTestApp } from '../support/test-app.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';

const DELIVERIES = 20_000;
const AT_ONCE = 200;
const ADDRESSES = 10;
const READERS = 1_000;

const app = await createTestApp({
  ports: { clock: createSystemClock() },
  env: { PERSON_MAX_CALLS: '1000' },
});
const ana = await app.user();
const hooks: { address: string; secret: string }[] = [];
for (let n = 0; n < ADDRESSES; n++)
  hooks.push(await subscribe(app, ana, { integration: 'webhook', event: 'header' }));

const body = JSON.stringify({ type: 'bench', text: 'x'.repeat(1_000) });
let [next, failed] = [0, 0];
async function send(): Promise<void> {
  while (next < DELIVERIES) {
    const n = next++;
    const to = hooks[n % ADDRESSES];
    if (to === undefined) return;
    const headers = { 'x-webhook-secret': to.secret, 'idempotency-key': String(n) };
    const { status } = await app.request(pathOf(to), { method: 'POST', body, headers });
    if (status !== 200) failed++;
  }
}
const began = performance.now();
await Promise.all(Array.from({ length: AT_ONCE }, send));
const seconds = (performance.now() - began) / 1000;
console.log(`deliveries: ${Math.round(DELIVERIES / seconds)} a second, ${failed} failed`);

const { cursor } = await readAll(app, ana, { cursor: 'now' });
globalThis.gc?.();
const before = process.memoryUsage().rss;
const readings = Array.from({ length: READERS }, () => readAll(app, ana, { cursor, waitSec: 50 }));
while (app.deps.eventWaits.waiting() < READERS - 1) await new Promise((done) => setTimeout(done, 100));
globalThis.gc?.();
const taken = (process.memoryUsage().rss - before) / 2 ** 20;
console.log(`waiting readers: ${app.deps.eventWaits.waiting()} take ${taken.toFixed(1)} MiB`);
const [to] = hooks;
if (to === undefined) throw new Error('there is no hook');
await app.request(pathOf(to), { method: 'POST', body, headers: { 'x-webhook-secret': to.secret } });
const read = await Promise.all(readings);
console.log(`woken: ${read.filter((answer) => answer?.events.length === 1).length}`);
await app.close();
process.exit(0);
