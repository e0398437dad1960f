// Runs a tool and reports the states of the run.
import { type Answer, runTool, type Tool } from '../../api/tools.ts';
import { explain } from '../../parts/error-notice.tsx';

export type Run =
  | { state: 'idle' }
  | { state: 'running'; stop: () => void }
  | { state: 'stopped' }
  | { state: 'unanswered'; message: string }
  | { state: 'answered'; tool: Tool; args: Record<string, unknown>; answer: Answer; account?: string };

export async function startRun(
  tool: Tool,
  args: Record<string, unknown>,
  onChange: (run: Run) => void,
  account?: string,
): Promise<Run> {
  const controller = new AbortController();
  onChange({ state: 'running', stop: () => controller.abort() });
  const run = await callTool(tool, args, controller.signal, account);
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
