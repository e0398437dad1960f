// Finds the known word that a mistyped word most likely means: one error in a short word, two in a long one.
import { editDistance } from '../config/edit-distance.ts';
import { bitCount } from './bit-count.ts';
import { stem } from './stems.ts';

export type Spelling = { correct(word: string): Correction | undefined };
export type Correction = { word: string; slips: number };

type SpellingEntry = { word: string; letters: number };

const MIN_WORD_LENGTH = 4;
/** A word of three letters may lack one of a usual word: "snd". */
const MIN_TYPED_LENGTH = 3;
const USUAL = 5;
const LONG_WORD_LENGTH = 8;
const MAX_WORD_LENGTH = 32;

/** Words with the number of their uses, ready to be compared with mistyped ones. */
export interface WordList {
  uses: ReadonlyMap<string, number>;
  /** The stems of the words. */
  stems: ReadonlySet<string>;
  byLength: ReadonlyMap<number, readonly SpellingEntry[]>;
}

export interface GrowingWordList extends WordList {
  add: (word: string, uses: number) => void;
}

export function createWordList(): GrowingWordList {
  const uses = new Map<string, number>();
  const stems = new Set<string>();
  const byLength = new Map<number, SpellingEntry[]>();
  return {
    uses,
    stems,
    byLength,
    add(word, count) {
      const known = uses.get(word);
      uses.set(word, (known ?? 0) + count);
      if (known !== undefined) return;
      stems.add(stem(word));
      if (word.length < MIN_WORD_LENGTH || word.length > MAX_WORD_LENGTH) return;
      const entry = { word, letters: lettersOf(word) };
      const bucket = byLength.get(word.length);
      if (bucket === undefined) byLength.set(word.length, [entry]);
      else bucket.push(entry);
    },
  };
}

// Bounds the memory of words that were looked up. People repeat their words, and a look-up compares thousands.
const MAX_LOOKED_UP = 500;

/** Reads several finished lists as one: the uses of a word are those of all lists together. */
export function createSpelling(lists: readonly WordList[]): Spelling {
  const lookedUp = new Map<string, Correction | undefined>();
  const usesOf = (word: string): number => lists.reduce((sum, { uses }) => sum + (uses.get(word) ?? 0), 0);

  function correct(word: string): Correction | undefined {
    if (word.length < MIN_TYPED_LENGTH || word.length > MAX_WORD_LENGTH) return undefined;
    if (lookedUp.has(word)) return lookedUp.get(word);
    if (lookedUp.size >= MAX_LOOKED_UP) lookedUp.clear();
    const found = lookUp(word);
    lookedUp.set(word, found);
    return found;
  }

  function lookUp(word: string): Correction | undefined {
    const allowed = word.length < LONG_WORD_LENGTH ? 1 : 2;
    const letters = lettersOf(word);
    let best: Correction | undefined;
    for (let length = word.length - allowed; length <= word.length + allowed; length++) {
      for (const { byLength } of lists)
        for (const entry of byLength.get(length) ?? []) {
          if (bitCount(entry.letters ^ letters) > 2 * allowed || !startsAlike(word, entry.word)) continue;
          const slips = editDistance(word, entry.word);
          if (slips > allowed || (word.length === MIN_WORD_LENGTH && isOtherWord(word, entry.word))) continue;
          if (word.length < MIN_WORD_LENGTH && (usesOf(entry.word) < USUAL || !isShortFor(word, entry.word)))
            continue;
          if (
            best === undefined ||
            slips < best.slips ||
            (slips === best.slips && usesOf(entry.word) > usesOf(best.word))
          )
            best = { word: entry.word, slips };
        }
    }
    return best;
  }

  return { correct };
}

/** People rarely mistype the first letter, except when they swap it with the second. */
function startsAlike(word: string, other: string): boolean {
  return word[0] === other[0] || (word[0] === other[1] && word[1] === other[0]);
}

/** "snd" lacks a vowel and "pul" a second l. "sit" is a word of its own. */
function isShortFor(word: string, other: string): boolean {
  return !/[aeiouy]/.test(word) || /(.)\1/.test(other);
}

/** A short word with another letter is rather another word: "boss" is not "bots". */
function isOtherWord(word: string, other: string): boolean {
  return word.length === other.length && lettersOf(word) !== lettersOf(other);
}

/** Packs the set of letters into bits. One typing error changes at most two of them. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}
