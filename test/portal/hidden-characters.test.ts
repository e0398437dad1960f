// Tests that nothing in a text of others stays hidden from the person who reads it. reference: Approvals
import { describe, expect, it } from 'vitest';
import { hidesCharacters, partsOf } from '../../portal/parts/hidden-characters.ts';

/** Writes the parts as one text, with the marks in brackets. */
const shown = (text: string): string =>
  partsOf(text)
    .map((part) => (typeof part === 'string' ? part : `[${part.mark}]`))
    .join('');

describe('what a person sees of a text', () => {
  it.each([
    ['an override of the direction', 'invoice\u202Efdp.exe', 'invoice[U+202E]fdp.exe'],
    ['an isolate', 'a\u2066b\u2069c', 'a[U+2066]b[U+2069]c'],
    ['zero-width characters', 'pass\u200Bword\uFEFF', 'pass[U+200B]word[U+FEFF]'],
    ['a run of the same character once', 'a\u200B\u200B\u200Bb', 'a[U+200B ×3]b'],
    ['control characters', 'a\u0000b\u001B[2Jc\rd', 'a[U+0000]b[U+001B][2Jc[U+000D]d'],
    ['tags that write invisible words', 'hi\u{E0068}\u{E0069}', 'hi[U+E0068][U+E0069]'],
    ['a soft hyphen', 'de\u00ADlete', 'de[U+00AD]lete'],
    ['separators of lines', 'a\u2028b', 'a[U+2028]b'],
    ['fillers and blanks', 'a\u3164b\u2800c', 'a[U+3164]b[U+2800]c'],
    ['half of a pair', 'a\uD800b', 'a[U+D800]b'],
    ['private characters', 'a\uE000b', 'a[U+E000]b'],
    ['a selector that follows no picture', 'a\uFE0Fb', 'a[U+FE0F]b'],
    ['a joiner between Latin letters', 'a\u200Db', 'a[U+200D]b'],
  ])('marks %s', (_name, text, expected) => {
    expect(shown(text)).toBe(expected);
    expect(hidesCharacters(text)).toBe(true);
  });

  it.each([
    ['plain text', 'Delete the branch “feature/x”.\n\nThanks,\n\tAna\r\n'],
    ['pictures with their joiners and selectors', '👩‍💻 ❤️ 1️⃣ 👍🏽'],
    ['words that need a joiner', 'می‌خواهم'],
    ['Hebrew, Japanese and accents', 'שלום こんにちは café'],
    ['a few blanks', 'a     b\n\n\nc'],
  ])('leaves %s as it is', (_name, text) => {
    expect(shown(text)).toBe(text);
    expect(hidesCharacters(text)).toBe(false);
  });

  it('says how much white space pushes a text out of sight', () => {
    expect(shown(`a${'\n'.repeat(90)}rm -rf /`)).toBe('a[90 line breaks]\nrm -rf /');
    expect(shown(`a${' \n'.repeat(90)}b`)).toBe('a[90 line breaks]\nb');
    expect(shown(`a${' '.repeat(500)}b`)).toBe('a[500 spaces]b');
  });

  it('loses no other character', () => {
    const text = `x\u200B${'y'.repeat(3)}\u202E \n z`.repeat(3_000);
    const visible = text.replaceAll('\u200B', '').replaceAll('\u202E', '');
    expect(shown(text).replaceAll('[U+200B]', '').replaceAll('[U+202E]', '')).toBe(visible);
  });

  it('bounds the marks of a text that consists of them', () => {
    const parts = partsOf('\u200B\u202E'.repeat(50_000));
    expect(parts.length).toBeLessThan(5_000);
    expect(parts.at(-1)).toContain('[U+202E]');
  });
});
