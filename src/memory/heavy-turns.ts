// Lets one heavy step run at a time, such as the parsing of a large text, and small calls in between. reference: Limits
import type { Clock } from '../ports/clock.ts';
import { createFairQueue } from './fair-queue.ts';
import { HEAVY_PAUSE_PART, MAX_HEAVY_PAUSE_MS } from './limits.ts';

/** Resolves when the owner may do one heavy step. The step must follow at once. */
export type HeavyTurn = (owner: string) => Promise<void>;

interface Needs {
  clock: Pick<Clock, 'millis' | 'sleep' | 'turn'>;
  isIsolated?: boolean | undefined;
}

/**
 * Steps of several requests in one turn of the event loop would add up, so each has a turn of its own, and people take turns.
 * A small call takes several turns, so a pause follows a long step. On an edge runtime a request must not wait for the work of
 * another: there a step waits for a turn only.
 */
export function createHeavyTurns({ clock, isIsolated = false }: Needs): HeavyTurn {
  if (isIsolated) return () => clock.turn();
  const queue = createFairQueue({ maxRunning: 1, maxWaitingPerOwner: Infinity });
  let pauseEnds = -Infinity;

  async function measureStep(): Promise<void> {
    const began = clock.millis();
    // The step has run when the next turn begins.
    await clock.turn();
    const ended = clock.millis();
    pauseEnds = ended + Math.min((ended - began) * HEAVY_PAUSE_PART, MAX_HEAVY_PAUSE_MS);
  }

  async function waitForNext(): Promise<void> {
    await clock.turn();
    const left = pauseEnds - clock.millis();
    // A timer does not take less.
    if (left >= 1) await clock.sleep(left);
    void measureStep();
  }

  return (owner) => queue.run(owner, waitForNext);
}
