// Runs the chores of all features once a minute, a portion at a time. Each chore that fails is logged, and the next one runs all the same.
// Where no process runs between requests, the platform's timer starts single rounds. reference: Maintenance
import { CLOCK_JUMP_SECONDS, PURGE_SECONDS, SWEEP_MS, SWEEP_ROUND_MS } from './limits.ts';
import { describe } from '../http/errors.ts';
import type { Chores, Feature } from '../kit/feature.ts';
import { createPace } from '../memory/pace.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ports } from '../ports/ports.ts';

type Needs<Deps> = Deps &
  Pick<Ports, 'clock' | 'log'> & { features: readonly Pick<Feature<Deps>, 'name' | 'chores'>[] };

/** `purge` also does what is due once an hour. */
type Sweep = (now: number, purge: boolean) => Promise<void>;

function createSweep<Deps>(deps: Needs<Deps>, stop?: AbortSignal): Sweep {
  const { clock, features, log } = deps;

  return async function sweep(now, purge) {
    const pace = createPace(clock, SWEEP_ROUND_MS, stop);
    async function repeat(portion: () => Promise<boolean>): Promise<void> {
      while ((await portion()) && pace.hasTime()) await pace.pause();
    }
    const chores: Chores[] = features.map(
      (feature) => feature.chores?.(deps, { now, purge, repeat, stop }) ?? {},
    );

    const failures: [part: string, error: unknown][] = [];
    for (const [part, run] of chores.flatMap((named) => Object.entries(named))) {
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

/** Runs one complete round. Rejects with `SweepFailed` when a part of it fails. */
export const maintainOnce = <Deps>(deps: Needs<Deps>): Promise<void> =>
  createSweep(deps)(deps.clock.now(), true);

export async function maintain<Deps>(deps: Needs<Deps>, stop: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  const sweep = createSweep(deps, stop);
  const secondsJumped = createJumpMeter(clock);
  let purged = -Infinity;
  while (!stop.aborted) {
    const began = clock.millis();
    const seconds = secondsJumped();
    if (seconds > CLOCK_JUMP_SECONDS) {
      // Under a wrong clock everything looks expired. decision: 013
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
