// What has run out is forgotten, once a minute. An adapter starts it; a failing round is logged and followed by the next.
import type { Deps } from './deps.ts';
import { describe } from './errors.ts';
import { SWEEP_MS } from './limits.ts';
import { createStoredResults } from './mcp/stored-results.ts';

export async function maintain(deps: Deps, stop: AbortSignal): Promise<void> {
  const { store, pending, jots, clock, log } = deps;
  const results = createStoredResults(deps);
  while (!stop.aborted) {
    try {
      await store.sweep(clock.now());
      await pending.sweep();
      await results.sweep();
      await jots.sweep();
    } catch (error) {
      log.write('error', 'sweep failed', describe(error));
    }
    await clock.sleep(SWEEP_MS, stop);
  }
}
