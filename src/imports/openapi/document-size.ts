// Bounds a description before it is parsed, because a parser does its work in one step.
import { hasMoreValues } from '../../json/json.ts';
import { SourceFailure } from '../model/source-failure.ts';
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENT_VALUES, MAX_YAML_BYTES, YAML_VALUE_BYTES } from './limits.ts';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const COMMA = 0x2c;
const DASH = 0x2d;
const COLON = 0x3a;
const QUESTION = 0x3f;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** A text that does not begin with a brace is read as YAML. */
export const isJsonText = (text: string): boolean => /^\uFEFF?\s*\{/.test(text);

/** Throws a SourceFailure when parsing the text would take too much time or memory. */
export function refuseLarge(text: string): void {
  if (isLargerThan(text, MAX_DOCUMENT_BYTES))
    throw new SourceFailure(413, 'The description is larger than 16 MiB. Give a smaller part of it.');
  const isJson = isJsonText(text);
  if (!isJson && isLargerThan(text, MAX_YAML_BYTES))
    throw new SourceFailure(
      413,
      'The description is larger than 6 MiB, which is too much for YAML. Give it as JSON, or give a smaller part of it.',
    );
  if (isJson ? hasMoreValues(text, MAX_DOCUMENT_VALUES) : countYamlValues(text) > MAX_DOCUMENT_VALUES)
    throw new SourceFailure(413, 'The description has more than 300,000 values. Give a smaller part of it.');
}

/** Returns the memory that parsing takes beyond what the text was charged with when it arrived, in bytes. */
export function weighParsing(text: string): number {
  return isJsonText(text) || text.length > MAX_YAML_BYTES
    ? 0
    : Math.min(countYamlValues(text), MAX_DOCUMENT_VALUES) * YAML_VALUE_BYTES;
}

function isLargerThan(text: string, most: number): boolean {
  if (text.length > most) return true;
  return text.length * 3 > most && new TextEncoder().encode(text).length > most;
}

/**
 * Counts the marks that a value can follow: a line break, a comma, an opening bracket, and a dash, colon or question mark
 * with white space behind it. Texts have such marks too, so the result may be too large, but never too small.
 */
function countYamlValues(text: string): number {
  let marks = 1;
  for (let index = 0; index < text.length; index++)
    switch (text.charCodeAt(index)) {
      case LINE_FEED:
      case COMMA:
      case BRACKET:
      case BRACE:
        marks++;
        break;
      case RETURN:
        if (text.charCodeAt(index + 1) !== LINE_FEED) marks++;
        break;
      case DASH:
      case COLON:
      case QUESTION:
        if (isBlank(text.charCodeAt(index + 1))) marks++;
    }
  return marks;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09;
