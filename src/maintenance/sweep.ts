// What has run out is forgotten, once a minute. An adapter starts it; a failing round is logged and followed by the next.
// Where nothing runs between requests, the platform's own timer asks for single rounds.
import type { Jots } from '../jots/jots.ts';
import type { StoredResults } from '../mcp/stored-results.ts';
import type { Ports } from '../ports/ports.ts';
import { describe } from '../http/errors.ts';
import { CLIENT_UNUSED_SECONDS, PURGE_SECONDS, SWEEP_MS } from '../config/limits.ts';

/** Goes on when a part of it fails: what the database cannot do on a full disk must not keep blobs on it. */
type Sweep = (now: number, purge: boolean) => Promise<void>;

type Needs = Pick<Ports, 'clock' | 'log' | 'pending' | 'store'> & { jots: Jots; results: StoredResults };

function createSweep(deps: Needs): Sweep {
  const { store, pending, jots, results } = deps;
  return async function sweep(now, purge) {
    const parts = [
      () => store.sweep(now),
      () => (purge ? store.clients.purge(now - CLIENT_UNUSED_SECONDS, now) : undefined),
      () => pending.sweep(),
      () => results.sweep(),
      () => jots.sweep(),
    ];
    const failures: unknown[] = [];
    for (const part of parts) {
      try {
        await part();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
}

/** One whole round, which rejects when it fails. */
export const maintainOnce = (deps: Needs): Promise<void> => createSweep(deps)(deps.clock.now(), true);

export async function maintain(deps: Needs, stop: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  const sweep = createSweep(deps);
  let purged = 0;
  while (!stop.aborted) {
    try {
      const now = clock.now();
      const purge = now - purged >= PURGE_SECONDS;
      await sweep(now, purge);
      if (purge) purged = now;
    } catch (error) {
      log.write('error', 'sweep failed', describe(error));
    }
    await clock.sleep(SWEEP_MS, stop);
  }
}
