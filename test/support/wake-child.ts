// The child process of test/events/wakes.test.ts: reads, says when it waits, and sends what it got.
import { setImmediate } from 'node:timers/promises';
import { runTool } from './events.ts';
import { openWakeApp, type ReadJob } from './wake-app.ts';

async function work({ place, apiKey }: ReadJob): Promise<void> {
  const app = await openWakeApp(place);
  const reading = runTool(app, { keyHeader: { 'x-service-api-key': apiKey } }, 'events_read', {
    waitSec: 50,
  });
  const { eventWaits, wakes } = app.deps;
  while (eventWaits.waiting() === 0 || wakes?.isHeard() !== true) await setImmediate();
  process.send?.('waiting');
  process.send?.((await reading).body);
  await app.close();
  process.disconnect?.();
}

process.on('message', (job: ReadJob) => {
  work(job).catch((error: unknown) => process.send?.({ error: String(error) }));
});
