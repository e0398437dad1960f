// Declares what runs one script in a sandbox. decision: 058

/** What one run may take. */
export interface ScriptLimits {
  /** Milliseconds of processor time of the sandbox. */
  processor: number;
  /** Bytes of memory of the sandbox. */
  memory: number;
  /** Calls that wait for their answers at one time. The script waits for a place when it makes one more. */
  parallel: number;
  /** Characters of JSON that the script may end with. */
  output: number;
  /** Characters that the script may log. Later lines are dropped, and the last line says so. */
  log: number;
}

/** A call of a tool by the script. */
export interface ScriptCall {
  /** Counts the calls of the run from 0, in the order in which the script made them. */
  index: number;
  /** The name as the script wrote it: `github_list_issues`, or `github.list_issues` for `tools["github"].list_issues`. */
  name: string;
  /** JSON, the first argument. */
  args: string;
  /** JSON, the second argument: the account and the key of the call, and what to select of its result. Null where the script gave none. */
  options: string | null;
  /** The line of the script that made the call, from 1. Null where it is not known. */
  line: number | null;
}

/** An answer that the script gets. A failure is thrown at its `await`. */
export type ScriptAnswer =
  | { ok: true; json: string }
  | { ok: false; message: string; code: string; status: number | null };

export interface ScriptRun {
  /** The body of an async function, in JavaScript. Types of TypeScript are stripped from it. */
  code: string;
  /** JSON, `input` in the script. */
  input: string;
  /** Milliseconds, what `Date` says during the whole run. The same `now` and `seed` give the same run. */
  now: number;
  /** What the random numbers of the script are made from. */
  seed: string;
  limits: ScriptLimits;
  /** Ends the run and its thread. */
  signal: AbortSignal;
  /**
   * Makes a call. The sandbox takes the answers one at a time in the order in which these promises settle, and runs until nothing is
   * left to do before it takes the next: the same answers in the same order give the same run.
   */
  call: (call: ScriptCall) => Promise<ScriptAnswer>;
  /** Evaluates `select(value, expression)`: both and the answer are JSON. The script waits for it, and nothing else of the run goes on. */
  select: (value: string, expression: string) => ScriptAnswer | Promise<ScriptAnswer>;
}

export type ScriptEnd = { log: string } & (
  | { kind: 'returned'; json: string }
  /** The script threw, or could not be read. `line` counts from 1. */
  | { kind: 'threw'; message: string; line: number | null }
  /** The script took more than its limits allow. */
  | { kind: 'exceeded'; limit: 'processor' | 'memory' | 'output' }
  /** The signal ended it. */
  | { kind: 'stopped' }
);

export interface ScriptRunner {
  /**
   * Throws Busy when too many runs wait for a place. A script ends after all its calls have their answers, also those that it did not
   * await. A run that is stopped or exceeds a limit ends at once: calls that wait then get their answers from nobody.
   */
  run: (run: ScriptRun) => Promise<ScriptEnd>;
}
