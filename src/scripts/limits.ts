// The limits of scripts. reference: Scripts
import type { MostRuns, MostScripts } from '../ports/scripts.ts';
import type { ScriptLimits } from '../ports/script-runner.ts';

/** What one sitting of a run may take of the sandbox. */
export const SANDBOX: ScriptLimits = {
  processor: 30_000,
  memory: 64 * 1024 ** 2,
  parallel: 8,
  output: 4 * 1024 ** 2,
  log: 64 * 1024,
};
export const CALLS_PER_RUN = 256;
/** How long a run may take, without the time in which it waits for a person. */
export const RUN_SECONDS = 15 * 60;
export const CODE_CHARACTERS = 128 * 1024;
export const INPUT_CHARACTERS = 256 * 1024;
/** The answers of one call and of all calls of a run. A row of D1 has 2 MB. */
export const ANSWER_BYTES = 1024 ** 2;
export const LEDGER_BYTES = 4 * 1024 ** 2;
/** A longer result is not kept with its run. The caller has it. */
export const KEPT_END_BYTES = 512 * 1024;
export const RUN_KEPT_SECONDS = 24 * 3_600;
/** A run that no process has kept alive for this long is lost. */
export const RUN_LEASE_SECONDS = 45;
export const RUN_BEAT_MS = 15_000;
/** How often a call is tried again whose key another process still holds. */
export const RETRY_MS = 1_000;
export const RUNS_AT_ONCE = 4;
export const MOST_RUNS: MostRuns = { runs: 200, characters: 64 * 1024 ** 2 };
export const LISTED_RUNS = 50;
export const MOST_SCRIPTS: MostScripts = { scripts: 100, versions: 20 };
export const TEAM_SCRIPTS: MostScripts = { scripts: 500, versions: 20 };
export const LISTED_REVIEWS = 100;
