// What has run out is forgotten, once a minute. An adapter starts it; a failing round is logged and followed by the next.
import type { Deps } from './deps.ts';
import { describe } from './errors.ts';
import { CLIENT_UNUSED_SECONDS, PURGE_SECONDS, SWEEP_MS } from './limits.ts';
import { createStoredResults } from './mcp/stored-results.ts';

export async function maintain(deps: Deps, stop: AbortSignal): Promise<void> {
  const { store, pending, jots, clock, log } = deps;
  const results = createStoredResults(deps);
  let purged = 0;
  while (!stop.aborted) {
    try {
      const now = clock.now();
      await store.sweep(now);
      if (now - purged >= PURGE_SECONDS) {
        await store.clients.purge(now - CLIENT_UNUSED_SECONDS, now);
        purged = now;
      }
      await pending.sweep();
      await results.sweep();
      await jots.sweep();
    } catch (error) {
      log.write('error', 'sweep failed', describe(error));
    }
    await clock.sleep(SWEEP_MS, stop);
  }
}
