// Evaluates `select(value, expression)` of a script. reference: Scripts
import { parseExactIntegers, writeJson } from '../json/exact-integers.ts';
import { loadSelect, SelectError } from '../json/select.ts';
import type { ScriptRun } from '../ports/script-runner.ts';

export async function loadSelectInScript(): Promise<ScriptRun['select']> {
  const compile = await loadSelect();
  return (value, expression) => {
    try {
      const { value: selected } = compile(expression)(parseExactIntegers(value));
      return { ok: true, json: writeJson(selected ?? null) };
    } catch (error) {
      if (!(error instanceof SelectError)) throw error;
      return { ok: false, message: error.message, code: 'SELECT', status: null };
    }
  };
}
