// Keeps the result of one part of a task: whole where it is small, otherwise cut at whole items. decision: 032; reference: Tasks
import { createJsonPieces, writeWithin } from '../../calls/results/json-pieces.ts';
import { RESULT_CHARACTERS } from '../../calls/results/limits.ts';
import type { StoredResults } from '../../calls/results/stored-results.ts';
import { cutAtWholeItems } from '../../calls/results/whole-items.ts';
import { describe } from '../../http/errors.ts';
import { isObject, parseJson } from '../../json/json.ts';
import type { KnownCaller } from '../../kit/integration.ts';
import type { Ports } from '../../ports/ports.ts';
import { TASK_RESULT_BYTES } from './limits.ts';

/** `tool` is where the result is from, `parts` how many share the room of the task. */
export type KeepResult = (
  caller: KnownCaller,
  result: object,
  from: { tool: string; parts: number },
) => Promise<Record<string, unknown>>;

/** A character takes up to so many bytes. */
const MAX_BYTES = 3;

export function createKeepResult({
  log,
  results,
}: Pick<Ports, 'log'> & { results: StoredResults }): KeepResult {
  async function cut(caller: KnownCaller, result: object, tool: string, room: number) {
    const value = { results: [result] };
    let continuation: { handle?: string; note?: string } = { note: 'The rest could not be stored' };
    try {
      const { handle } = await results.save(caller, createJsonPieces(value), [tool]);
      continuation = { handle };
    } catch (error) {
      log.write('error', 'the result of a task was not stored', describe(error));
    }
    const shown = parseJson(cutAtWholeItems(value, room, continuation));
    const [first]: unknown[] = isObject(shown) && Array.isArray(shown['results']) ? shown['results'] : [];
    // A list with nothing in it has `more` in the place of its item.
    return isObject(first) && ('result' in first || 'error' in first) ? first : { result: shown };
  }

  return async function keepResult(caller, result, { tool, parts }) {
    const most = Math.floor(TASK_RESULT_BYTES / parts);
    try {
      const text = writeWithin(result, most);
      const kept = text === null ? null : parseJson(text);
      if (isObject(kept)) return kept;
      return await cut(caller, result, tool, Math.min(RESULT_CHARACTERS, Math.floor(most / MAX_BYTES)));
    } catch (error) {
      log.write('warn', 'a result could not be kept for its task', describe(error));
      return { result: null, hint: 'The call ran. Its result could not be written as JSON' };
    }
  };
}
