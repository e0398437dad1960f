// Runs scripts of tests in the real sandbox.
import { createQuickJsRunner } from '../../drivers/scripts/quickjs.ts';
import type { ScriptAnswer, ScriptCall, ScriptEnd, ScriptRun } from '../../src/ports/script-runner.ts';

export const runner = createQuickJsRunner({ computing: 1 });

export const LIMITS = {
  processor: 1_500,
  memory: 64 * 1024 * 1024,
  parallel: 8,
  output: 100_000,
  log: 65_536,
};

/** A tool that answers with its call, and fails when its name says so. */
export const echo = async ({ index, name, args, options, line }: ScriptCall): Promise<ScriptAnswer> =>
  name.includes('fail')
    ? { ok: false, message: `${name} failed`, code: 'UPSTREAM', status: 404 }
    : { ok: true, json: JSON.stringify({ index, name, args: JSON.parse(args), options, line }) };

export function run(code: string, given: Partial<ScriptRun> = {}): Promise<ScriptEnd> {
  return runner.run({
    code,
    input: '{"count":2}',
    now: Date.UTC(2026, 0, 2),
    seed: 'seed',
    limits: LIMITS,
    signal: new AbortController().signal,
    call: echo,
    select: (value, expression) => ({ ok: true, json: JSON.stringify([expression, JSON.parse(value)]) }),
    ...given,
  });
}

/** The value that the script returned. Anything else fails the test with what happened. */
export async function valueOf(code: string, given: Partial<ScriptRun> = {}): Promise<unknown> {
  const end = await run(code, given);
  if (end.kind !== 'returned') throw new Error(JSON.stringify(end));
  return JSON.parse(end.json);
}
