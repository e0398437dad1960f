// Checks every connection that can be checked once a day: a few in each round, by one process at a time. decision: 026
import {
  CHECK_LEASE_SECONDS,
  CHECK_ROUND_MS,
  CHECKED_AFTER_SECONDS,
  CHECKS_AT_ONCE,
  CHECKS_PER_ROUND,
} from '../model/limits.ts';
import type { Checks } from '../model/checks.ts';
import { describe } from '../../http/errors.ts';
import type { Registry } from '../../kit/registry.ts';
import { withLease } from '../../memory/with-lease.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Connection } from '../../ports/records.ts';

type Needs = Pick<Ports, 'clock' | 'log' | 'random' | 'store'> & { checks: Checks; registry: Registry };

const LEASE = 'connection checks';

export async function checkConnections(deps: Needs, stop?: AbortSignal): Promise<void> {
  const { checks, clock, log, registry, store } = deps;
  const names = registry.integrations.filter(({ probe }) => probe !== undefined).map(({ name }) => name);
  if (names.length > 0) await withLease(deps, LEASE, CHECK_LEASE_SECONDS, checkRound);

  async function checkRound(): Promise<void> {
    const before = clock.now() - CHECKED_AFTER_SECONDS;
    const due = await store.connections.due(names, before, CHECKS_PER_ROUND);
    const started = clock.millis();
    const next = async (): Promise<void> => {
      for (let row = due.shift(); row !== undefined; row = due.shift()) {
        // Slow providers must not delay the next round.
        if (stop?.aborted === true || clock.millis() - started > CHECK_ROUND_MS) return;
        await check(row);
      }
    };
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, next));
  }

  async function check(row: Connection): Promise<void> {
    const integration = registry.integration(row.integration);
    if (integration === null) return;
    try {
      await checks.now(row, integration);
    } catch (error) {
      log.write('warn', 'a connection could not be checked', {
        integration: row.integration,
        ...describe(error),
      });
      // Without a new time it would be the first of every round.
      await store.connections.mark(row, { ...row, checked_at: clock.now() });
    }
  }
}
