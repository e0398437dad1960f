// Random choices for fuzz tests: FUZZ_SEED reproduces a run, and FUZZ_RUNS sets its size (1000 is the usual size).
export interface Chance {
  /** Returns a whole number from 0 to `limit - 1`. */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32 */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick(from) {
      const chosen = from[below(from.length)];
      if (chosen === undefined) throw new TypeError('nothing to pick from');
      return chosen;
    },
  };
}

const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const SHARE = Number(process.env['FUZZ_RUNS'] ?? 1_000) / 1_000;

/** Runs the trial `runs` times. The error of a failed trial names the seed that reproduces it. */
export async function fuzz(runs: number, trial: (chance: Chance) => Promise<void>): Promise<void> {
  const count = Math.ceil(runs * SHARE);
  for (let run = 0; run < count; run++) {
    try {
      await trial(chanceOf(SEED * 1_000_003 + run));
    } catch (cause) {
      throw new Error(
        `FUZZ_SEED=${SEED}, run ${run}: ${cause instanceof Error ? cause.message : String(cause)}`,
        {
          cause,
        },
      );
    }
  }
}
