// Runs work that takes a moment and can fail: one at a time, with the problem of the last one.
import { useState } from 'preact/hooks';
import { type Problem, problemOf } from './error-notice.tsx';

export interface Work {
  busy: boolean;
  problem: Problem | undefined;
  /** Without a problem, the shown one disappears. */
  setProblem: (problem?: Problem) => void;
  run: (work: () => Promise<void>) => Promise<void>;
}

export function useWork(describe: (error: unknown) => Problem = problemOf): Work {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();

  async function run(work: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(describe(error));
    } finally {
      setBusy(false);
    }
  }

  return { busy, problem, setProblem, run };
}
