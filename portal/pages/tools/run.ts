// Runs a tool and reports the states of the run.
import { type Answer, runTool } from '../../api/tools.ts';
import type { Tool } from '../../api/types.ts';
import { explain } from '../../parts/error-notice.tsx';
import { forThisPerson } from '../../state/cache.ts';
import { countOwnRun } from '../../state/own-runs.ts';

export type Run =
  | { state: 'idle' }
  | { state: 'running'; stop: () => void }
  | { state: 'stopped' }
  | { state: 'unanswered'; message: string }
  | { state: 'answered'; tool: Tool; args: Record<string, unknown>; answer: Answer; account?: string };

// The statuses that the audit records. decision: 031
const AUDITED = [200, 400, 403, 409, 502];

export async function startRun(
  tool: Tool,
  args: Record<string, unknown>,
  onChange: (run: Run) => void,
  account?: string,
): Promise<Run> {
  const controller = new AbortController();
  onChange({ state: 'running', stop: () => controller.abort() });
  const count = forThisPerson<void>(countOwnRun);
  const run = await callTool(tool, args, controller.signal, account);
  if (run.state === 'answered' && AUDITED.includes(run.answer.status)) count();
  onChange(run);
  return run;
}

async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  signal: AbortSignal,
  account: string | undefined,
): Promise<Run> {
  try {
    const answer = await runTool(tool, args, signal, account);
    return { state: 'answered', tool, args, answer, ...(account === undefined ? {} : { account }) };
  } catch (error) {
    return signal.aborted ? { state: 'stopped' } : { state: 'unanswered', message: explain(error) };
  }
}
