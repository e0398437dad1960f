// Parses JSON without changing large integers, and says which JSON takes too long to be parsed.
import { hasMoreValues, isTooDeep } from './json.ts';
import { ANSWER_VALUES } from './limits.ts';

// A JavaScript number holds every integer of up to 15 digits. Only a text that matches can contain a longer integer.
const MAY_HOLD_LARGE_INTEGER = /(?:^|[[:,\s])-?\d{16}/;
const LARGE_INTEGER = /^-?[1-9]\d{15,}$/;
const NUMBER = /[-+.\deE]+/y;
const COLON_NEXT = /\s*:/y;

/** Costs one look at the text. */
export const mayHoldLargeInteger = (text: string): boolean => MAY_HOLD_LARGE_INTEGER.test(text);

/** Keeps an integer that does not fit into a number as a string of its digits: rounding an id would name another thing. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(quoteLargeIntegers(text));
}

/** Ends a sentence about an answer that is not parsed: parsing it would take seconds or overflow the stack. */
export function whyNotToParse(
  text: string,
): 'is nested too deeply' | 'has more than 1,000,000 values' | undefined {
  if (hasMoreValues(text, ANSWER_VALUES)) return 'has more than 1,000,000 values';
  return isTooDeep(text) ? 'is nested too deeply' : undefined;
}

/**
 * Writes quotation marks around the integers that do not fit into a number. A text that is not JSON stays one that is not.
 * A reviver of `JSON.parse` would be called for every value, which takes sixteen times as long.
 */
export function quoteLargeIntegers(text: string): string {
  if (!mayHoldLargeInteger(text)) return text;
  const parts: string[] = [];
  let written = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) quoted = !quoted;
    else if (quoted) index += unit === 0x5c ? 1 : 0;
    else if (unit === 0x2d || (unit >= 0x30 && unit <= 0x39)) {
      const end = endOf(NUMBER, text, index);
      if (end - index > 15 && isLarge(text.slice(index, end)) && endOf(COLON_NEXT, text, end) === end) {
        parts.push(text.slice(written, index), '"', text.slice(index, end), '"');
        written = end;
      }
      index = end - 1;
    }
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(written);
}

const isLarge = (number: string): boolean =>
  LARGE_INTEGER.test(number) && !Number.isSafeInteger(Number(number));

/** Returns where a match that begins at `start` ends, or `start` when there is none. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}
