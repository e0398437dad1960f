// Reads the JSON of requests and writes that of calls without changing an integer: one that a number cannot hold is a bigint.
import { mayHoldLargeInteger } from './exact.ts';
import { hasMoreValues, isObject, isTooDeep } from './json.ts';

/** Longer integers are refused: no service has ids of this length. */
const MAX_DIGITS = 1_000;
/** What a text of JSON within a request may hold. The request itself was counted before. */
const MAX_VALUES = 200_000;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns a bigint when a number would have other digits. Returns null for a text that is no integer. */
export function readInteger(text: string): number | bigint | null {
  if (text.length > MAX_DIGITS || !INTEGER.test(text)) return null;
  const number = Number(text);
  return String(number) === text || text === '-0' ? number : BigInt(text);
}

/** Returns null for a text that JSON would not take as a number. */
export function readNumber(text: string): number | bigint | null {
  if (text.length > MAX_DIGITS || !NUMBER.test(text)) return null;
  const number = readInteger(text) ?? Number(text);
  return typeof number === 'bigint' || Number.isFinite(number) ? number : null;
}

/** Throws a SyntaxError for what is no JSON. A reviver is slow, so only a text that may hold a large integer gets one. */
export function parseExactIntegers(text: string): unknown {
  if (!mayHoldLargeInteger(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? '';
    if (typeof value !== 'number' || !INTEGER.test(source)) return value;
    const exact = readInteger(source);
    if (exact === null) throw new SyntaxError(`An integer has more than ${MAX_DIGITS} digits`);
    return exact;
  });
}

/** Returns undefined when the text is not JSON, or is nested too deeply. */
export function parseRequest(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return parseExactIntegers(text);
  } catch {
    return undefined;
  }
}

/** Some models write a list or an object as a text of JSON. Returns anything else as it is. */
export function readNested(given: unknown): unknown {
  if (typeof given !== 'string' || !/^\s*[[{]/.test(given) || hasMoreValues(given, MAX_VALUES)) return given;
  return parseRequest(given) ?? given;
}

/** The same for arguments, which are an object. */
export function readArguments(given: unknown): unknown {
  const read = readNested(given);
  return isObject(read) ? read : given;
}

// The types of the language do not know it yet. Node 22 and workerd have it.
const { rawJSON } = JSON as typeof JSON & { rawJSON: (text: string) => unknown };
const asRaw = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? rawJSON(String(value)) : value;

/** Writes a bigint digit by digit. A replacer is slow, so only a value that needs one gets it. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Whatever else cannot be written fails again.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, asRaw);
  }
}

const holdsBigint = (value: unknown): boolean =>
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsBigint));

/** Puts something else in the place of each bigint. Returns the same value where there is none. */
function replaceBigints(value: unknown, replace: (integer: bigint) => unknown): unknown {
  if (!holdsBigint(value)) return value;
  if (typeof value === 'bigint') return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceBigints(item, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaceBigints(member, replace)]),
  );
}

/** For a library that writes JSON itself. */
export const withRawIntegers = (value: unknown): unknown =>
  replaceBigints(value, (integer) => rawJSON(String(integer)));

/** For a library that knows no bigint and only compares. */
export const withRoundedIntegers = (value: unknown): unknown => replaceBigints(value, Number);
