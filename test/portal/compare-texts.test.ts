// Tests how the review compares two versions of a definition.
import { describe, expect, it } from 'vitest';
import { compare, type Hunk, linesOf, wordsOf } from '../../portal/pages/imports/diff.ts';

const sideOf = (hunks: readonly Hunk[], side: 'before' | 'after') => hunks.flatMap((hunk) => hunk[side]);

describe('A comparison', () => {
  it('keeps what both have, and pairs what was removed with what was added', () => {
    expect(compare(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'd', 'e'])).toEqual([
      { kind: 'same', before: ['a'], after: ['a'] },
      { kind: 'changed', before: ['b'], after: ['x'] },
      { kind: 'same', before: ['c', 'd'], after: ['c', 'd'] },
      { kind: 'changed', before: [], after: ['e'] },
    ]);
  });

  it('finds nothing in equal and in empty lists', () => {
    expect(compare([], [])).toEqual([]);
    expect(compare(['a'], ['a'])).toEqual([{ kind: 'same', before: ['a'], after: ['a'] }]);
    expect(compare([], ['a'])).toEqual([{ kind: 'changed', before: [], after: ['a'] }]);
  });

  it('loses no line, whatever changed', () => {
    // A fixed sequence of lines with many repetitions.
    const lines = (seed: number) =>
      Array.from({ length: 60 }, (_, index) => String((index * seed + (index % 7) * seed) % 11));
    for (let seed = 1; seed < 40; seed++) {
      const [before, after] = [lines(seed), lines(seed + 3)];
      const hunks = compare(before, after);
      expect(sideOf(hunks, 'before')).toEqual(before);
      expect(sideOf(hunks, 'after')).toEqual(after);
      for (const hunk of hunks) if (hunk.kind === 'same') expect(hunk.before).toEqual(hunk.after);
    }
  });

  it('shows two very long texts as changed as a whole', () => {
    const before = Array.from({ length: 5_000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 5_000 }, (_, index) => `new ${index}`);
    expect(compare(before, after)).toEqual([{ kind: 'changed', before, after }]);
  });

  it('splits a text into words that are the text again', () => {
    const text = '  Reads a\n\tdocument.  ';
    expect(wordsOf(text).join('')).toBe(text);
  });

  it('sees no change in another order of keys', () => {
    expect(linesOf({ b: 1, a: { d: [2], c: 3 } })).toEqual(linesOf({ a: { c: 3, d: [2] }, b: 1 }));
  });
});
