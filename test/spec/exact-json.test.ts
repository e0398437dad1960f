// Checks that large integers of an answer stay exact, and that nothing else of it changes.
import { describe, expect, it } from 'vitest';
import { parseExactJson, quoteLargeIntegers, whyNotToParse } from '../../src/json/exact.ts';

/** What `parseExactJson` must return, by the reviver of `JSON.parse`, which is slow. */
function parseWithReviver(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value,
  );
}

const outcome = (parse: (text: string) => unknown, text: string) => {
  try {
    return { value: parse(text) };
  } catch {
    return 'not JSON';
  }
};

const LARGE = '12345678901234567890';

describe('parseExactJson', () => {
  it.each([
    LARGE,
    `-${LARGE}`,
    `[${LARGE},-${LARGE},9007199254740991,9007199254740992,-9007199254740993]`,
    `{"a":${LARGE},"b" : ${LARGE} , "c":[ ${LARGE}\n]}`,
    `{"a":"${LARGE}","b":", ${LARGE}","c":"\\", ${LARGE}","d":"\\\\",\n"e":${LARGE}}`,
    `[1${'0'.repeat(400)},1e${'0'.repeat(20)}1,0.${LARGE},${LARGE}.5,${LARGE}e2,${LARGE}E+2,-0]`,
    `{"__proto__":${LARGE},"a":1,"a":${LARGE}}`,
    '[1234567890123456]',
  ])('reads %s as a reviver would', (text) => {
    expect(parseExactJson(text)).toEqual(parseWithReviver(text));
    expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(parseWithReviver(text)));
  });

  it.each([
    `{${LARGE}:1}`,
    `{${LARGE} :1}`,
    `[0${LARGE}]`,
    `[-]${LARGE}`,
    `[+${LARGE}]`,
    `[ ${LARGE}-]`,
    `[ ${LARGE}"a"]`,
    `["a" ${LARGE}]`,
    `[tru ${LARGE}]`,
    `[ ${LARGE}`,
    `[" ${LARGE}]`,
    `[ --${LARGE}]`,
  ])('refuses %s, which is not JSON', (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it('agrees with a reviver on texts made of every piece of JSON', () => {
    const pieces = ['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '-', '1', '.', 'e', LARGE, '"a":', 'null'];
    let seed = 7;
    const next = () => (seed = (seed * 48_271) % 2_147_483_647);
    for (let run = 0; run < 20_000; run++) {
      const length = 1 + (next() % 8);
      const text = Array.from({ length }, () => pieces[next() % pieces.length]).join('');
      expect(outcome(parseExactJson, text), text).toEqual(outcome(parseWithReviver, text));
    }
  });

  it('returns a text without large integers as it is', () => {
    const text = `{"a":"${LARGE}","b":[1234567890123456]}`;
    expect(quoteLargeIntegers(text)).toBe(text);
  });
});

describe('an answer that takes too long to be parsed', () => {
  it.each([
    [`[${'{},'.repeat(1_000_000)}{}]`, 'has more than 1,000,000 values'],
    [`[${'1,'.repeat(1_000_000)}${LARGE}]`, 'has more than 1,000,000 values'],
    [`${'['.repeat(501)}${']'.repeat(501)}`, 'is nested too deeply'],
  ])('is refused with its reason', (text, why) => {
    expect(whyNotToParse(text)).toBe(why);
  });

  it.each([
    `[${'{},'.repeat(499_000)}{}]`,
    `[${'1,'.repeat(999_000)}1]`,
    `["${'{},'.repeat(2_000_000)}"]`,
    `${'['.repeat(500)}${']'.repeat(500)}`,
  ])('is not one with fewer values, or with a long text', (text) => {
    expect(whyNotToParse(text)).toBeUndefined();
  });
});
