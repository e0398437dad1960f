// Deletes expired data once a minute, a portion at a time, and looks after the connections. Each part that fails is logged, and the next round runs all the same.
// Where no process runs between requests, the platform's timer starts single rounds. reference: Maintenance
import type { Sealing } from '../audit/sealing/sealing.ts';
import type { Files } from '../files/files.ts';
import type { Imports } from '../imports/imports.ts';
import type { Jots } from '../jots/jots.ts';
import type { StoredResults } from '../results/stored-results.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ports } from '../ports/ports.ts';
import type { Checks } from '../connections/check.ts';
import type { RunningWork } from '../auth/running-work.ts';
import type { Erasures } from '../people/erasures.ts';
import type { SettleApprovals } from '../policy/settle.ts';
import type { RollUsage } from '../usage/roll.ts';
import type { Disconnects } from '../connections/disconnect.ts';
import type { Registry } from '../kit/registry.ts';
import { describe } from '../http/errors.ts';
import { createPace } from '../memory/pace.ts';
import { checkConnections } from './check-connections.ts';
import {
  CLIENT_IDLE_SECONDS,
  CLIENT_UNUSED_SECONDS,
  CLOCK_JUMP_SECONDS,
  PURGE_SECONDS,
  SWEEP_MS,
  SWEEP_ROUND_MS,
} from '../config/limits.ts';

/** Logs a part that fails and continues with the next one: a database that cannot write must not keep blobs on a full disk. */
type Sweep = (now: number, purge: boolean) => Promise<void>;

type Needs = Pick<Ports, 'clock' | 'log' | 'pending' | 'random' | 'store'> & {
  checks: Checks;
  disconnects: Disconnects;
  erasures: Erasures;
  files: Pick<Files, 'sweep'>;
  imports: Pick<Imports, 'checkDue'>;
  jots: Jots;
  registry: Registry;
  results: StoredResults;
  runningWork: Pick<RunningWork, 'check'>;
  sealing: Sealing;
  rollUsage: RollUsage;
  settleApprovals: SettleApprovals;
};

function createSweep(deps: Needs, stop?: AbortSignal): Sweep {
  const { clock, disconnects, erasures, store, pending, files, imports, jots, log, results } = deps;
  const { rollUsage, runningWork, sealing, settleApprovals } = deps;

  return async function sweep(now, purge) {
    const pace = createPace(clock, SWEEP_ROUND_MS, stop);
    async function repeat(portion: () => Promise<boolean>): Promise<void> {
      while ((await portion()) && pace.hasTime()) await pace.pause();
    }

    const parts: Record<string, () => Promise<unknown> | undefined> = {
      backfills: () => repeat(() => store.backfill(now)),
      'expired rows': () => repeat(() => store.sweep(now)),
      'unused clients': () => (purge ? repeat(() => store.clients.purge(oldClients(now), now)) : undefined),
      'pending entries': () => repeat(() => pending.sweep()),
      usage: () => rollUsage.round(stop),
      'stored results': () => results.sweep(),
      files: () => files.sweep(),
      jots: () => jots.sweep(),
      'jot views': () => jots.views.flush(),
      approvals: () => repeat(() => settleApprovals.portion()),
      revocations: () => disconnects.retry(),
      'connection checks': () => checkConnections(deps, stop),
      'import checks': () => imports.checkDue(stop),
      erasures: () => erasures.goOn(),
      'running work': () => runningWork.check(),
      'audit seals': () => sealing.seal(stop),
      'audit heads': () => sealing.deliver(),
      'old audit segments': () => sealing.prune(stop),
    };
    const failures: [part: string, error: unknown][] = [];
    for (const [part, run] of Object.entries(parts)) {
      try {
        await run();
      } catch (error) {
        // Logs at once, because a platform may stop a round that takes too long.
        log.write('error', 'sweep failed', { part, ...describe(error) });
        failures.push([part, error]);
      }
    }
    if (failures.length > 0) throw new SweepFailed(failures);
  };
}

/** Parts of a round failed. Each failure is in the log already. */
export class SweepFailed extends AggregateError {
  override readonly name = 'SweepFailed';

  constructor(failures: readonly [part: string, error: unknown][]) {
    super(
      failures.map(([, error]) => error),
      failures
        .map(([part, error]) => `${part}: ${error instanceof Error ? error.message : String(error)}`)
        .join('; '),
    );
  }
}

const oldClients = (now: number) => ({
  idle: now - CLIENT_IDLE_SECONDS,
  unused: now - CLIENT_UNUSED_SECONDS,
});

/** Runs one complete round. Rejects with `SweepFailed` when a part of it fails. */
export const maintainOnce = (deps: Needs): Promise<void> => createSweep(deps)(deps.clock.now(), true);

export async function maintain(deps: Needs, stop: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  const sweep = createSweep(deps, stop);
  const secondsJumped = createJumpMeter(clock);
  let purged = -Infinity;
  while (!stop.aborted) {
    const began = clock.millis();
    const seconds = secondsJumped();
    if (seconds > CLOCK_JUMP_SECONDS) {
      // Under a wrong clock everything looks expired. decision: 084
      log.write('warn', 'the clock jumped forward: nothing is deleted in this round', { seconds });
    } else {
      try {
        const purge = clock.millis() - purged >= PURGE_SECONDS * 1000;
        await sweep(clock.now(), purge);
        if (purge) purged = clock.millis();
      } catch (error) {
        if (!(error instanceof SweepFailed)) log.write('error', 'sweep failed', describe(error));
      }
    }
    await clock.sleep(Math.max(0, SWEEP_MS - (clock.millis() - began)), stop);
  }
}

/** Returns how many seconds the time of day has gained on the monotonic clock since the last call. */
function createJumpMeter(clock: Clock): () => number {
  const lead = () => clock.now() - clock.millis() / 1000;
  let last = lead();
  return () => {
    const before = last;
    last = lead();
    return Math.round(last - before);
  };
}
