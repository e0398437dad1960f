// Saves the beginning of the text in an answer that is too long to arrive whole.
import type { EgressFailure } from '../../egress/failure.ts';
import { markCut, SHOWN_CHARACTERS } from '../model/cut-text.ts';

const MAX_HEAD = 64 * 1024;
const FIRST_TEXT = /"content"\s*:\s*\[\s*\{\s*(?:"type"\s*:\s*"text"\s*,\s*)?"text"\s*:\s*"/;
/** `\n` has two characters, and `\u00e9` six. */
const ESCAPE = 2;
const UNICODE_ESCAPE = 6;

/** Returns a whole answer to the request, or null when what has arrived does not begin with a long text. */
export function cutAnswer(json: string, messageId: string, error: EgressFailure): object | null {
  const head = FIRST_TEXT.exec(json.slice(0, MAX_HEAD));
  if (head === null) return null;
  const start = head.index + head[0].length;
  const end = endOfWhole(json, start, Math.min(json.length, start + SHOWN_CHARACTERS));
  if (end === null) return null;
  try {
    const text = String(JSON.parse(`"${json.slice(start, end)}"`));
    const content = [{ type: 'text', text: markCut(text, error) }];
    return { jsonrpc: '2.0', id: Number(messageId), result: { content } };
  } catch {
    return null;
  }
}

/** Returns where the last whole character ends, or null when the text itself ends before: then something else is long. */
function endOfWhole(json: string, start: number, most: number): number | null {
  for (let index = start; ;) {
    const unit = json.charAt(index);
    if (unit === '"') return null;
    const length = unit !== '\\' ? 1 : json.charAt(index + 1) === 'u' ? UNICODE_ESCAPE : ESCAPE;
    if (index + length > most) return index;
    index += length;
  }
}
