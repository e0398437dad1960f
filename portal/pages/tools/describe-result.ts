// Reads the result out of an answer, and tells in a sentence what it has.
import type { Answer } from '../../api/tools.ts';
import { toolsTexts } from '../../texts/tools.ts';
import { listIn } from './json/list-in.ts';
import { member, textMember } from './read-json.ts';

const words = toolsTexts.tools;

export interface ReadResult {
  value: unknown;
  /** What the gateway says about the result, empty when it says nothing. */
  hint: string;
}

/** The result of a successful call; of any other answer, all of it. An answer without JSON is a text. */
export function readResult({ status, text }: Pick<Answer, 'status' | 'text'>): ReadResult {
  const body = parseOrText(text);
  const hasResult = status < 300 && typeof body === 'object' && body !== null && 'result' in body;
  return {
    value: hasResult ? member(body, 'result') : body,
    hint: hasResult ? textMember(body, 'hint') : '',
  };
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Empty when there is nothing to count. */
export function describeResult(value: unknown): string {
  if (typeof value === 'string') return value === '' ? words.nothing : words.characters(value.length);
  const list = listIn(value);
  if (list !== null) return words.items(list.length);
  const isNothing = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return isNothing ? words.nothing : '';
}
